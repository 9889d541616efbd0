//! What is done with the contracts of a program.

use std::fmt;
use std::str::FromStr;

/// What is done with the contract of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// Its body runs between assertions of its preconditions and postconditions.
    Check,
    /// Its body runs under the assumption of its preconditions, and its postconditions are asserted.
    Enforce,
    /// Its contract stands for its body.
    Use,
    /// Its contract is a comment.
    Ignore,
}

/// What is done with the contracts of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loops {
    /// Nothing.
    #[default]
    Ignore,
    /// Loops run, and their invariants are asserted in every iteration.
    Check,
    /// Invariants stand for loops: they are shown to be inductive, and nothing else is known behind the loop.
    Cut,
}

/// What is done with the contracts of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// What is done with which functions; `*` stands for all that have a contract.
    pub functions: Vec<(String, Treatment)>,
    /// What is done with loops that have a contract.
    pub loops: Loops,
    /// Whether every function with a contract is entered with arbitrary arguments, besides `main`.
    pub each: bool,
    /// Whether a function that is entered without a contract finds arbitrary values in variables at file scope, too.
    pub any_globals: bool,
    /// Whether it is asked if a contract can be satisfied at all: an assertion fails where a function is entered whose
    /// preconditions hold, and where a function without a body would return.
    pub satisfiable: bool,
}

impl Contracts {
    /// Contracts are assertions.
    pub fn checked() -> Contracts {
        let functions = vec![("*".to_owned(), Treatment::Check)];
        Contracts { functions, loops: Loops::Check, ..Contracts::default() }
    }

    /// Whether nothing is done at all.
    pub fn is_ignored(&self) -> bool {
        self.functions.is_empty() && self.loops == Loops::Ignore && !self.any_globals
    }

    /// What is done with a function.
    pub(crate) fn treatment(&self, name: &str, has_contract: bool) -> Option<Treatment> {
        // A function without a contract can be run, but nothing stands for it.
        let fits = |treatment: Treatment| has_contract || treatment != Treatment::Use;
        let named =
            self.functions.iter().find(|&&(ref pattern, treatment)| pattern == name && fits(treatment));
        let all = self.functions.iter().find(|(pattern, _)| pattern == "*" && has_contract);
        named.or(all).map(|&(_, treatment)| treatment).filter(|&treatment| treatment != Treatment::Ignore)
    }

    /// Adds what another wish asks for.
    pub fn add(&mut self, other: Contracts) {
        self.functions.extend(other.functions);
        self.each |= other.each;
        self.any_globals |= other.any_globals;
        self.satisfiable |= other.satisfiable;
        if other.loops != Loops::Ignore {
            self.loops = other.loops;
        }
    }
}

impl FromStr for Contracts {
    type Err = String;

    /// Reads `ignore`, `check`, `enforce`, `use`, or a list as `enforce f; use g; loop`.
    fn from_str(text: &str) -> Result<Contracts, String> {
        let all = |treatment| vec![("*".to_owned(), treatment)];
        let mut contracts = Contracts::default();
        for wish in text.split(';').map(str::trim).filter(|wish| !wish.is_empty()) {
            let (word, function) = match wish.split_once(char::is_whitespace) {
                Some((word, function)) => (word, Some(function.trim().trim_matches('"').to_owned())),
                None => (wish, None),
            };
            let one = match (word, function) {
                ("ignore", None) => Contracts::default(),
                ("check", None) => Contracts::checked(),
                ("enforce", None) => {
                    let functions = all(Treatment::Use);
                    Contracts { functions, loops: Loops::Cut, each: true, ..Contracts::default() }
                }
                ("use" | "replace", None) => {
                    Contracts { functions: all(Treatment::Use), ..Contracts::default() }
                }
                ("loop" | "loops", None) => Contracts { loops: Loops::Cut, ..Contracts::default() },
                ("check-loops", None) => Contracts { loops: Loops::Check, ..Contracts::default() },
                (word @ ("check" | "enforce" | "use" | "replace" | "ignore"), Some(function)) => {
                    let treatment = match word {
                        "check" => Treatment::Check,
                        "enforce" => Treatment::Enforce,
                        "ignore" => Treatment::Ignore,
                        _ => Treatment::Use,
                    };
                    Contracts { functions: vec![(function, treatment)], ..Contracts::default() }
                }
                _ => {
                    return Err(format!(
                        "`{wish}` is none of ignore, check, enforce, use, loop, check-loops, \
                         `check F`, `enforce F`, `use F` and `ignore F`"
                    ));
                }
            };
            contracts.add(one);
        }
        Ok(contracts)
    }
}

impl fmt::Display for Contracts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        for (name, treatment) in &self.functions {
            let word = match treatment {
                Treatment::Check => "check",
                Treatment::Enforce => "enforce",
                Treatment::Use => "use",
                Treatment::Ignore => "ignore",
            };
            parts.push(format!("{word} {name}"));
        }
        match self.loops {
            Loops::Ignore => {}
            Loops::Check => parts.push("check-loops".to_owned()),
            Loops::Cut => parts.push("loop".to_owned()),
        }
        if self.each {
            parts.push("each".to_owned());
        }
        if self.any_globals {
            parts.push("any globals".to_owned());
        }
        if self.satisfiable {
            parts.push("satisfiable".to_owned());
        }
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes() {
        for (text, expected) in [
            ("ignore", ""),
            ("check", "check *; check-loops"),
            ("enforce", "use *; loop; each"),
            ("use", "use *"),
            ("enforce f; replace *; loop", "enforce f; use *; loop"),
            ("use; ignore f", "use *; ignore f"),
        ] {
            assert_eq!(text.parse::<Contracts>().unwrap_or_default().to_string(), expected, "{text}");
        }
        assert!("prove f".parse::<Contracts>().is_err());
    }
}
