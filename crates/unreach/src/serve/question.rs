//! What a page asks: a text and a few choices, which become the arguments of a run. Nothing else of what was sent does.

use crate::problem::Language;
use serde_json::Value;

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Question {
    pub(super) language: Language,
    pub(super) text: String,
    /// The text of a property file.
    pub(super) property: Option<&'static str>,
    /// The arguments of a run, besides the files and the limits.
    pub(super) arguments: Vec<String>,
    /// The time that is wanted.
    pub(super) seconds: Option<u64>,
}

/// The checks that can be chosen for C.
const CHECKS: [&str; 10] = [
    "memory",
    "leaks",
    "overflow",
    "unsigned-overflow",
    "conversion",
    "division",
    "shift",
    "pointer-overflow",
    "uninitialised",
    "data-race",
];

/// What is asked besides assertions, as a property file has it.
fn property(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "assertions" => None,
        "unreach-call" => Some("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        "no-overflow" => Some("CHECK( init(main()), LTL(G ! overflow) )\n"),
        "valid-memsafety" => Some(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n",
        ),
        "no-data-race" => Some("CHECK( init(main()), LTL(G ! data-race) )\n"),
        "termination" => Some("CHECK( init(main()), LTL(F end) )\n"),
        _ => return None,
    })
}

impl Question {
    /// The question of a page, or what is wrong with it.
    pub(super) fn of_json(text: &str) -> Result<Question, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let language = match value["language"].as_str() {
            Some("boogie") => Language::Boogie,
            Some("c") => Language::C,
            Some("svlib") => Language::SvLib,
            _ => return Err("`language` is not boogie, c or svlib".to_owned()),
        };
        let text = value["text"].as_str().ok_or("`text` is missing")?.to_owned();
        let name = value["property"].as_str().unwrap_or("assertions");
        let property = property(name).ok_or_else(|| format!("no property: {name}"))?;
        let mut arguments = Vec::new();
        if let Some(engine) = value["engine"].as_str().filter(|name| *name != "auto") {
            let engine = engines::engine(engine).ok_or_else(|| format!("no engine: {engine}"))?;
            arguments.push(format!("--engine={}", engine.name));
        }
        if value["all"] == true && language != Language::SvLib {
            arguments.push("--stop-at=all".to_owned());
        }
        if language == Language::C {
            for check in value["checks"].as_array().into_iter().flatten() {
                let known = CHECKS.iter().find(|known| check == **known);
                let known = known.ok_or_else(|| format!("no check: {check}"))?;
                arguments.push(format!("--check={known}"));
            }
            if let Some(model) = value["data_model"].as_str() {
                let known = ["ilp32", "lp64"].into_iter().find(|known| *known == model);
                arguments.push(format!("--data-model={}", known.ok_or("`data_model` is not ilp32 or lp64")?));
            }
            if let Some(function) = value["function"].as_str().filter(|name| !name.is_empty()) {
                let is_name = function.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                if !is_name {
                    return Err("`function` is no name".to_owned());
                }
                arguments.push(format!("--function={function}"));
            }
        }
        Ok(Question { language, text, property, arguments, seconds: value["seconds"].as_u64() })
    }

    /// The name of the file with the program.
    pub(super) fn file(&self) -> &'static str {
        match self.language {
            Language::Boogie => "program.bpl",
            Language::C => "program.c",
            Language::SvLib => "program.svlib",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_becomes_an_argument() {
        let asked = r#"{"language":"c","text":"int x;","checks":["memory","overflow"],"engine":"kojak","function":"f","data_model":"ilp32","all":true,"seconds":5,"models":"/etc","cpp":"rm"}"#;
        let question = Question::of_json(asked).expect("a question");
        let expected = [
            "--engine=kojak",
            "--stop-at=all",
            "--check=memory",
            "--check=overflow",
            "--data-model=ilp32",
            "--function=f",
        ];
        assert_eq!(question.arguments, expected);
        for wrong in [
            "",
            "{}",
            r#"{"language":"java","text":""}"#,
            r#"{"language":"c"}"#,
            r#"{"language":"c","text":"","checks":["all --cpp=x"]}"#,
            r#"{"language":"c","text":"","engine":"--cpp=x"}"#,
            r#"{"language":"c","text":"","function":"f --cpp=x"}"#,
            r#"{"language":"c","text":"","property":"../../etc/passwd"}"#,
            r#"{"language":"c","text":"","data_model":"x"}"#,
        ] {
            assert!(Question::of_json(wrong).is_err(), "{wrong}");
        }
    }
}
