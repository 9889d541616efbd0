//! What follows when all of the program was seen: which memory is looked at in several ways, and what pointers in it, and
//! pointers made of integers, may point to.

use super::shapes::{contains, starts_with, view};
use super::{Class, Classes, Info};
use crate::types::{TypeId, Types};

impl Classes {
    /// An unknown function may store every pointer that it can reach, and others of its own, wherever it can reach a
    /// pointer. Tells whether that was news.
    pub(super) fn join_outside(&mut self) -> bool {
        let mut joined: Vec<Class> = Vec::new();
        for given in self.given.values() {
            let mut from = given.classes.clone();
            from.extend(given.result);
            let reached = self.reached(&from);
            let stores = reached.iter().any(|&class| !self.infos[class].targets.is_empty());
            if stores || given.result.is_some() {
                joined.extend(reached);
            }
        }
        let Some(&first) = joined.first() else { return false };
        let outside = *self.outside.get_or_insert(first);
        let mut changed = false;
        for class in joined {
            if self.find(class) != self.find(outside) {
                self.join(outside, class);
                changed = true;
            }
        }
        let root = self.compress(outside);
        changed |= !self.infos[root].indexed;
        self.infos[root].indexed = true;
        changed
    }

    pub(super) fn reinterpret(&mut self, class: Class) {
        let class = self.compress(class);
        if !self.infos[class].reinterpreted {
            self.infos[class].reinterpreted = true;
            self.collapse(class);
            self.drain();
        }
    }

    /// Finds the classes whose views do not fit together, and joins what bytes and integers may point to, until nothing
    /// changes.
    pub(super) fn settle(&mut self, types: &Types) {
        loop {
            let mut changed = self.join_addressed(types);
            changed |= self.join_outside();
            for class in self.infos.keys().collect::<Vec<_>>() {
                if self.find(class) != class {
                    continue;
                }
                changed |= self.punned_pointers(types, class);
                let info = &self.infos[class];
                if info.reinterpreted {
                    if !info.collapsed {
                        self.collapse(class);
                        self.drain();
                        changed = true;
                    }
                    continue;
                }
                let views: Vec<TypeId> = info.views.iter().copied().collect();
                let fit = views.iter().enumerate().all(|(index, &a)| {
                    views[index + 1..].iter().all(|&b| info.fits(types, a, b) || info.fits(types, b, a))
                });
                if !fit || info.shows_more(types) {
                    self.reinterpret(class);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A pointer that is stored as one type and loaded as another shows what it points to in both ways.
    /// Tells whether that was news.
    pub(super) fn punned_pointers(&mut self, types: &Types, class: Class) -> bool {
        let info = &self.infos[class];
        let mut seen: Vec<(Class, TypeId)> = Vec::new();
        for (key, pointees) in &info.pointees {
            let views = pointees.iter().filter_map(|&to| view(types, to));
            if let (Some(&target), true) = (info.targets.get(key), pointees.len() > 1) {
                seen.extend(views.map(|view| (target, view)));
            }
        }
        let mut news = false;
        for (target, view) in seen {
            let target = self.compress(target);
            news |= self.infos[target].views.insert(view) | self.infos[target].sources.insert(view);
        }
        news
    }

    /// Joins all classes whose addresses may be found in bytes or integers, if there is a way back from these.
    pub(super) fn join_addressed(&mut self, types: &Types) -> bool {
        let mut addressed = self.made.clone();
        for class in self.infos.keys().collect::<Vec<_>>() {
            if self.find(class) == class && self.has_byte_pointers(types, class) {
                addressed.extend(self.infos[class].targets.values());
            }
        }
        if addressed.is_empty() {
            return false;
        }
        addressed.extend(&self.exposed);
        let first = addressed[0];
        let mut changed = false;
        for other in addressed {
            if self.find(first) != self.find(other) {
                self.join(first, other);
                changed = true;
            }
        }
        changed
    }
}

impl Info {
    /// Whether a pointer to a part of an object may be converted to one to something larger that is not there: the part of another
    /// struct that begins in the same way.
    fn shows_more(&self, types: &Types) -> bool {
        let record_types: Vec<TypeId> = (types.record_types())
            .filter(|(record, _)| self.records.contains(record))
            .map(|(_, ty)| ty)
            .collect();
        let shows_more = |outer: TypeId, inner: TypeId| {
            outer != inner
                && types.size(outer) > types.size(inner)
                && self.fits(types, outer, inner)
                && record_types.iter().any(|&object| {
                    let related = contains(types, object, outer) || contains(types, outer, object);
                    !related && contains(types, object, inner)
                })
        };
        self.views.iter().any(|&outer| self.sources.iter().any(|&inner| shows_more(outer, inner)))
    }

    /// Whether memory may be seen as an object of type `outer` and as one of type `inner` at its start.
    fn fits(&self, types: &Types, outer: TypeId, inner: TypeId) -> bool {
        let same_size = types.size(outer) == types.size(inner);
        (starts_with(types, outer, inner) && (same_size || !self.steps.contains(&inner)))
            || (self.contained.contains(&(outer, inner)) && !self.steps.contains(&inner))
    }
}
