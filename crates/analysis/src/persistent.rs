//! A persistent map from small indices: changing a copy shares all but one path with the original.
//!
//! A radix tree with sixteen children per node. A copy costs nothing, a change costs one path of nodes, and combining
//! two maps skips the parts that they share; so a state of many variables costs per statement what the statement
//! changes. Only what is in the map takes space.

use std::rc::Rc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// A map from indices to values.
#[derive(Debug)]
pub struct Map<V> {
    root: Option<Rc<Node<V>>>,
    /// The number of levels; the root covers `16^levels` indices.
    levels: u32,
}

#[derive(Debug)]
enum Node<V> {
    Inner([Option<Rc<Node<V>>>; WIDTH]),
    Leaf([Option<Rc<V>>; WIDTH]),
}

impl<V> Clone for Node<V> {
    fn clone(&self) -> Node<V> {
        match self {
            Node::Inner(children) => Node::Inner(children.clone()),
            Node::Leaf(values) => Node::Leaf(values.clone()),
        }
    }
}

impl<V> Clone for Map<V> {
    fn clone(&self) -> Map<V> {
        Map { root: self.root.clone(), levels: self.levels }
    }
}

impl<V> Default for Map<V> {
    fn default() -> Map<V> {
        Map { root: None, levels: 1 }
    }
}

fn slot(index: usize, level: u32) -> usize {
    index >> (BITS * level) & (WIDTH - 1)
}

impl<V> Map<V> {
    /// Is it certainly the same map, because it shares everything?
    pub fn same(&self, other: &Map<V>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => self.levels == other.levels && Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn covers(&self, index: usize) -> bool {
        index >> (BITS * self.levels) == 0
    }

    /// The value at an index.
    pub fn get(&self, index: usize) -> Option<&Rc<V>> {
        if !self.covers(index) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.levels - 1;
        loop {
            match node {
                Node::Leaf(values) => return values[slot(index, 0)].as_ref(),
                Node::Inner(children) => node = children[slot(index, level)].as_deref()?,
            }
            level -= 1;
        }
    }

    /// Sets or removes the value at an index.
    pub fn set(&mut self, index: usize, value: Option<Rc<V>>) {
        if value.is_none() && self.get(index).is_none() {
            return;
        }
        while !self.covers(index) {
            self.grow();
        }
        let mut node = self.root.get_or_insert_with(|| Rc::new(Node::empty(self.levels - 1)));
        for level in (1..self.levels).rev() {
            match Rc::make_mut(node) {
                Node::Inner(children) => {
                    node =
                        children[slot(index, level)].get_or_insert_with(|| Rc::new(Node::empty(level - 1)));
                }
                Node::Leaf(_) => unreachable!("leaves are at the bottom"),
            }
        }
        match Rc::make_mut(node) {
            Node::Leaf(values) => values[slot(index, 0)] = value,
            Node::Inner(_) => unreachable!("the bottom has leaves"),
        }
    }

    fn grow(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children: [Option<Rc<Node<V>>>; WIDTH] = Default::default();
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
        self.levels += 1;
    }

    /// All values with their indices, in order.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &Rc<V>)) {
        if let Some(root) = &self.root {
            root.for_each(0, self.levels - 1, &mut visit);
        }
    }

    /// Combines two maps index by index where they differ: `combine` is not asked about parts that both share, and
    /// keeps them. Where only one map has a value, the other is `None`.
    pub fn combine(
        &mut self,
        other: &Map<V>,
        mut combine: impl FnMut(usize, Option<&Rc<V>>, Option<&Rc<V>>) -> Option<Rc<V>>,
    ) {
        if self.same(other) {
            return;
        }
        while self.levels < other.levels {
            self.grow();
        }
        let mut wide = other.clone();
        while wide.levels < self.levels {
            wide.grow();
        }
        self.root = Node::combine(self.root.as_ref(), wide.root.as_ref(), (0, self.levels - 1), &mut combine);
    }

    /// Does a relation hold at every index where the maps differ?
    pub fn all(
        &self,
        other: &Map<V>,
        mut holds: impl FnMut(usize, Option<&Rc<V>>, Option<&Rc<V>>) -> bool,
    ) -> bool {
        let mut left = self.clone();
        let mut right = other.clone();
        while left.levels < right.levels {
            left.grow();
        }
        while right.levels < left.levels {
            right.grow();
        }
        Node::all(left.root.as_ref(), right.root.as_ref(), (0, left.levels - 1), &mut holds)
    }
}

impl<V> Node<V> {
    fn empty(level: u32) -> Node<V> {
        if level == 0 { Node::Leaf(Default::default()) } else { Node::Inner(Default::default()) }
    }

    /// The depth of this recursion is the number of levels, at most eight.
    fn for_each(&self, base: usize, level: u32, visit: &mut impl FnMut(usize, &Rc<V>)) {
        match self {
            Node::Leaf(values) => {
                for (slot, value) in values.iter().enumerate() {
                    if let Some(value) = value {
                        visit(base + slot, value);
                    }
                }
            }
            Node::Inner(children) => {
                for (slot, child) in children.iter().enumerate() {
                    if let Some(child) = child {
                        child.for_each(base + (slot << (BITS * level)), level - 1, visit);
                    }
                }
            }
        }
    }

