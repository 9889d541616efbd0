//! What the command line of a C compiler says besides the name of the file.

use crate::DataModel;
use std::path::PathBuf;

/// What a C program is besides its first file.
#[derive(Clone, Debug, Default)]
pub struct CSettings {
    /// The sizes of types.
    pub data_model: DataModel,
    /// What must not happen besides the property.
    pub checks: c::Checks,
    /// What functions without a body do to what they are given.
    pub bodyless: c::Bodyless,
    /// Where the text begins in the first file that was made to call a function of it.
    pub made_from: Option<u32>,
    /// What may fail that works otherwise.
    pub may_fail: c::MayFail,
    /// Whether signed arithmetic wraps around, as gcc's does with `-fwrapv`. Otherwise an execution ends with an overflow,
    /// or the overflow is an error if it is checked.
    pub wrap: bool,
    /// More files: names and texts.
    pub more: Vec<(String, String)>,
    /// Files with models of functions, see [`crate::models`]: names and texts.
    pub models: Vec<(String, String)>,
    /// The function that the program begins with, with arbitrary arguments; `main` if none is named.
    pub entry: Option<String>,
    /// Folders with files that the program includes.
    pub include: Vec<PathBuf>,
    /// Folders that no included file may lie outside of; if none is named, they may lie anywhere.
    pub include_within: Vec<PathBuf>,
    /// Files that an external preprocessor has included.
    pub included: Vec<Included>,
    /// Macros that are defined, as `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The version of C, as `c99`, `gnu11` or `c23`; gnu17 if none is named.
    pub standard: Option<String>,
    /// What is done with contracts of functions and loops.
    pub contracts: c::Contracts,
}

/// A file that an external preprocessor has included, as it left it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Included {
    /// What the program includes in its place.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl CSettings {
    /// What a signed overflow does that is not checked.
    pub(crate) fn overflow(&self) -> c::SignedOverflow {
        if self.wrap { c::SignedOverflow::Wraps } else { c::SignedOverflow::Ends }
    }

    fn standard(&self) -> &str {
        self.standard.as_deref().unwrap_or("gnu17")
    }

    /// The directives that they mean to the built-in preprocessor.
    pub(crate) fn definitions(&self) -> String {
        let mut text = version(self.standard()).to_owned();
        if !self.standard().starts_with("gnu") {
            text.push_str("#define __STRICT_ANSI__ 1\n#undef unix\n#undef linux\n#undef i386\n");
        }
        for definition in &self.define {
            let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
            text.push_str(&format!("#define {name} {value}\n"));
        }
        text
    }

    /// The options that they mean to a compiler.
    pub(crate) fn compiler_options(&self) -> Vec<String> {
        let model = match self.data_model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        };
        let mut options = vec![model.to_owned(), format!("-std={}", self.standard())];
        options.extend(self.include.iter().map(|folder| format!("-I{}", folder.display())));
        options.extend(self.define.iter().map(|definition| format!("-D{definition}")));
        options
    }
}

/// The directives that make a version of C.
fn version(standard: &str) -> &'static str {
    match standard.trim_start_matches("gnu").trim_start_matches("iso").trim_start_matches(['c', ':']) {
        "89" | "90" | "9899:1990" => "#undef __STDC_VERSION__\n",
        "99" | "9x" => "#undef __STDC_VERSION__\n#define __STDC_VERSION__ 199901L\n",
        "11" | "1x" => "#undef __STDC_VERSION__\n#define __STDC_VERSION__ 201112L\n",
        "23" | "2x" | "2y" => {
            "#undef __STDC_VERSION__\n#define __STDC_VERSION__ 202311L\n#define bool _Bool\n\
             #define true ((_Bool)1)\n#define false ((_Bool)0)\n#define static_assert _Static_assert\n\
             #define alignas _Alignas\n#define alignof _Alignof\n#define thread_local _Thread_local\n\
             #define nullptr ((void *)0)\n"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_as_compilers_read_them() {
        let define = vec!["A".to_owned(), "B=2".to_owned()];
        let settings = CSettings { define, standard: Some("c99".to_owned()), ..CSettings::default() };
        let text = settings.definitions();
        assert!(text.contains("#define A 1\n#define B 2\n"), "{text}");
        assert!(text.contains("199901L") && text.contains("__STRICT_ANSI__"), "{text}");
    }
}
