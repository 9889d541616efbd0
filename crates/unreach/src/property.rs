//! Properties: what must hold, as SV-COMP property files say it.

use crate::problem::Temporal;
pub use c::Property;

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

/// The property of a file such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
pub fn parse(text: &str) -> Result<Property, PropertyError> {
    if let Some(formula) = formula(text, "CARET") {
        return Err(PropertyError::Caret(formula?));
    }
    let (check, _) = fairness(text)?;
    let compact: String = check.chars().filter(|c| !c.is_whitespace()).collect();
    let formulas: Vec<&str> =
        compact.split("CHECK(init(").skip(1).filter_map(|check| Some(check.split_once("LTL(")?.1)).collect();
    let mut parts: Vec<&str> = formulas.iter().filter_map(|formula| formula.strip_suffix("))")).collect();
    parts.sort_unstable();
    match parts[..] {
        ["Gvalid-deref", "Gvalid-free", "Gvalid-memtrack"] => return Ok(Property::MemSafety),
        ["Gvalid-memcleanup"] => return Ok(Property::MemCleanup),
        _ => {}
    }
    let [formula] = formulas[..] else {
        return Err(if formulas.len() > 1 {
            PropertyError::Unsupported("several properties in one file".to_owned())
        } else {
            PropertyError::Malformed
        });
    };
    let formula = formula.strip_suffix("))").ok_or(PropertyError::Malformed)?;
    match formula {
        "Gassert" => Ok(Property::Assert),
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Ok(Property::UnreachCall),
        "G!label(ERROR)" => Ok(Property::UnreachLabel),
        "G!overflow" => Ok(Property::NoOverflow),
        "G!data-race" => Ok(Property::NoDataRace),
        "Fend" => Ok(Property::Termination),
        other if other.contains("ltlinvariant") => Err(PropertyError::Temporal(Temporal::InProgram)),
        other if other.contains("AP(") => {
            // Words are kept apart by their spaces.
            let (check, fair) = fairness(text)?;
            let written = self::formula(&check, "LTL").ok_or(PropertyError::Malformed)??;
            let written = match &fair[..] {
                [] => written,
                _ => format!("({}) -> ({written})", fair.join(" && ")),
            };
            Err(PropertyError::Temporal(Temporal::Formula(written)))
        }
        other => Err(PropertyError::Unsupported(format!("the property `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_stands_in_the_file() {
        assert_eq!(entry("CHECK( init(f()), LTL(G assert) )").as_deref(), Some("f"));
        assert_eq!(entry("CHECK( init(*), LTL(G assert) )"), None);
    }

    #[test]
    fn property_files_as_they_are_written() {
        for (text, property) in [
            ("CHECK( init(*), LTL(G assert) )\n", Ok(Property::Assert)),
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Ok(Property::UnreachCall)),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", Ok(Property::UnreachLabel)),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow)),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
                Ok(Property::MemSafety),
            ),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", Ok(Property::MemCleanup)),
            ("CHECK( init(main()), LTL(G ! data-race) )", Ok(Property::NoDataRace)),
            ("CHECK( init(main()), LTL(F end) )", Ok(Property::Termination)),
            (
                "CHECK( init(main()), LTL(F start) )",
                Err(PropertyError::Unsupported("the property `Fstart`".to_owned())),
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
        ] {
            assert_eq!(parse(text), property, "{text}");
        }
    }
}
