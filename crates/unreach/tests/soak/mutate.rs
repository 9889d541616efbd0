//! Changing texts: anywhere and anyhow for readers, in one operator or number for programs.

use base::Random;

/// Things that readers trip over.
const TRAPS: &[&str] = &[
    "0",
    "-1",
    "1",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999999999999999",
    "1e999",
    "0x",
    "0b",
    "'",
    "\"",
    "\\",
    "\u{0}",
    "\u{feff}",
    "é",
    "𝄞",
    "/*",
    "*/",
    "//",
    "#",
    "##",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "::",
    "<",
    ">",
    "=",
    "==",
    "&&",
    "||",
    "!",
    "?",
    "*",
    "-",
    "--",
    "+",
    "%",
    "div",
    "mod",
    "old(",
    "forall",
    "exists",
    "true",
    "false",
    "null",
    "\n",
    "\r\n",
    "\t",
    "...",
    "bv0",
    "bv1",
    "bv99999",
    "[0:0]",
    "[9999999:0]",
    "goto",
    "return",
    "break",
    "sizeof",
    "struct {",
    "typedef",
    "#include \"x\"",
    "#define A A",
    "#if",
    "_Generic(",
    "__attribute__((",
    "|",
    "(assert",
    "(check-sat)",
    "- ",
    ": ",
    "&a",
    "*a",
    "!!",
    "~",
    "\"\"",
    "{}",
    "[]",
];

/// The text with a few changes.
pub fn broken(text: &str, other: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        change(&mut characters, other, random);
    }
    characters.into_iter().collect()
}

fn change(text: &mut Vec<char>, other: &str, random: &mut Random) {
    let at = random.below(text.len() + 1);
    let length = random.below(1 + (text.len() - at).min(40));
    match random.below(9) {
        0 => drop(text.drain(at..at + length)),
        1 => {
            let part: Vec<char> = text[at..at + length].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, part);
        }
        2 | 3 => {
            let trap = random.pick(TRAPS);
            text.splice(at..at, trap.chars());
        }
        4 => {
            let trap = random.pick(TRAPS);
            text.splice(at..at + length.min(5), trap.chars());
        }
        5 => {
            let trap = random.pick(TRAPS).repeat(1 + random.below(600));
            text.splice(at..at, trap.chars());
        }
        6 => text.truncate(at),
        7 => {
            let other: Vec<char> = other.chars().collect();
            let from = random.below(other.len() + 1);
            let until = from + random.below(1 + (other.len() - from).min(200));
            text.splice(at..at, other[from..until].iter().copied());
        }
        _ => {
            if let Some(character) = text.get_mut(at) {
                *character = char::from_u32(random.number(0x300) as u32).unwrap_or(' ');
            }
        }
    }
}

/// Operators that can stand in each other's place.
const FAMILIES: &[&[&str]] =
    &[&["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["&&", "||"], &["&", "|", "^"], &["<<", ">>"]];

/// The text with one operator or one number changed; nothing if there is none.
pub fn neighbour(text: &str, random: &mut Random) -> Option<String> {
    let places = places(text);
    if places.is_empty() {
        return None;
    }
    let place = &places[random.below(places.len())];
    let old = &text[place.clone()];
    let new = match FAMILIES.iter().find(|family| family.contains(&old)) {
        Some(family) => random.pick(family).to_owned(),
        None => {
            let number: i128 = old.parse().ok()?;
            [number + 1, (number - 1).max(0), 0, number * 2][random.below(4)].to_string()
        }
    };
    (new != old).then(|| format!("{}{new}{}", &text[..place.start], &text[place.end..]))
}

/// Where operators and numbers stand, outside of comments, strings and lines of the preprocessor.
fn places(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let end_of_line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        match rest[0] {
            b'/' if rest.starts_with(b"//") => at += end_of_line,
            b'#' => at += end_of_line,
            b'/' if rest.starts_with(b"/*") => {
                at += rest.windows(2).position(|two| two == b"*/").map_or(rest.len(), |place| place + 2);
            }
            quote @ (b'"' | b'\'') => {
                let mut length = 1;
                while length < rest.len() && rest[length] != quote && rest[length] != b'\n' {
                    length += 1 + usize::from(rest[length] == b'\\');
                }
                at += (length + 1).min(rest.len());
            }
            first if first.is_ascii_alphanumeric() || first == b'_' => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
                let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
                if rest[..length].iter().all(u8::is_ascii_digit) {
                    places.push(at..at + length);
                }
                at += length;
            }
            _ => {
                let length = operator_length(rest);
                if FAMILIES.iter().flat_map(|family| *family).any(|word| word.as_bytes() == &rest[..length]) {
                    places.push(at..at + length);
                }
                at += length;
            }
        }
    }
    places.retain(|place| text.is_char_boundary(place.start) && text.is_char_boundary(place.end));
    places
}

/// How long the operator is that a text begins with; 1 if it is none.
fn operator_length(text: &[u8]) -> usize {
    const LONG: &[&str] = &[
        "<==>", "==>", "<==", "<<=", ">>=", ":=", "::", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++",
        "--", "+=", "-=", "->", "<:", "&=", "|=", "^=",
    ];
    LONG.iter().find(|word| text.starts_with(word.as_bytes())).map_or(1, |word| word.len())
}

#[test]
fn operators_and_numbers_are_found() {
    let text = "x := y + 12; // a < 3\nif (a == b1) { \"<\" } ==> x++";
    let found: Vec<&str> = places(text).into_iter().map(|place| &text[place]).collect();
    assert_eq!(found, ["+", "12", "=="]);
}
