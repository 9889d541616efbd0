//! Persistent ordered maps: copies are free, a change copies the path to it unless nobody else holds it.
//!
//! A height-balanced (AVL) tree of shared nodes. Invariant: the heights of the two sides of a node differ by
//! at most one, so look-ups and changes cost the logarithm of the size.

use std::cmp::Ordering;
use std::sync::Arc;

type Link<K, V> = Option<Arc<Node<K, V>>>;

#[derive(Clone, Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    height: u8,
    size: usize,
    left: Link<K, V>,
    right: Link<K, V>,
}

/// An ordered map with cheap copies.
#[derive(Clone, Debug)]
pub struct PersistentMap<K, V> {
    root: Link<K, V>,
}

impl<K, V> Default for PersistentMap<K, V> {
    fn default() -> PersistentMap<K, V> {
        PersistentMap { root: None }
    }
}

fn height<K, V>(link: &Link<K, V>) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

fn size<K, V>(link: &Link<K, V>) -> usize {
    link.as_ref().map_or(0, |node| node.size)
}

impl<K: Ord + Clone, V: Clone> PersistentMap<K, V> {
    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        size(&self.root)
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        insert(&mut self.root, key, value);
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: &K) {
        // Looking first keeps the tree shared if there is nothing to do.
        if self.get(key).is_some() {
            remove(&mut self.root, key);
        }
    }

    /// Sets the value of a key, or forgets it.
    pub fn set(&mut self, key: K, value: Option<V>) {
        match value {
            Some(value) => self.insert(key, value),
            None => self.remove(&key),
        }
    }

    /// Where the map differs from another, in the order of the keys; `same` says which values are no difference. What they share is not looked at, so two versions of
    /// one map are compared in time proportional to the changes between them, times the height.
    pub fn differences<'a>(
        &'a self,
        other: &'a PersistentMap<K, V>,
        same: fn(&V, &V) -> bool,
    ) -> Differences<'a, K, V> {
        Differences { left: Pieces::of(self), right: Pieces::of(other), same }
    }

    /// Takes over what `combine` says wherever the map differs from another.
    pub fn combine(
        &mut self,
        other: &PersistentMap<K, V>,
        same: fn(&V, &V) -> bool,
        mut combine: impl FnMut(&Difference<'_, K, V>) -> Option<V>,
    ) {
        let found = self.differences(other, same);
        let changes: Vec<(K, Option<V>)> = found.map(|found| (found.key.clone(), combine(&found))).collect();
        for (key, value) in changes {
            self.set(key, value);
        }
    }

    /// Whether the two are one map, as copies are. Maps that are not may still have the same entries.
    pub fn is_shared_with(&self, other: &PersistentMap<K, V>) -> bool {
        match (&self.root, &other.root) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
    }

    /// In the order of the keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter { path: Vec::new() };
        iter.descend(&self.root);
        iter
    }
}

/// A part of a tree that is still to be compared.
enum Piece<'a, K, V> {
    Whole(&'a Arc<Node<K, V>>),
    Entry(&'a Node<K, V>),
}

/// The pieces of a tree; the first is the last of the list.
struct Pieces<'a, K, V>(Vec<Piece<'a, K, V>>);

impl<'a, K, V> Pieces<'a, K, V> {
    fn of(tree: &'a PersistentMap<K, V>) -> Pieces<'a, K, V> {
        Pieces(tree.root.iter().map(Piece::Whole).collect())
    }

    /// Takes the first tree apart.
    fn split(&mut self) {
        match self.0.pop() {
            Some(Piece::Whole(node)) => {
                self.0.extend(node.right.iter().map(Piece::Whole));
                self.0.push(Piece::Entry(node));
                self.0.extend(node.left.iter().map(Piece::Whole));
            }
            other => self.0.extend(other),
        }
    }
}

/// A key whose entries in two maps differ.
#[derive(Debug)]
pub struct Difference<'a, K, V> {
    /// The key.
    pub key: &'a K,
    /// Its value in the one map.
    pub left: Option<&'a V>,
    /// Its value in the other.
    pub right: Option<&'a V>,
}

