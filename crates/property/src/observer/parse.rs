//! Reading observers.
//!
//! ```text
//! observer   := 'observer' NAME ';' ['for' 'each' NAME {',' NAME} ';'] {state}
//! state      := ['initial'] 'state' NAME '{' {transition} '}'
//! transition := 'on' event ['with' CONDITION] 'goto' (STATE | 'error' [TEXT]) ';'
//! event      := 'call' F [patterns] | 'return' [pattern '='] F [patterns] ['from' STATE]
//!             | 'assign' X | 'at' 'label' L | 'exit'
//! patterns   := '(' [pattern {',' pattern}] ')'
//! pattern    := '_' | NAME | NUMBER
//! ```
//!
//! A condition is text of the program's language; it goes on to the word `goto`. The first mistake is reported.

use super::tokens::{Token, TokenKind, tokens};
use super::{Event, EventData, EventKind, Name, Observer, Pattern, State, StateData, Transition};
use base::{Diagnostic, FileId, PrimaryMap, Span};
use std::collections::BTreeSet;

/// The name of all states that are errors.
const ERROR: &str = "error";

/// Reads an observer.
pub fn parse(file: FileId, text: &str) -> Result<Observer, Diagnostic> {
    let tokens = tokens(file, text)?;
    let declared = declared_states(&tokens)?;
    let mut parser = Parser { text, tokens, at: 0, states: PrimaryMap::new(), events: PrimaryMap::new() };
    for name in declared {
        parser.states.push(StateData { name, error: None });
    }
    parser.observer()
}

/// States may be mentioned before they are declared.
fn declared_states(tokens: &[Token]) -> Result<Vec<String>, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    for pair in tokens.windows(3) {
        let [first, second, third] = pair else { continue };
        if let (TokenKind::Word(word), TokenKind::Word(name), TokenKind::Sign('{')) =
            (&first.kind, &second.kind, &third.kind)
            && word == "state"
        {
            if name == ERROR {
                return Err(Diagnostic::error(second.span, "the state `error` has no transitions"));
            }
            if names.contains(name) {
                return Err(Diagnostic::error(second.span, format!("there are two states `{name}`")));
            }
            names.push(name.clone());
        }
    }
    Ok(names)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    states: PrimaryMap<State, StateData>,
    events: PrimaryMap<Event, EventData>,
}

