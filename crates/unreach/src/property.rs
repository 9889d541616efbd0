//! Properties: what must hold, as SV-COMP property files say it.

use crate::problem::Temporal;
pub use property::named::Property;
use property::named::{Checks, Named};

/// What a property file lists: a property, and what must not happen besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The property.
    pub property: Property,
    /// What must not happen besides.
    pub checks: Checks,
}

impl From<Property> for Listed {
    fn from(property: Property) -> Listed {
        Listed { property, checks: Checks::default() }
    }
}

/// Why a property file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyError {
    /// It is no property file.
    Malformed,
    /// It asks for something that is not checked yet.
    Unsupported(String),
    /// It is a formula of linear temporal logic that is not one of those with a name.
    Temporal(Temporal),
    /// It is a formula of CaRet.
    Caret(String),
}

/// The formula of a file such as `CHECK( init(main()), CARET(G call) )`, with its spaces; `logic` is the word before it.
fn formula(text: &str, logic: &str) -> Option<Result<String, PropertyError>> {
    let (before, rest) = text.split_once(logic)?;
    let rest = rest.trim_start().strip_prefix('(')?;
    let mut open = 1_usize;
    for (offset, character) in rest.char_indices() {
        match character {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            let is_whole = before.trim_start().starts_with("CHECK") && rest[offset + 1..].trim() == ")";
            return Some(match is_whole {
                true => Ok(rest[..offset].trim().to_owned()),
                false => Err(PropertyError::Malformed),
            });
        }
    }
    Some(Err(PropertyError::Malformed))
}

/// The function that a property file begins with: `F` of `CHECK( init(F()), … )`.
pub(crate) fn entry(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (name, _) = compact.split_once("CHECK(init(")?.1.split_once("()")?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| name.to_owned())
}

/// The lines `FAIR(FORMULA)` of a file, as what holds infinitely often of the executions that count, and the other lines.
fn fairness(text: &str) -> Result<(String, Vec<String>), PropertyError> {
    let (mut check, mut fair) = (String::new(), Vec::new());
    for line in text.lines() {
        match line.trim().strip_prefix("FAIR(") {
            Some(rest) => {
                let formula = rest.strip_suffix(')').ok_or(PropertyError::Malformed)?;
                fair.push(format!("(G F ({formula}))"));
            }
            None => {
                check.push_str(line);
                check.push('\n');
            }
        }
    }
    Ok((check, fair))
}

/// Several formulas with names as one property and what must not happen besides.
fn together(formulas: &[Named]) -> Result<Listed, PropertyError> {
    let mut goal = None;
    let mut checks = Checks::default();
    for &formula in formulas {
        match formula {
            Named::Check(check) => checks = checks.with(check),
            Named::Goal(property) if goal.is_none_or(|other| other == property) => goal = Some(property),
            Named::Goal(property) => {
                let other = goal.unwrap_or_default();
                return Err(PropertyError::Unsupported(format!("`{other}` and `{property}` in one file")));
            }
        }
    }
    if goal == Some(Property::Termination) && checks != Checks::default() {
        return Err(PropertyError::Unsupported("termination together with other properties".to_owned()));
    }
    let property = goal.unwrap_or_else(|| Property::of_checks(checks));
    Ok(Listed { property, checks: checks.without_those_of(property) })
}

