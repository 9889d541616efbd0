//! Patterns of names: `*` is any text, `?` one character, `[a-c]` one of some.

/// Whether a name has the form of a pattern. Cost: the product of the lengths.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Which beginnings of the name the pattern so far stands for.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let mut next = vec![false; name.len() + 1];
        if pattern[at] == '*' {
            let mut any = false;
            for (place, was) in reached.iter().enumerate() {
                any |= was;
                next[place] = any;
            }
            at += 1;
        } else {
            let (length, one) = one_character(&pattern[at..]);
            for place in 0..name.len() {
                next[place + 1] = reached[place] && one.fits(name[place]);
            }
            at += length;
        }
        reached = next;
    }
    reached[name.len()]
}

/// Whether a text is a pattern and not just a name.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

enum One<'a> {
    Any,
    Just(char),
    Of { members: &'a [char], negated: bool },
}

impl One<'_> {
    fn fits(&self, character: char) -> bool {
        match self {
            One::Any => true,
            One::Just(own) => *own == character,
            One::Of { members, negated } => {
                let mut found = false;
                let mut rest = *members;
                while let [first, ..] = rest {
                    if let [low, '-', high, ..] = rest {
                        found |= (*low..=*high).contains(&character);
                        rest = &rest[3..];
                    } else {
                        found |= *first == character;
                        rest = &rest[1..];
                    }
                }
                found != *negated
            }
        }
    }
}

/// What a pattern begins with, and how long that is.
fn one_character(pattern: &[char]) -> (usize, One<'_>) {
    match pattern[0] {
        '?' => (1, One::Any),
        '[' => {
            let negated = matches!(pattern.get(1), Some('!' | '^'));
            let start = 1 + usize::from(negated);
            // A bracket in the first place is a member.
            let end = pattern.iter().skip(start + 1).position(|&c| c == ']').map(|at| at + start + 1);
            match end {
                Some(end) => (end + 1, One::Of { members: &pattern[start..end], negated }),
                None => (1, One::Just('[')),
            }
        }
        other => (1, One::Just(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_as_shells_read_them() {
        for (pattern, name, fits) in [
            ("*.yml", "a.yml", true),
            ("*.yml", "a.yaml", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("[a-c]*", "bx", true),
            ("[!a-c]*", "bx", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("[", "[", true),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_do_not_take_forever() {
        assert!(!matches(&"*a".repeat(50), &"a".repeat(49)));
    }
}
