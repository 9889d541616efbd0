//! The way back: what variables, addresses and memory of the translation mean in C.
//!
//! Variables that only the translation needs (intermediate values, the counter of objects) have no meaning here, and
//! whoever shows evidence to people leaves them out. A pointer is two variables, base and offset; a base is the
//! number of an object. Memory is a map from bases to maps from offsets to values; [`BackMap::cell`] names its cells.

use crate::harness::Site;
use crate::options::{Check, Checks, Property};
use base::{FileId, Span};
use float::Format;
use ir::{Block, Procedure, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Translates evidence about the intermediate program back to C.
#[derive(Clone, Default, Debug)]
pub struct BackMap {
    /// The C meaning of variables, for those that have one.
    pub variables: FxHashMap<Variable, CVariable>,
    /// The maps that are parts of memory.
    pub memory: FxHashMap<Variable, Memory>,
    /// The objects that exist before the program allocates any, by their bases.
    pub objects: BTreeMap<u64, CObject>,
    /// The greatest base of an object that is not allocated at run time.
    pub last_base: u64,
    /// What is assumed about the arguments of functions that are entered from outside, each at its function.
    pub assumptions: Vec<(Span, String)>,
    /// The places where the program asks the environment, in the order of translation.
    pub inputs: Vec<Input>,
    /// Variables that are defined elsewhere, so that their values are inputs, too.
    pub externals: Vec<Variable>,
    /// Variables that are numbers and begin with an arbitrary value, with their C type; the declaration tells the place.
    pub uninitialised: Vec<(Variable, String)>,
    /// Whether there are bit operations or floating-point operations that were only bounded, and could be said exactly.
    pub bounded_bits: bool,
    /// Whether it was left open if blocks are lost at the end, and could be said exactly.
    pub open_blocks: bool,
    /// Whether memory that is read as something else than it was written as was given up, and could be kept as bytes.
    pub tagged: bool,
    /// The file that was translated.
    pub file: Option<FileId>,
    /// How many checks of the property the program has; without any, it holds of nothing.
    pub checks: u32,
    /// What the program was assumed not to do: an execution ends where it would. Checks that were asked for are none of
    /// these.
    pub assumed: BTreeSet<Check>,
    /// The sizes of its types.
    pub data_model: crate::options::DataModel,
    /// The property that it was translated for.
    pub property: Option<Property>,
    /// What must not happen wherever it could.
    pub asked: Checks,
    /// The functions that the program defines.
    pub defined: BTreeSet<String>,
    /// The functions that it mentions and that neither it nor a library defines.
    pub missing: BTreeSet<String>,
    /// The function that it begins with.
    pub entry: String,
    /// What `main` is called with, if it has parameters.
    pub arguments: Option<Arguments>,
    /// Where the source reaches an error.
    pub sites: Vec<Site>,
    /// The blocks that end with a decision that the C program takes, and not with one of the translation's own.
    pub decisions: FxHashSet<(Procedure, Block)>,
}

/// What `main` is called with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// So many parameters, of which it only looks at the first: the number that this variable holds.
    Count(Variable, usize),
    /// So many parameters, which [`CALLER`](crate::models::CALLER) makes.
    Strings(usize),
}

/// What a variable means in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CVariable {
    /// The C expression, as `s.next` or `a`; `[]` stands for the index of an array, which is a map. As in ACSL, the
    /// result of a function is `\result`, and the argument for a parameter that is assigned is `\old(n)`.
    pub name: String,
    /// Its C type.
    pub ty: String,
    /// How its values are written.
    pub kind: CKind,
    /// Which part of the value it holds.
    pub part: Part,
    /// The function it is local to.
    pub function: Option<String>,
    /// Its declaration.
    pub span: Span,
}

/// Which part of a C value a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// The object that a pointer points into.
    Base,
    /// The offset of a pointer in bytes.
    Offset,
}

/// How values of a scalar type are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CKind {
    /// As a number.
    Integer,
    /// As a number, and a character where it is a printable one.
    Character,
    /// As a floating number, by its bit pattern.
    Floating(Format),
    /// As an address.
    Pointer,
}

/// A map that is a part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The member of a struct that it holds, if it holds only one.
    pub member: Option<Member>,
    /// The size of a cell in bytes, and how its values are written; none for bit-fields.
    pub cell: Option<(u64, CKind)>,
    /// Which part of the values it holds.
    pub part: Part,
    /// The base of the only object in it, if there is only one: the map has no bases then.
    pub only: Option<u64>,
    /// Whether offsets tell its cells apart; else every object has only one.
    pub by_offset: bool,
}

/// A member of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its offset in bytes.
    pub offset: u64,
    /// The size of the struct.
    pub stride: u64,
}

/// An object with a fixed base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CObject {
    /// A variable, a function, or the text of a string literal.
    pub name: String,
    /// The function that a variable is local to.
    pub function: Option<String>,
    /// The scalars in it; empty if they cannot be told apart.
    pub cells: Vec<CCell>,
}

/// A scalar in an object, or the array of all scalars at the same member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CCell {
    /// The name of the way to it, as `.data[]`.
    pub suffix: String,
    /// Its offset in bytes with all indices zero.
    pub offset: u64,
    /// The arrays around it, outermost first: the number of elements, if known, and the size of one.
    pub dimensions: Vec<(Option<u64>, u64)>,
    /// How its values are written.
    pub kind: CKind,
}

/// A place where the program asks the environment: a `havoc` statement with the attribute `input`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The variable that gets the answer.
    pub variable: Variable,
    /// The function that is called, as `__VERIFIER_nondet_int`.
    pub function: String,
    /// The C type of the answer.
    pub ty: String,
    /// How the answer is written.
    pub kind: CKind,
    /// The call.
    pub span: Span,
}

