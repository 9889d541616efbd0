//! Several files as one program (C11 6.2.2, 6.2.7): which names and which structs of different files are the same.
//!
//! Names with external linkage are one in all files; `static` names belong to their file. A struct, union or enumeration with
//! a tag is the same as one with this tag in a file before, if both have the same members; without a tag, it is the
//! same as one before that has the same members and that no other of this file is the same as. So two files that include
//! one header see one type.

use super::{Checker, Entity, Scope, Tag};
use crate::symbols::Symbol;
use crate::types::{Layout, RecordId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known from the files before.
pub(super) struct Linking<'a> {
    /// Tags that stand for different types in different files.
    separate: &'a FxHashSet<Symbol>,
    /// Tags that were found to be so.
    pub(super) clashes: FxHashSet<Symbol>,
    /// The tags at file scope of the files before.
    tags: FxHashMap<Symbol, Tag>,
    /// Structs and unions without a tag of the files before.
    unnamed: Vec<RecordId>,
    /// Those of this file.
    unnamed_here: Vec<RecordId>,
    /// Those before that one of this file is the same as.
    claimed: FxHashSet<RecordId>,
    /// The structs and unions whose members stand in this file.
    defined_here: FxHashSet<RecordId>,
    /// Names of this file only, with what they stand for in other files.
    internal: BTreeMap<Symbol, Option<Entity>>,
    /// How many files came before.
    pub(super) unit: u32,
}

impl<'a> Linking<'a> {
    pub(super) fn new(separate: &'a FxHashSet<Symbol>) -> Linking<'a> {
        Linking {
            separate,
            clashes: FxHashSet::default(),
            tags: FxHashMap::default(),
            unnamed: Vec::new(),
            unnamed_here: Vec::new(),
            claimed: FxHashSet::default(),
            defined_here: FxHashSet::default(),
            internal: BTreeMap::new(),
            unit: 0,
        }
    }

    /// Whether the members of a struct or union were given in this file.
    pub(super) fn is_defined_here(&self, record: RecordId) -> bool {
        self.defined_here.contains(&record)
    }
}

impl Checker<'_> {
    /// Forgets what other files do not see.
    pub(super) fn end_unit(&mut self) {
        // Every name is there once, so their order does not matter.
        let internal: Vec<_> = std::mem::take(&mut self.linking.internal).into_iter().collect();
        for (name, elsewhere) in internal {
            match elsewhere {
                Some(elsewhere) => self.linked.insert(name, elsewhere),
                None => self.linked.remove(&name),
            };
        }
        let tags = std::mem::take(&mut self.tags);
        let shared = tags.into_iter().filter(|(tag, _)| !self.linking.separate.contains(tag));
        self.linking.tags.extend(shared);
        self.names.clear();
        self.scopes = vec![Scope::default()];
        self.linking.unnamed.append(&mut self.linking.unnamed_here);
        self.linking.claimed.clear();
        self.linking.defined_here.clear();
        self.linking.unit += 1;
    }

    /// A name at file scope is about to be declared `static`: other files do not see it, and it is none of theirs.
    pub(super) fn hide(&mut self, name: Symbol) {
        if !self.linking.internal.contains_key(&name) {
            // What this file has declared itself is the same.
            let here = self.names.contains_key(&name);
            let elsewhere = if here { None } else { self.linked.remove(&name) };
            self.linking.internal.insert(name, elsewhere);
        }
    }

    /// The type that a tag at file scope stands for in the files before.
    pub(super) fn shared_tag(&self, tag: Symbol) -> Option<Tag> {
        if !self.at_file_scope() || self.linking.separate.contains(&tag) {
            return None;
        }
        self.linking.tags.get(&tag).copied()
    }

    /// Gives a struct or union its members. If it has them from a file before, they must be the same.
    pub(super) fn complete_record(&mut self, record: RecordId, layout: Layout) -> RecordId {
        self.linking.defined_here.insert(record);
        let data = &self.tree.types.records[record];
        match (&data.layout, data.tag) {
            (Some(known), Some(tag)) => {
                // A model of the library works on what the program declares.
                if *known != layout && !self.ast.models {
                    self.linking.clashes.insert(tag);
                }
            }
            (_, Some(_)) => self.tree.types.records[record].layout = Some(layout),
            (_, None) => {
                let is_union = data.is_union;
                let same = self.linking.unnamed.iter().copied().find(|other| {
                    let other_data = &self.tree.types.records[*other];
                    !self.linking.claimed.contains(other)
                        && other_data.is_union == is_union
                        && other_data.layout.as_ref() == Some(&layout)
                });
                if let Some(same) = same {
                    self.linking.claimed.insert(same);
                    return same;
                }
                self.tree.types.records[record].layout = Some(layout);
                self.linking.unnamed_here.push(record);
            }
        }
        record
    }
}
