//! Making a finding small: the delta debugger of Zeller and Hildebrandt, on the structure of programs.
//!
//! First whole blocks in braces are left out, with what stands before them in their line, then lines, then tokens; each in
//! chunks that become smaller, until nothing can be left out any more. Cost: the number of tries is bounded by [`TRIES`].

/// How often it is tried whether a smaller text is still a finding.
const TRIES: usize = 3000;

/// A smaller text for which the test still holds.
pub fn reduce(text: &str, test: impl Fn(&str) -> bool) -> String {
    let mut search = Search { test, left: TRIES };
    let mut small = text.to_owned();
    loop {
        let before = small.len();
        small = search.without_blocks(small);
        for split in [lines, tokens] {
            small = search.without_parts(small, split);
        }
        if small.len() == before || search.left == 0 {
            return small;
        }
    }
}

struct Search<F> {
    test: F,
    left: usize,
}

impl<F: Fn(&str) -> bool> Search<F> {
    fn holds(&mut self, text: &str) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        (self.test)(text)
    }

    /// Leaves out what stands from the beginning of a line to the brace that closes the one opened there; or keeps only what
    /// stands between the braces.
    fn without_blocks(&mut self, mut text: String) -> String {
        let mut from = 0;
        while let Some(open) = text[from..].find('{').map(|place| place + from) {
            from = open + 1;
            let Some(close) = closing(&text, open) else { continue };
            let begin = text[..open].rfind('\n').map_or(0, |place| place + 1);
            let without = format!("{}{}", &text[..begin], &text[close + 1..]);
            let unwrapped = format!("{}{}{}", &text[..begin], &text[open + 1..close], &text[close + 1..]);
            for smaller in [without, unwrapped] {
                if smaller.len() < text.len() && self.holds(&smaller) {
                    text = smaller;
                    from = begin;
                    break;
                }
            }
        }
        text
    }

    fn without_parts(&mut self, text: String, split: fn(&str) -> Vec<String>) -> String {
        let mut parts = split(&text);
        let mut size = parts.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < parts.len() {
                let end = (at + size).min(parts.len());
                let smaller: String = parts[..at].iter().chain(&parts[end..]).map(String::as_str).collect();
                if self.holds(&smaller) {
                    parts.drain(at..end);
                } else {
                    at = end;
                }
            }
            size /= 2;
        }
        parts.concat()
    }
}

fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (place, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(place),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Words and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in text.chars() {
        let is_word = character.is_alphanumeric() || character == '_';
        match tokens.last_mut() {
            Some(last) if is_word && in_word => last.push(character),
            _ => tokens.push(character.to_string()),
        }
        in_word = is_word;
    }
    tokens
}

#[test]
fn what_matters_is_left() {
    let text = "procedure a() {\n  x := 1;\n}\nprocedure main() {\n  if (x) {\n    while (y) {\n      assert bad;\n    }\n  }\n}\n";
    assert_eq!(reduce(text, |text| text.contains("bad")), "bad");
    let balanced =
        |text: &str| text.contains("bad") && text.matches('{').count() == text.matches('}').count();
    assert_eq!(reduce(text, |text| balanced(text) && text.contains("while")).trim(), "while{bad}");
}