impl CCell {
    /// The name of the cell at an offset, if the offset is one of this cell's.
    fn at(&self, offset: u64) -> Option<String> {
        let mut rest = offset.checked_sub(self.offset)?;
        let mut indices = Vec::new();
        for &(length, stride) in &self.dimensions {
            let index = rest.checked_div(stride)?;
            if length.is_some_and(|length| index >= length) {
                return None;
            }
            indices.push(index.to_string());
            rest -= index * stride;
        }
        (rest == 0).then(|| indexed(&self.suffix, &indices))
    }
}

/// A name with indices in the places of its `[]`, in order.
pub fn indexed(name: &str, indices: &[String]) -> String {
    let mut parts = name.split("[]");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (position, part) in parts.enumerate() {
        out.push('[');
        out.push_str(indices.get(position).map_or("", String::as_str));
        out.push(']');
        out.push_str(part);
    }
    out
}

impl BackMap {
    /// Copies of variables mean what the originals mean.
    pub fn add_copies(&mut self, copies: &FxHashMap<Variable, Variable>) {
        let mut sorted: Vec<(Variable, Variable)> =
            copies.iter().map(|(&copy, &original)| (copy, original)).collect();
        sorted.sort_unstable();
        for (copy, original) in sorted {
            if let Some(meaning) = self.variables.get(&original).cloned() {
                self.variables.insert(copy, meaning);
            }
            let input = self.inputs.iter().find(|input| input.variable == original).cloned();
            self.inputs.extend(input.map(|input| Input { variable: copy, ..input }));
        }
    }

    /// The C name of a cell of memory: `a[3]`, or `heap1.next` for an object that was allocated at run time.
    /// Without an offset, the only cell of the object.
    pub fn cell(&self, memory: &Memory, base: u64, offset: Option<u64>) -> String {
        let Some(offset) = offset else {
            let name = self.object(base);
            return match &memory.member {
                Some(member) => format!("{name}.{}", member.name),
                None => name,
            };
        };
        if let Some(object) = self.objects.get(&base) {
            let known = object.cells.iter().find_map(|cell| cell.at(offset));
            return match known {
                Some(suffix) => format!("{}{suffix}", object.name),
                None => format!("{} at byte {offset}", object.name),
            };
        }
        let name = self.object(base);
        match (&memory.member, memory.cell) {
            (Some(member), _) if offset == member.offset => format!("{name}.{}", member.name),
            (Some(member), _)
                if offset > member.offset && (offset - member.offset).is_multiple_of(member.stride) =>
            {
                format!("{name}[{}].{}", (offset - member.offset) / member.stride, member.name)
            }
            (None, Some((size, _))) if size > 0 && offset.is_multiple_of(size) => {
                format!("{name}[{}]", offset / size)
            }
            _ => format!("{name} at byte {offset}"),
        }
    }

    /// The name of an object.
    pub fn object(&self, base: u64) -> String {
        match self.objects.get(&base) {
            Some(object) => object.name.clone(),
            None => format!("heap{}", base.saturating_sub(self.last_base)),
        }
    }

    /// A pointer as C would write it.
    pub fn pointer(&self, base: u64, offset: i128) -> String {
        if base == 0 {
            return if offset == 0 { "NULL".to_owned() } else { format!("(void *){offset}") };
        }
        let name = self.object(base);
        let Some(object) = self.objects.get(&base) else {
            return if offset == 0 { format!("&{name}") } else { format!("&{name} + {offset} bytes") };
        };
        if name.starts_with('"') {
            return if offset == 0 { name } else { format!("{name} + {offset}") };
        }
        let place = u64::try_from(offset).ok();
        let cell = place.and_then(|at| object.cells.iter().find_map(|cell| cell.at(at)));
        match cell {
            Some(suffix) => format!("&{name}{suffix}"),
            None if offset == 0 => format!("&{name}"),
            None => format!("&{name} + {offset} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_names_that_c_gives_them() {
        let cell = |suffix: &str, offset, dimensions: &[(Option<u64>, u64)]| CCell {
            suffix: suffix.to_owned(),
            offset,
            dimensions: dimensions.to_vec(),
            kind: CKind::Integer,
        };
        let cells = vec![cell(".head", 0, &[]), cell(".rows[][].x", 8, &[(Some(2), 24), (Some(3), 8)])];
        let object = CObject { name: "s".to_owned(), function: None, cells };
        let back = BackMap { objects: [(7, object)].into(), last_base: 9, ..BackMap::default() };
        let memory = |member: Option<&str>| Memory {
            member: member.map(|name| Member { name: name.to_owned(), offset: 4, stride: 8 }),
            cell: Some((4, CKind::Integer)),
            part: Part::Whole,
            only: None,
            by_offset: true,
        };
        assert_eq!(back.cell(&memory(None), 7, Some(0)), "s.head");
        assert_eq!(back.cell(&memory(None), 7, Some(8 + 24 + 16)), "s.rows[1][2].x");
        assert_eq!(back.cell(&memory(None), 7, Some(8 + 48)), "s at byte 56");
        assert_eq!(back.cell(&memory(None), 10, Some(12)), "heap1[3]");
        assert_eq!(back.cell(&memory(Some("next")), 11, Some(4)), "heap2.next");
        assert_eq!(back.cell(&memory(Some("next")), 11, Some(20)), "heap2[2].next");
        assert_eq!(back.cell(&memory(Some("next")), 11, None), "heap2.next");
        assert_eq!(back.pointer(0, 0), "NULL");
        assert_eq!(back.pointer(7, 8), "&s.rows[0][0].x");
        assert_eq!(back.pointer(10, 4), "&heap1 + 4 bytes");
    }
}