/// See [`PersistentMap::differences`].
pub struct Differences<'a, K, V> {
    left: Pieces<'a, K, V>,
    right: Pieces<'a, K, V>,
    same: fn(&V, &V) -> bool,
}

impl<'a, K: Ord, V> Iterator for Differences<'a, K, V> {
    type Item = Difference<'a, K, V>;

    fn next(&mut self) -> Option<Difference<'a, K, V>> {
        loop {
            match (self.left.0.last(), self.right.0.last()) {
                (Some(Piece::Whole(left)), Some(Piece::Whole(right))) => {
                    let (shared, heights) = (Arc::ptr_eq(left, right), left.height.cmp(&right.height));
                    if shared {
                        self.left.0.pop();
                        self.right.0.pop();
                        continue;
                    }
                    if heights.is_ge() {
                        self.left.split();
                    }
                    if heights.is_le() {
                        self.right.split();
                    }
                }
                (Some(Piece::Whole(_)), _) => self.left.split(),
                (_, Some(Piece::Whole(_))) => self.right.split(),
                (Some(&Piece::Entry(left)), Some(&Piece::Entry(right))) => match left.key.cmp(&right.key) {
                    Ordering::Less => {
                        self.left.0.pop();
                        return Some(Difference { key: &left.key, left: Some(&left.value), right: None });
                    }
                    Ordering::Greater => {
                        self.right.0.pop();
                        return Some(Difference { key: &right.key, left: None, right: Some(&right.value) });
                    }
                    Ordering::Equal => {
                        self.left.0.pop();
                        self.right.0.pop();
                        if !(self.same)(&left.value, &right.value) {
                            let (mine, theirs) = (Some(&left.value), Some(&right.value));
                            return Some(Difference { key: &left.key, left: mine, right: theirs });
                        }
                    }
                },
                (Some(&Piece::Entry(only)), None) => {
                    self.left.0.pop();
                    return Some(Difference { key: &only.key, left: Some(&only.value), right: None });
                }
                (None, Some(&Piece::Entry(only))) => {
                    self.right.0.pop();
                    return Some(Difference { key: &only.key, left: None, right: Some(&only.value) });
                }
                (None, None) => return None,
            }
        }
    }
}

/// The recursion is as deep as the tree is high, which is logarithmic.
fn insert<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V) {
    let Some(node) = link else {
        *link = Some(Arc::new(Node { key, value, height: 1, size: 1, left: None, right: None }));
        return;
    };
    let node = Arc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Less => insert(&mut node.left, key, value),
        Ordering::Greater => insert(&mut node.right, key, value),
        Ordering::Equal => {
            node.value = value;
            return;
        }
    }
    rebalance(link);
}

fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) {
    let Some(node) = link else { return };
    let node = Arc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Less => remove(&mut node.left, key),
        Ordering::Greater => remove(&mut node.right, key),
        Ordering::Equal => match (node.left.take(), node.right.take()) {
            (None, other) | (other, None) => {
                *link = other;
                return;
            }
            (left, mut right) => {
                if let Some((key, value)) = take_first(&mut right) {
                    node.key = key;
                    node.value = value;
                }
                node.left = left;
                node.right = right;
            }
        },
    }
    rebalance(link);
}

fn take_first<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>) -> Option<(K, V)> {
    let node = Arc::make_mut(link.as_mut()?);
    let first = match node.left {
        Some(_) => take_first(&mut node.left),
        None => {
            let first = (node.key.clone(), node.value.clone());
            let right = node.right.take();
            *link = right;
            return Some(first);
        }
    };
    rebalance(link);
    first
}

fn update<K, V>(node: &mut Node<K, V>) {
    node.height = height(&node.left).max(height(&node.right)) + 1;
    node.size = size(&node.left) + size(&node.right) + 1;
}

