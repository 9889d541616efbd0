//! Products and quotients of complex numbers, for each of the three floating types (C11 G.5.1).
//!
//! Products are those of annex G. The standard leaves open how quotients are rounded; these are gcc's (since version 12):
//! of `float`, straight with `double`; else by Smith's method with scaling as M. Baudin and R. Smith improved it ("A robust
//! complex division in Scilab", 2012).

/// A floating type: its name, the letter in the names of its functions, the suffix of `copysign`, the prefix of its limits.
struct Kind {
    name: &'static str,
    letter: &'static str,
    suffix: &'static str,
    limits: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { name: "float", letter: "s", suffix: "f", limits: "__FLT" },
    Kind { name: "double", letter: "d", suffix: "", limits: "__DBL" },
    Kind { name: "long double", letter: "x", suffix: "l", limits: "__LDBL" },
];

/// The functions in C.
pub fn text() -> String {
    let mut out = String::new();
    for kind in KINDS {
        let quotient = match kind.name {
            "float" => include_str!("complex_wide_quotient.c"),
            _ => include_str!("complex_quotient.c"),
        };
        let template = [include_str!("complex_multiply.c"), include_str!("complex_divide.c")].concat();
        out += &template
            .replace("QUOTIENT", quotient)
            .replace("MULTIPLY", &format!("__mul{}c3", kind.letter))
            .replace("DIVIDE", &format!("__div{}c3", kind.letter))
            .replace("COPYSIGN", &format!("__builtin_copysign{}", kind.suffix))
            .replace("LIMIT", kind.limits)
            .replace("FLOATING", kind.name);
    }
    out
}
