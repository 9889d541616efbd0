//! String literals as objects: whether two of them share memory is left open (C11 6.4.5 p7).
//!
//! Every literal has an object of its own here. A compiler may put one where another has the same characters, also at
//! the end of a longer one. So where pointers into two literals are compared that could share memory, and would be equal
//! then, the model has no answer.

use super::Translator;
use super::classes::Class;
use super::values::Value;
use crate::tree::{ExprId, ExprKind, TextId};
use crate::types::Type;
use ir::Expr;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Longer literals may be anywhere beside each other, as far as this is concerned.
const MOST_COMPARED: usize = 4096;

/// More pairs of literals than this are not looked at one by one.
const MOST_PAIRS: usize = 256;

/// How far behind the start of one literal another may begin.
enum Distances {
    /// These numbers of characters.
    These(Vec<i64>),
    /// Any.
    Any,
}

/// Where a literal may begin beside another, such that both have their characters.
fn distances(left: &[u32], right: &[u32]) -> Distances {
    if left.len().max(right.len()) > MOST_COMPARED {
        return Distances::Any;
    }
    let fits = |distance: i64| {
        right.iter().enumerate().all(|(index, &unit)| {
            let beside = usize::try_from(index as i64 + distance).ok();
            beside.and_then(|beside| left.get(beside)).is_none_or(|&other| other == unit)
        })
    };
    let all = 1 - right.len() as i64..left.len() as i64;
    Distances::These(all.filter(|&distance| fits(distance)).collect())
}

/// A place in a literal, with the size of its characters.
#[derive(Clone, Copy)]
struct InText {
    text: TextId,
    size: u64,
    offset: Expr,
}

impl Translator<'_> {
    /// The literals of a class, with the sizes of their characters.
    fn texts_of(&mut self, class: Class) -> Rc<BTreeMap<TextId, u64>> {
        if self.storage.texts.is_empty() {
            self.collect_texts();
        }
        let class = self.analyses.classes.find(class);
        self.storage.texts.get(&class).cloned().unwrap_or_default()
    }

    fn collect_texts(&mut self) {
        let tree = self.tree;
        let live = Rc::clone(&self.analyses.live);
        let mut found: BTreeMap<Class, BTreeMap<TextId, u64>> = BTreeMap::new();
        for expr in live.exprs(tree) {
            let ExprKind::Text(text) = tree.exprs[expr].kind else { continue };
            let Type::Array(element, _) = tree.types[tree.exprs[expr].ty] else { continue };
            let class = self.analyses.classes.class(expr);
            let class = self.analyses.classes.find(class);
            found.entry(class).or_default().insert(text, tree.types.size(element).unwrap_or(1));
        }
        self.storage.texts = found.into_iter().map(|(class, texts)| (class, Rc::new(texts))).collect();
    }

    /// Has no answer where pointers are compared that are equal if two string literals share memory.
    pub(super) fn beware_of_texts(&mut self, sides: [ExprId; 2], left: &Value, right: &Value) {
        let (&Value::Pointer(base, offset), &Value::Pointer(other_base, other_offset)) = (left, right) else {
            return;
        };
        if [base, other_base].iter().any(|&base| self.literal(base) == Some(0)) {
            return;
        }
        let classes = sides.map(|side| self.analyses.classes.class(side));
        let first = self.texts_of(classes[0]);
        if first.is_empty() {
            return;
        }
        let second = self.texts_of(classes[1]);
        let mut open = self.truth(false);
        let many = first.len() * second.len() > MOST_PAIRS;
        if many {
            let texts = self.are_texts(base, other_base);
            let others = self.compare(ir::BinaryOp::NotEqual, base, other_base);
            open = self.and(texts, others);
        }
        for (&text, &size) in first.iter().filter(|_| !many) {
            for (&other, &other_size) in second.iter() {
                if text == other {
                    continue;
                }
                let one = InText { text, size, offset };
                let shared =
                    self.may_share(one, InText { text: other, size: other_size, offset: other_offset });
                let (Some(shared), id, other_id) = (shared, self.text_base(text), self.text_base(other))
                else {
                    continue;
                };
                let (id, other_id) = (self.int(id), self.int(other_id));
                let (here, there) = (self.equal(base, id), self.equal(other_base, other_id));
                let both = self.and(here, there);
                let both = self.and(both, shared);
                open = self.or(open, both);
            }
        }
        let fine = self.not(open);
        self.give_up_unless(fine, "whether two string literals share memory");
    }

    /// That two offsets are equal places if one literal lies where it may beside the other; none if it may not.
    fn may_share(&mut self, one: InText, other: InText) -> Option<Expr> {
        if one.size != other.size {
            // Characters of different sizes may still have equal bytes.
            return Some(self.truth(true));
        }
        let tree = self.tree;
        match distances(&tree.texts[one.text], &tree.texts[other.text]) {
            Distances::Any => Some(self.truth(true)),
            Distances::These(found) if found.is_empty() => None,
            Distances::These(found) => {
                let apart = self.subtract(one.offset, other.offset);
                let mut shared = self.truth(false);
                for distance in found {
                    let bytes = self.int(i128::from(distance) * i128::from(one.size));
                    let here = self.equal(apart, bytes);
                    shared = self.or(shared, here);
                }
                Some(shared)
            }
        }
    }

    /// Gives all literals their bases, one behind the other, where it may matter whether two share memory.
    pub(super) fn place_texts(&mut self) {
        if self.storage.texts.is_empty() {
            self.collect_texts();
        }
        let classes: Vec<(Class, Rc<BTreeMap<TextId, u64>>)> =
            self.storage.texts.iter().map(|(&class, texts)| (class, Rc::clone(texts))).collect();
        let compared = classes.iter().any(|&(class, _)| self.analyses.classes.is_compared(class));
        let texts: BTreeSet<TextId> = classes.iter().flat_map(|(_, texts)| texts.keys().copied()).collect();
        if texts.len() < 2 || !(compared || self.analyses.needs_addresses) {
            return;
        }
        let bases: Vec<u64> = texts.into_iter().map(|text| self.text_base(text)).collect();
        self.storage.literal_bases = bases.first().copied().zip(bases.last().copied());
    }

    /// Whether two bases are those of literals.
    pub(super) fn are_texts(&mut self, base: Expr, other: Expr) -> Expr {
        let Some((first, last)) = self.storage.literal_bases else { return self.truth(false) };
        let here = self.between(base, first.into(), last.into());
        let there = self.between(other, first.into(), last.into());
        self.and(here, there)
    }
}