/// What stands behind `on`, up to the condition.
struct Seen {
    event: Event,
    arguments: Option<Vec<Pattern>>,
    result: Pattern,
    called_in: Option<State>,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match &self.token().kind {
            TokenKind::Word(word) | TokenKind::Number(word) => format!("`{word}`"),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the file".to_owned(),
        };
        Diagnostic::error(self.token().span, format!("expected {what}, found {found}"))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token().kind, TokenKind::Word(found) if found == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.token().kind == TokenKind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: char) -> Result<(), Diagnostic> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        match self.token().kind.clone() {
            TokenKind::Word(text) => Ok(Name { text, span: self.next().span }),
            _ => Err(self.expected(what)),
        }
    }

    fn observer(mut self) -> Result<Observer, Diagnostic> {
        self.word("observer")?;
        let name = self.name("the name of the observer")?.text;
        self.sign(';')?;
        let each = self.each()?;
        let mut transitions = Vec::new();
        let mut initial: Option<State> = None;
        let mut number = 0;
        while self.token().kind != TokenKind::End {
            let first = self.token().span;
            let is_initial = self.take_word("initial");
            self.word("state")?;
            self.name("the name of a state")?;
            let state: State = base::EntityRef::new(number);
            number += 1;
            if is_initial && initial.replace(state).is_some() {
                return Err(Diagnostic::error(first, "there are two initial states"));
            }
            self.sign('{')?;
            while !self.take_sign('}') {
                let transition = self.transition(state, &each)?;
                transitions.push(transition);
            }
        }
        if number == 0 {
            return Err(self.expected("a state"));
        }
        let Some(initial) = initial else {
            return Err(Diagnostic::error(self.token().span, "no state is initial"));
        };
        Ok(Observer { name, each, states: self.states, initial, events: self.events, transitions })
    }

    fn each(&mut self) -> Result<Vec<Name>, Diagnostic> {
        let mut names: Vec<Name> = Vec::new();
        if !self.take_word("for") {
            return Ok(names);
        }
        self.word("each")?;
        loop {
            let name = self.name("the name of a variable")?;
            if names.iter().any(|other| other.text == name.text) {
                return Err(Diagnostic::error(name.span, format!("`{}` stands here twice", name.text)));
            }
            names.push(name);
            if !self.take_sign(',') {
                self.sign(';')?;
                return Ok(names);
            }
        }
    }

    fn transition(&mut self, from: State, each: &[Name]) -> Result<Transition, Diagnostic> {
        let first = self.token().span;
        self.word("on")?;
        let Seen { event, arguments, result, called_in } = self.event()?;
        let condition = if self.take_word("with") { Some(self.condition()?) } else { None };
        self.word("goto")?;
        let to = self.target()?;
        let span = first.to(self.token().span);
        self.sign(';')?;
        let transition = Transition { from, event, arguments, result, called_in, condition, to, span };
        check_names(&transition, each)?;
        Ok(transition)
    }

    fn event(&mut self) -> Result<Seen, Diagnostic> {
        let span = self.token().span;
        let nothing = |event| Seen { event, arguments: None, result: Pattern::Any, called_in: None };
        if self.take_word("call") {
            let name = self.name("the name of a function")?;
            let event = self.known_event(EventKind::Call, name);
            return Ok(Seen { arguments: self.patterns()?, ..nothing(event) });
        }
        if self.take_word("return") {
            let mut result = Pattern::Any;
            let is_sign = |token: Option<&Token>| token.is_some_and(|it| it.kind == TokenKind::Sign('='));
            if is_sign(self.tokens.get(self.at + 1)) {
                result = self.pattern()?;
                self.sign('=')?;
            }
            let name = self.name("the name of a function")?;
            let event = self.known_event(EventKind::Return, name);
            let arguments = self.patterns()?;
            let called_in = if self.take_word("from") { Some(self.state()?) } else { None };
            return Ok(Seen { event, arguments, result, called_in });
        }
        if self.take_word("assign") {
            let name = self.name("the name of a global variable")?;
            return Ok(nothing(self.known_event(EventKind::Assign, name)));
        }
        if self.take_word("at") {
            self.word("label")?;
            let name = self.name("a label")?;
            return Ok(nothing(self.known_event(EventKind::Label, name)));
        }
        if self.take_word("fails") {
            let name = self.check()?;
            return Ok(nothing(self.known_event(EventKind::Fails, name)));
        }
        if self.take_word("exit") {
            return Ok(nothing(self.known_event(EventKind::Exit, Name { text: String::new(), span })));
        }
        Err(self.expected("`call`, `return`, `assign`, `at label`, `fails` or `exit`"))
    }

    /// The name of a check: words with hyphens between them.
    fn check(&mut self) -> Result<Name, Diagnostic> {
        let mut name = self.name("`assert` or the name of a check")?;
        while self.take_sign('-') {
            let part = self.name("the rest of the name of a check")?;
            name = Name { text: format!("{}-{}", name.text, part.text), span: name.span.to(part.span) };
        }
        Ok(name)
    }

    fn known_event(&mut self, kind: EventKind, name: Name) -> Event {
        let known = self.events.iter().find(|(_, event)| event.kind == kind && event.name == name.text);
        if let Some((event, _)) = known {
            return event;
        }
        self.events.push(EventData { kind, name: name.text, span: name.span })
    }

    fn patterns(&mut self) -> Result<Option<Vec<Pattern>>, Diagnostic> {
        if !self.take_sign('(') {
            return Ok(None);
        }
        let mut patterns = Vec::new();
        if self.take_sign(')') {
            return Ok(Some(patterns));
        }
        loop {
            patterns.push(self.pattern()?);
            if !self.take_sign(',') {
                self.sign(')')?;
                return Ok(Some(patterns));
            }
        }
    }

    fn pattern(&mut self) -> Result<Pattern, Diagnostic> {
        match self.token().kind.clone() {
            TokenKind::Word(word) if word == "_" => {
                self.next();
                Ok(Pattern::Any)
            }
            TokenKind::Word(text) => Ok(Pattern::Name(Name { text, span: self.next().span })),
            TokenKind::Number(text) => Ok(Pattern::Number(Name { text, span: self.next().span })),
            _ => Err(self.expected("a name, a number or `_`")),
        }
    }

    /// The text up to the word `goto`.
    fn condition(&mut self) -> Result<Name, Diagnostic> {
        let first = self.token().span;
        let mut last: Option<Span> = None;
        let mut open: Vec<char> = Vec::new();
        while !self.is_word("goto") {
            match self.token().kind {
                TokenKind::Sign('(') => open.push(')'),
                TokenKind::Sign('[') => open.push(']'),
                TokenKind::Sign(sign @ (')' | ']')) if open.pop() != Some(sign) => {
                    return Err(Diagnostic::error(self.token().span, "the brackets do not match"));
                }
                _ => {}
            }
            if matches!(self.token().kind, TokenKind::End | TokenKind::Sign(';' | '{' | '}')) {
                return Err(self.expected("a condition and `goto`"));
            }
            last = Some(self.next().span);
        }
        let Some(last) = last else { return Err(self.expected("a condition")) };
        if !open.is_empty() {
            return Err(Diagnostic::error(last, "the brackets do not match"));
        }
        let span = first.to(last);
        let text = self.text[span.start as usize..span.end as usize].to_owned();
        Ok(Name { text, span })
    }

    fn state(&mut self) -> Result<State, Diagnostic> {
        let name = self.name("the name of a state")?;
        let known = self.states.iter().find(|(_, state)| state.name == name.text && state.error.is_none());
        known
            .map(|(state, _)| state)
            .ok_or_else(|| Diagnostic::error(name.span, format!("there is no state `{}`", name.text)))
    }

    fn target(&mut self) -> Result<State, Diagnostic> {
        if !self.is_word(ERROR) {
            return self.state();
        }
        self.next();
        let message = match self.token().kind.clone() {
            TokenKind::Text(text) => {
                self.next();
                text
            }
            _ => "the observer reaches an error".to_owned(),
        };
        let error = StateData { name: ERROR.to_owned(), error: Some(message) };
        let known = self.states.iter().find(|(_, state)| **state == error).map(|(state, _)| state);
        Ok(known.unwrap_or_else(|| self.states.push(error)))
    }
}