    /// The depth of this recursion is the number of levels, at most eight.
    fn combine(
        left: Option<&Rc<Node<V>>>,
        right: Option<&Rc<Node<V>>>,
        (base, level): (usize, u32),
        combine: &mut impl FnMut(usize, Option<&Rc<V>>, Option<&Rc<V>>) -> Option<Rc<V>>,
    ) -> Option<Rc<Node<V>>> {
        match (left, right) {
            (None, None) => return None,
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return Some(a.clone()),
            _ => {}
        }
        if level == 0 {
            let (mine, theirs) = (Node::values(left), Node::values(right));
            let mut combined: [Option<Rc<V>>; WIDTH] = Default::default();
            for (slot, place) in combined.iter_mut().enumerate() {
                *place = match (value_at(mine, slot), value_at(theirs, slot)) {
                    (None, None) => None,
                    (Some(a), Some(b)) if Rc::ptr_eq(a, b) => Some(a.clone()),
                    (a, b) => combine(base + slot, a, b),
                };
            }
            return combined.iter().any(Option::is_some).then(|| Rc::new(Node::Leaf(combined)));
        }
        let (mine, theirs) = (Node::children(left), Node::children(right));
        let mut combined: [Option<Rc<Node<V>>>; WIDTH] = Default::default();
        for (slot, place) in combined.iter_mut().enumerate() {
            let below = (base + (slot << (BITS * level)), level - 1);
            *place = Node::combine(value_at(mine, slot), value_at(theirs, slot), below, combine);
        }
        combined.iter().any(Option::is_some).then(|| Rc::new(Node::Inner(combined)))
    }

    /// The depth of this recursion is the number of levels, at most eight.
    fn all(
        left: Option<&Rc<Node<V>>>,
        right: Option<&Rc<Node<V>>>,
        (base, level): (usize, u32),
        holds: &mut impl FnMut(usize, Option<&Rc<V>>, Option<&Rc<V>>) -> bool,
    ) -> bool {
        match (left, right) {
            (None, None) => return true,
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return true,
            _ => {}
        }
        if level == 0 {
            let (mine, theirs) = (Node::values(left), Node::values(right));
            return (0..WIDTH).all(|slot| match (value_at(mine, slot), value_at(theirs, slot)) {
                (None, None) => true,
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => true,
                (a, b) => holds(base + slot, a, b),
            });
        }
        let (mine, theirs) = (Node::children(left), Node::children(right));
        (0..WIDTH).all(|slot| {
            let below = (base + (slot << (BITS * level)), level - 1);
            Node::all(value_at(mine, slot), value_at(theirs, slot), below, holds)
        })
    }

    fn values(node: Option<&Rc<Node<V>>>) -> Option<&[Option<Rc<V>>; WIDTH]> {
        match node.map(|node| &**node) {
            Some(Node::Leaf(values)) => Some(values),
            _ => None,
        }
    }

    fn children(node: Option<&Rc<Node<V>>>) -> Option<&[Option<Rc<Node<V>>>; WIDTH]> {
        match node.map(|node| &**node) {
            Some(Node::Inner(children)) => Some(children),
            _ => None,
        }
    }
}

fn value_at<T>(slots: Option<&[Option<T>; WIDTH]>, slot: usize) -> Option<&T> {
    slots.and_then(|slots| slots[slot].as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Changes = Vec<(usize, Option<u8>)>;

    fn changes() -> impl Strategy<Value = Changes> {
        let index = prop_oneof![0usize..40, 0usize..5000];
        proptest::collection::vec((index, proptest::option::of(any::<u8>())), 0..40)
    }

    fn apply(map: &mut Map<u8>, model: &mut BTreeMap<usize, u8>, changes: &Changes) {
        for &(index, value) in changes {
            map.set(index, value.map(Rc::new));
            match value {
                Some(value) => model.insert(index, value),
                None => model.remove(&index),
            };
        }
    }

    fn listed(map: &Map<u8>) -> BTreeMap<usize, u8> {
        let mut all = BTreeMap::new();
        map.for_each(|index, value| {
            all.insert(index, **value);
        });
        all
    }

    proptest! {
        #[test]
        fn maps_behave_like_ordered_maps(common in changes(), left in changes(), right in changes()) {
            let (mut a, mut model_a) = (Map::default(), BTreeMap::new());
            apply(&mut a, &mut model_a, &common);
            let (mut b, mut model_b) = (a.clone(), model_a.clone());
            apply(&mut a, &mut model_a, &left);
            apply(&mut b, &mut model_b, &right);
            prop_assert_eq!(listed(&a), model_a.clone());
            prop_assert_eq!(listed(&b), model_b.clone());
            let mut larger = a.clone();
            larger.combine(&b, |_, x, y| x.max(y).cloned());
            let mut expected = model_a.clone();
            for (&index, &value) in &model_b {
                let entry = expected.entry(index).or_insert(value);
                *entry = value.max(*entry);
            }
            prop_assert_eq!(listed(&larger), expected);
            let equal = a.all(&b, |_, x, y| x == y);
            prop_assert_eq!(equal, model_a == model_b);
            for index in [0, 39, 4999] {
                prop_assert_eq!(a.get(index).map(|v| **v), model_a.get(&index).copied());
            }
        }
    }
}
