//! Properties: what must hold, as SV-COMP property files say it.

pub use c::Property;

/// Why a property file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyError {
    /// It is no property file.
    Malformed,
    /// It asks for something that is not checked yet.
    Unsupported(String),
}

/// The property of a file such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
pub fn parse(text: &str) -> Result<Property, PropertyError> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let formulas: Vec<&str> =
        compact.split("CHECK(init(").skip(1).filter_map(|check| Some(check.split_once("LTL(")?.1)).collect();
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
        other => Err(PropertyError::Unsupported(format!("the property `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_as_they_are_written() {
        for (text, property) in [
            ("CHECK( init(*), LTL(G assert) )\n", Ok(Property::Assert)),
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Ok(Property::UnreachCall)),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", Ok(Property::UnreachLabel)),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow)),
            (
                "CHECK( init(main()), LTL(F end) )",
                Err(PropertyError::Unsupported("the property `Fend`".to_owned())),
            ),
            ("int main() {}", Err(PropertyError::Malformed)),
        ] {
            assert_eq!(parse(text), property, "{text}");
        }
    }
}