/// No name may stand for two values.
fn check_names(transition: &Transition, each: &[Name]) -> Result<(), Diagnostic> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for pattern in transition.arguments.iter().flatten().chain([&transition.result]) {
        if let Pattern::Name(name) = pattern
            && !names.insert(&name.text)
            && !each.iter().any(|each| each.text == name.text)
        {
            return Err(Diagnostic::error(name.span, format!("`{}` names two values", name.text)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    fn read(text: &str) -> Result<Observer, String> {
        let mut sources = SourceMap::new();
        let file = sources.add("test.obs", text);
        parse(file, text).map_err(|mistake| {
            let place = sources.line_column(mistake.span);
            format!("{}:{}: {}", place.line, place.column, mistake.message)
        })
    }

    #[test]
    fn all_forms_are_read() {
        let observer = read(
            "// comment\nobserver all; for each m, n;\ninitial state a { on call f(m, _, 3) with x->y > 0 goto b; }\n\
             state b { on return n = g from a goto error \"no\"; on assign x goto a; on at label L goto a; on fails no-bad-shift goto a; on exit goto error; }",
        )
        .expect("it is an observer");
        assert_eq!(observer.events.len(), 6);
        assert_eq!(observer.transitions.len(), 6);
        assert_eq!(observer.states.len(), 4, "two states and two errors");
        let condition = observer.transitions[0].condition.as_ref().expect("it has a condition");
        assert_eq!(condition.text, "x->y > 0");
        assert!(observer.transitions[1].called_in.is_some());
    }

    #[test]
    fn mistakes_have_places() {
        for (text, message) in [
            ("", "1:1: expected `observer`, found the end of the file"),
            ("observer a;", "1:12: expected a state, found the end of the file"),
            ("observer a; state b { }", "1:24: no state is initial"),
            (
                "observer a;\ninitial state b { on f; }",
                "2:22: expected `call`, `return`, `assign`, `at label`, `fails` or `exit`, found `f`",
            ),
            ("observer a; initial state b { on exit goto c; }", "1:44: there is no state `c`"),
            ("observer a; initial state b { on call f(x, x) goto b; }", "1:44: `x` names two values"),
            (
                "observer a; initial state b { on exit with x; }",
                "1:45: expected a condition and `goto`, found `;`",
            ),
            (
                "observer a; initial state b { on exit with goto b; }",
                "1:44: expected a condition, found `goto`",
            ),
            ("observer a; initial state b { } initial state c { }", "1:33: there are two initial states"),
            ("observer a; initial state b { } state b { }", "1:39: there are two states `b`"),
            ("observer a; initial state error { }", "1:27: the state `error` has no transitions"),
            ("observer a; initial state b { on exit with x) goto b; }", "1:45: the brackets do not match"),
            ("observer a; initial state b { on exit with (x goto b; }", "1:45: the brackets do not match"),
            ("observer a; /* for", "1:13: the comment has no end"),
            ("observer a; for each m, m; initial state b { }", "1:25: `m` stands here twice"),
        ] {
            assert_eq!(read(text).expect_err("it has a mistake"), message, "{text}");
        }
    }
}
