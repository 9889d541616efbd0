//! Names of symbols, functions and sorts in SMT-LIB text.
//!
//! A name is written as it is if SMT-LIB allows that, between bars if not, and escaped if even bars do not help:
//! `|and|` is the symbol `and`, which no solver lets us declare. An escaped name is `%` and the name with the
//! offending characters as `%` and hexadecimal digits. [`decode`] is the inverse of [`encode`], and gives every other
//! name back as it is.

use super::sexpr::is_symbol_byte;
use std::fmt::Write;

/// Words that have a meaning in SMT-LIB, and functions that widespread solvers have built in.
const TAKEN: &[&str] = &[
    "!",
    "_",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "lambda",
    "choice",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
    "Bool",
    "Int",
    "Real",
    "Array",
    "BitVec",
    "String",
    "RegLan",
    "Seq",
    "Set",
    "Bag",
    "Tuple",
    "Relation",
    "RoundingMode",
    "FloatingPoint",
    "Float16",
    "Float32",
    "Float64",
    "Float128",
    "List",
    "Pair",
    "Unicode",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "if",
    "iff",
    "implies",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    ">",
    ">=",
    "^",
    "^0",
    "/0",
    "div0",
    "mod0",
    "rem0",
    "**",
    "div",
    "mod",
    "rem",
    "abs",
    "divisible",
    "to_real",
    "to_int",
    "is_int",
    "pi",
    "euler",
    "exp",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "csc",
    "sec",
    "cot",
    "asin",
    "acos",
    "atan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "iand",
    "select",
    "store",
    "const",
    "map",
    "default",
    "as-array",
    "array-ext",
    "union",
    "intersection",
    "intersect",
    "setminus",
    "complement",
    "subset",
    "member",
    "card",
    "singleton",
    "insert",
    "tuple",
    "mkTuple",
    "emptyset",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "ext_rotate_left",
    "ext_rotate_right",
    "bit0",
    "bit1",
    "bit2bool",
    "nat2bv",
    "int2bv",
    "bv2nat",
    "bv2int",
    "int_to_bv",
    "ubv_to_int",
    "sbv_to_int",
    "to_fp",
    "fp",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "NaN",
    "cons",
    "nil",
    "head",
    "tail",
    "mk-pair",
    "first",
    "second",
    "is",
    "update-field",
    "sep",
    "emp",
    "pto",
    "wand",
    "ff",
    "proof",
    "interp",
];

/// The beginnings of families of built-in functions.
const TAKEN_PREFIXES: &[&str] = &[
    "bv", "fp.", "float.", "str.", "re.", "seq.", "set.", "bag.", "rel.", "int.", "real.", "ff.", "tuple.",
    "sep.", "@", ".",
];

fn must_escape(name: &str) -> bool {
    name.is_empty()
        || name.contains(|c: char| matches!(c, '|' | '\\') || c.is_control())
        || TAKEN.contains(&name)
        || TAKEN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || unescape(name).is_some()
}

fn escape(name: &str) -> String {
    let mut escaped = String::from("%");
    for character in name.chars() {
        if matches!(character, '|' | '\\' | '%') || character.is_control() {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                write!(escaped, "%{byte:02x}").expect("writing to a string succeeds");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// The name of which this is the escaped form, if it is one.
fn unescape(text: &str) -> Option<String> {
    let rest = text.strip_prefix('%')?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let byte = match byte {
            b'%' => {
                let digits = [left.next()?, left.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => byte,
        };
        bytes.push(byte);
    }
    let name = String::from_utf8(bytes).ok()?;
    (must_escape(&name) && escape(&name) == text).then_some(name)
}

/// How a name is written.
pub fn encode(name: &str) -> String {
    let name = if must_escape(name) { escape(name) } else { name.to_owned() };
    let plain = name.bytes().all(is_symbol_byte) && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name } else { format!("|{name}|") }
}

/// The name that the content of a symbol stands for.
pub fn decode(symbol: &str) -> String {
    unescape(symbol).unwrap_or_else(|| symbol.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_quoted_and_escaped_as_far_as_needed() {
        let cases = [
            ("x", "x"),
            ("x!1", "x!1"),
            ("old(x)", "|old(x)|"),
            ("1", "|1|"),
            ("é", "|é|"),
            ("", "%"),
            ("and", "%and"),
            ("%and", "%%25and"),
            ("%other", "%other"),
            ("a|b", "%a%7cb"),
            ("a\n(", "|%a%0a(|"),
            (".x", "%.x"),
            ("bvadd", "%bvadd"),
        ];
        for (name, text) in cases {
            assert_eq!(encode(name), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(name in "(%)*(and|%|25|7c|[a-z|\\\\\n é]){0,4}") {
            let text = encode(&name);
            let content = text.strip_prefix('|').and_then(|t| t.strip_suffix('|')).unwrap_or(&text);
            prop_assert_eq!(decode(content), name);
        }
    }
}