/// The property of a file such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`. A file may have several such lines;
/// then all of them must hold.
pub fn parse(text: &str) -> Result<Listed, PropertyError> {
    if let Some(formula) = formula(text, "CARET") {
        return Err(PropertyError::Caret(formula?));
    }
    let (check, _) = fairness(text)?;
    let compact: String = check.chars().filter(|c| !c.is_whitespace()).collect();
    let mut formulas = Vec::new();
    for check in compact.split("CHECK(init(").skip(1) {
        let (_, formula) = check.split_once("LTL(").ok_or(PropertyError::Malformed)?;
        formulas.push(formula.strip_suffix("))").ok_or(PropertyError::Malformed)?);
    }
    let names: Vec<Option<Named>> = formulas.iter().map(|formula| Named::of_formula(formula)).collect();
    let unknown = formulas.iter().zip(&names).find(|(_, name)| name.is_none());
    match (unknown, &formulas[..]) {
        (_, []) => Err(PropertyError::Malformed),
        (None, _) => together(&names.into_iter().flatten().collect::<Vec<Named>>()),
        (Some((formula, _)), [_]) if formula.contains("ltlinvariant") => {
            Err(PropertyError::Temporal(Temporal::InProgram))
        }
        (Some((formula, _)), [_]) if formula.contains("AP(") || formula.contains("call(") => {
            // Words are kept apart by their spaces.
            let (check, fair) = fairness(text)?;
            let written = self::formula(&check, "LTL").ok_or(PropertyError::Malformed)??;
            let written = match &fair[..] {
                [] => written,
                _ => format!("({}) -> ({written})", fair.join(" && ")),
            };
            Err(PropertyError::Temporal(Temporal::Formula(written)))
        }
        (Some((formula, _)), _) => Err(PropertyError::Unsupported(format!("the property `{formula}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use property::named::Check;

    #[test]
    fn the_entry_stands_in_the_file() {
        assert_eq!(entry("CHECK( init(f()), LTL(G assert) )").as_deref(), Some("f"));
        assert_eq!(entry("CHECK( init(*), LTL(G assert) )"), None);
    }

    #[test]
    fn property_files_as_they_are_written() {
        for (text, property) in [
            ("CHECK( init(*), LTL(G assert) )\n", Ok(Listed::from(Property::Assert))),
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Ok(Listed::from(Property::UnreachCall))),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", Ok(Listed::from(Property::UnreachLabel))),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Listed::from(Property::NoOverflow))),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
                Ok(Listed::from(Property::MemSafety)),
            ),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", Ok(Listed::from(Property::MemCleanup))),
            ("CHECK( init(main()), LTL(G ! data-race) )", Ok(Listed::from(Property::NoDataRace))),
            ("CHECK( init(main()), LTL(F end) )", Ok(Listed::from(Property::Termination))),
            (
                "CHECK( init(main()), LTL(F start) )",
                Err(PropertyError::Unsupported("the property `Fstart`".to_owned())),
            ),
            (
                "CHECK( init(main()), LTL(G ! call(f())) )",
                Err(PropertyError::Temporal(Temporal::Formula("G ! call(f())".to_owned()))),
            ),
            (
                "CHECK( init(main()), LTL(G (AP(x > 0) -> F AP(y == 0))) )",
                Err(PropertyError::Temporal(Temporal::Formula("G (AP(x > 0) -> F AP(y == 0))".to_owned()))),
            ),
            (
                "CHECK( init(main()), CARET(G (call(f) -> Fc call(g))) )",
                Err(PropertyError::Caret("G (call(f) -> Fc call(g))".to_owned())),
            ),
            ("CHECK( init(main()), CARET(G (call) )", Err(PropertyError::Malformed)),
            (
                "CHECK( init(main()), LTL(F AP(y == 0)) )\nFAIR(AP(x == 0))\n",
                Err(PropertyError::Temporal(Temporal::Formula(
                    "((G F (AP(x == 0)))) -> (F AP(y == 0))".to_owned(),
                ))),
            ),
            ("int main() {}", Err(PropertyError::Malformed)),
            (
                "CHECK( init(main()), LTL(G assert) )\nCHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G valid-deref) )",
                Ok(Listed {
                    property: Property::Assert,
                    checks: Checks::default().with(Check::Overflow).with(Check::Deref),
                }),
            ),
            (
                "CHECK( init(main()), LTL(G valid-deref) )",
                Ok(Listed { property: Property::Checks, checks: Checks::default().with(Check::Deref) }),
            ),
            (
                "CHECK( init(main()), LTL(G assert) )\nCHECK( init(main()), LTL(F end) )",
                Err(PropertyError::Unsupported("`assert` and `termination` in one file".to_owned())),
            ),
            (
                "CHECK( init(main()), LTL(F end) )\nCHECK( init(main()), LTL(G ! overflow) )",
                Err(PropertyError::Unsupported("termination together with other properties".to_owned())),
            ),
        ] {
            assert_eq!(parse(text), property, "{text}");
        }
    }
}