/// Restores the invariant of a node whose sides satisfy it and differ by at most two.
fn rebalance<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(node) = link else { return };
    let node = Arc::make_mut(node);
    let (left, right) = (height(&node.left), height(&node.right));
    if left > right + 1 {
        if node.left.as_ref().is_some_and(|left| height(&left.right) > height(&left.left)) {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    } else if right > left + 1 {
        if node.right.as_ref().is_some_and(|right| height(&right.left) > height(&right.right)) {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else {
        update(node);
    }
}

fn rotate_right<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut root) = link.take() else { return };
    let Some(mut pivot) = Arc::make_mut(&mut root).left.take() else {
        *link = Some(root);
        return;
    };
    let top = Arc::make_mut(&mut pivot);
    let node = Arc::make_mut(&mut root);
    node.left = top.right.take();
    update(node);
    top.right = Some(root);
    update(top);
    *link = Some(pivot);
}

fn rotate_left<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut root) = link.take() else { return };
    let Some(mut pivot) = Arc::make_mut(&mut root).right.take() else {
        *link = Some(root);
        return;
    };
    let top = Arc::make_mut(&mut pivot);
    let node = Arc::make_mut(&mut root);
    node.right = top.left.take();
    update(node);
    top.left = Some(root);
    update(top);
    *link = Some(pivot);
}

/// Entries in the order of the keys.
pub struct Iter<'a, K, V> {
    path: Vec<&'a Node<K, V>>,
}

impl<'a, K, V> Iter<'a, K, V> {
    fn descend(&mut self, mut link: &'a Link<K, V>) {
        while let Some(node) = link {
            self.path.push(node);
            link = &node.left;
        }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        let node = self.path.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn check_invariant(link: &Link<u8, u32>) -> (u8, usize) {
        let Some(node) = link else { return (0, 0) };
        let ((left, left_size), (right, right_size)) =
            (check_invariant(&node.left), check_invariant(&node.right));
        assert!(left.abs_diff(right) <= 1);
        assert_eq!((node.height, node.size), (left.max(right) + 1, left_size + right_size + 1));
        (node.height, node.size)
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map_and_copies_do_not_change(
            changes in proptest::collection::vec((any::<u8>(), proptest::option::of(any::<u32>())), 0..200),
        ) {
            let mut tree: PersistentMap<u8, u32> = PersistentMap::default();
            let mut model: BTreeMap<u8, u32> = BTreeMap::new();
            let mut copies = Vec::new();
            for (key, change) in changes {
                copies.push((tree.clone(), model.clone()));
                match change {
                    Some(value) => {
                        tree.insert(key, value);
                        model.insert(key, value);
                    }
                    None => {
                        tree.remove(&key);
                        model.remove(&key);
                    }
                }
                prop_assert_eq!(tree.get(&key), model.get(&key));
            }
            copies.push((tree, model));
            let (last, last_model) = copies[copies.len() - 1].clone();
            for (tree, model) in &copies {
                let keys = model.keys().chain(last_model.keys()).collect::<std::collections::BTreeSet<_>>();
                let differ = keys.into_iter().filter(|key| model.get(key) != last_model.get(key));
                let found = tree.differences(&last, u32::eq);
                prop_assert!(found.map(|found| found.key).eq(differ));
                let mut combined = tree.clone();
                combined.combine(&last, u32::eq, |found| found.left.max(found.right).copied());
                let mut larger = model.clone();
                for (&key, &value) in &last_model {
                    let entry = larger.entry(key).or_insert(value);
                    *entry = value.max(*entry);
                }
                prop_assert!(combined.iter().eq(larger.iter()));
            }
            for (tree, model) in copies {
                check_invariant(&tree.root);
                prop_assert_eq!(tree.len(), model.len());
                prop_assert!(tree.iter().eq(model.iter()));
            }
        }
    }
}
