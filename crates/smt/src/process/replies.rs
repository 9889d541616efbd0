//! Cuts the output of a solver into replies.
//!
//! A reply is one S-expression: an atom, a string, a `|quoted symbol|`, or a balanced list. White space and
//! `;` comments between replies are dropped. The cutter is fed as bytes arrive and looks at every byte
//! once, whatever the chunks.
//!
//! It does not judge a reply; it only refuses what can never become one: a closing parenthesis too many.

/// The state between two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Between,
    Atom,
    List,
    /// Inside `"…"`. A doubled quote is an escaped one, which needs no care: it closes and opens again.
    Text,
    /// Inside `|…|`.
    Quoted,
    Comment,
}

/// Cuts a byte stream into replies.
#[derive(Debug)]
pub struct ReplyCutter {
    mode: Mode,
    depth: usize,
    current: Vec<u8>,
}

/// A closing parenthesis came where no list was open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unbalanced;

impl ReplyCutter {
    /// At the start of the stream.
    pub fn new() -> ReplyCutter {
        ReplyCutter { mode: Mode::Between, depth: 0, current: Vec::new() }
    }

    /// How many bytes belong to a reply that is not complete yet.
    pub fn pending(&self) -> usize {
        self.current.len()
    }

    /// The incomplete reply, for messages.
    pub fn unfinished(&self) -> &[u8] {
        &self.current
    }

    /// Takes the next bytes and appends the replies that they complete to `out`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Vec<u8>>) -> Result<(), Unbalanced> {
        bytes.iter().try_for_each(|&byte| self.step(byte, out))
    }

    fn step(&mut self, byte: u8, out: &mut Vec<Vec<u8>>) -> Result<(), Unbalanced> {
        match self.mode {
            Mode::Comment => {
                if byte == b'\n' {
                    self.mode = if self.depth > 0 { Mode::List } else { Mode::Between };
                }
                return Ok(());
            }
            Mode::Text | Mode::Quoted => {
                self.current.push(byte);
                let closing = if self.mode == Mode::Text { b'"' } else { b'|' };
                if byte == closing {
                    // At top level this ends like an atom, at the next delimiter, so that a doubled quote stays inside.
                    self.mode = if self.depth > 0 { Mode::List } else { Mode::Atom };
                }
                return Ok(());
            }
            Mode::Between | Mode::Atom | Mode::List => {}
        }
        match byte {
            b'"' | b'|' => {
                self.current.push(byte);
                self.mode = if byte == b'"' { Mode::Text } else { Mode::Quoted };
            }
            b';' => {
                self.end_atom(out);
                self.mode = Mode::Comment;
            }
            b'(' => {
                self.end_atom(out);
                self.depth += 1;
                self.current.push(byte);
                self.mode = Mode::List;
            }
            b')' => {
                self.end_atom(out);
                self.depth = self.depth.checked_sub(1).ok_or(Unbalanced)?;
                self.current.push(byte);
                if self.depth == 0 {
                    out.push(std::mem::take(&mut self.current));
                    self.mode = Mode::Between;
                }
            }
            _ if byte.is_ascii_whitespace() => {
                self.end_atom(out);
                if self.depth > 0 {
                    self.current.push(b' ');
                }
            }
            _ => {
                self.current.push(byte);
                if self.depth == 0 {
                    self.mode = Mode::Atom;
                }
            }
        }
        Ok(())
    }

    /// Completes an atom at top level. Inside a list nothing is to be done.
    fn end_atom(&mut self, out: &mut Vec<Vec<u8>>) {
        if self.mode == Mode::Atom {
            out.push(std::mem::take(&mut self.current));
            self.mode = Mode::Between;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Result<Vec<String>, Unbalanced> {
        let mut out = Vec::new();
        ReplyCutter::new().feed(text.as_bytes(), &mut out)?;
        Ok(out.into_iter().map(|reply| String::from_utf8(reply).expect("the input is a string")).collect())
    }

    #[test]
    fn replies_are_cut_at_top_level() {
        let cases: &[(&str, &[&str])] = &[
            ("sat\n", &["sat"]),
            ("sat", &[]),
            ("sat\nunsat (a (b) c)x ", &["sat", "unsat", "(a (b) c)", "x"]),
            ("(error \"line 1 ) \"\"(\")\n", &["(error \"line 1 ) \"\"(\")"]),
            ("\"a \"\" b\"\n", &["\"a \"\" b\""]),
            ("(|a ) b| |;|)", &["(|a ) b| |;|)"]),
            ("; note ) \nsat;\n(a ; (\n b)", &["sat", "(a  b)"]),
            ("()()", &["()", "()"]),
        ];
        for (text, replies) in cases {
            assert_eq!(cut(text).expect("it is balanced"), *replies, "{text}");
        }
        assert_eq!(cut("sat )"), Err(Unbalanced));
    }

    proptest! {
        #[test]
        fn the_chunks_do_not_matter(text in r#"[a-c()"|; \n]{0,40}"#, at in 0usize..40) {
            let at = at.min(text.len());
            let (whole, mut parts) = (cut(&text), Vec::new());
            let mut cutter = ReplyCutter::new();
            let fed = cutter.feed(&text.as_bytes()[..at], &mut parts)
                .and_then(|()| cutter.feed(&text.as_bytes()[at..], &mut parts));
            match whole {
                Ok(whole) => {
                    prop_assert_eq!(fed, Ok(()));
                    let parts: Vec<_> = parts.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
                    prop_assert_eq!(whole, parts);
                }
                Err(unbalanced) => prop_assert_eq!(fed, Err(unbalanced)),
            }
        }
    }
}
