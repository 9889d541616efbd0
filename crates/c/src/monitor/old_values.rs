//! Values at earlier moments in the expressions of a witness: `\old(e)` and `\at(e, MOMENT)`.

/// At which moment a value is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// The start of the call: `\old(e)`, `\at(e, Old)`, `\at(e, Pre)`.
    Call,
    /// Any earlier visit of the place: `\at(e, AnyPrev)`.
    AnyVisit,
    /// The last visit of the place before this one: `\at(e, LastPrev)`.
    LastVisit,
}

/// A value at an earlier moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OldValue {
    /// The name that stands for it.
    pub(super) name: String,
    /// The expression.
    pub(super) value: String,
    /// When it is evaluated.
    pub(super) moment: Moment,
}

/// A text with names in place of values at earlier moments; nothing if one of them is malformed.
pub(super) fn old_values(text: &str, mut fresh: impl FnMut() -> String) -> Option<(String, Vec<OldValue>)> {
    let (mut out, mut old) = (String::new(), Vec::new());
    let mut rest = text;
    loop {
        let Some(at) = ["\\old", "\\at"].iter().filter_map(|word| rest.find(word)).min() else {
            out.push_str(rest);
            return Some((out, old));
        };
        out.push_str(&rest[..at]);
        let open = at + rest[at..].find('(')?;
        let close = open + closing_parenthesis(&rest[open..])?;
        let inside = &rest[open + 1..close];
        let (value, moment) = match rest[at..].starts_with("\\at") {
            false => (inside, Moment::Call),
            true => {
                let (value, moment) = inside.rsplit_once(',')?;
                match moment.trim() {
                    "Old" | "Pre" => (value, Moment::Call),
                    "AnyPrev" => (value, Moment::AnyVisit),
                    "LastPrev" => (value, Moment::LastVisit),
                    _ => return None,
                }
            }
        };
        let name = fresh();
        out.push_str(&name);
        old.push(OldValue { name, value: value.trim().to_owned(), moment });
        rest = &rest[close + 1..];
    }
}

/// Where the parenthesis closes with which a text begins.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(offset),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
