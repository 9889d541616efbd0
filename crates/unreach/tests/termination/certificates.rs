//! Mutated certificates are refused, or still prove what they say.
//!
//! Every certificate is changed in one place at a time: a number, a sign, a comparison, a variable, a missing node. A changed
//! certificate of a program that does not end must never be accepted as a proof, and the other way round; and a change
//! that leaves the evidence right is rare.

use crate::{Ends, decide, ends};
use base::Budget;
use base::Random;
use certify::Subject;
use certify::termination::check_termination;
use certify::termination::format::{Read, read};
use certify::termination::recurrence::check_recurrence;
use logic::Terms;
use smt::z3::Z3;
use unreach::{Answer, Problem};

const ENDING: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { x := x - 1; havoc y; } else { y := y - 1; }
  }
}";

const COUNTING: &str = "procedure main(n: int) {
  var i, j: int;
  i := 0;
  while (i < n) {
    j := i;
    while (j < n) { j := j + 2; }
    i := i + 1;
  }
}";

const GOING_ON: &str = "procedure main() {
  var x, y: int;
  assume x >= 1;
  y := 3;
  while (x > 0) { x := x + y; }
}";

/// Its calls are unfolded, so the certificate lists activations.
const CALLING: &str = "var n: int;
procedure lower(by: int) returns (left: int) modifies n; {
  var x: int;
  assume x >= by;
  n := n - x;
  left := n;
}
procedure main() modifies n; {
  var x, y: int;
  while (x > 0) {
    call x := lower(1);
    call y := lower(x - x);
  }
}";

const CALLING_FOR_EVER: &str = "procedure next(x: int) returns (y: int) {
  var i: int;
  assume i >= 0;
  y := x + i;
}
procedure main() {
  var x: int;
  call x := next(2);
  while (x > 1) { call x := next(x); }
}";

/// Its calls stay.
const RECURSIVE: &str = "procedure down(i: int) {
  if (i > 0) { call down(i - 1); call down(i - 2); }
}
procedure main(i: int) { call down(i); }";

/// No rank fits the loop, so modules cover its traces.
const TRADING: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 1; } else { x, y := y - 2, x + 1; }
  }
}";

const PROGRAMS: [(&str, Ends); 7] = [
    (ENDING, Ends::Always),
    (COUNTING, Ends::Always),
    (GOING_ON, Ends::NotAlways),
    (CALLING, Ends::Always),
    (CALLING_FOR_EVER, Ends::NotAlways),
    (RECURSIVE, Ends::Always),
    (TRADING, Ends::Always),
];

/// The text of the certificate of a program.
fn certificate(program: &str, truth: Ends) -> String {
    let decision = decide(Problem::boogie("program.bpl", program), true);
    assert_eq!(ends(&decision), truth);
    let text = match &decision.answer {
        Answer::Terminates(found) => found.certificate.clone(),
        Answer::Infinite(found) => found.certificate.clone(),
        _ => None,
    };
    text.expect("a certificate was wanted")
}

/// What a certificate proves about a program, if it is accepted.
fn checked(program: &str, text: &str) -> Option<Ends> {
    let mut sources = base::SourceMap::new();
    let file = sources.add("program.bpl", program.to_owned());
    let source = boogie::compile(file, program).expect("the program has no mistakes").program;
    let mut terms = Terms::new();
    let subject = Subject::new(&source, &mut terms).expect("logic can express it");
    let budget = Budget::unlimited();
    let mut session = Z3::new(&budget).session();
    let (read, endless) = read((&source, &subject), text, &mut terms).ok()?;
    match read {
        Read::Termination(found) => {
            check_termination(&endless, &found, &mut terms, &mut session, &budget).ok().map(|_| Ends::Always)
        }
        Read::Recurrence(found) => {
            check_recurrence((&source, &endless), &found, &mut terms, &mut session, &budget)
                .ok()
                .map(|_| Ends::NotAlways)
        }
    }
}

/// The text with one change, in what comes behind the digest.
fn mutated(text: &str, random: &mut Random) -> String {
    let begin =
        text.find("\"program\"").and_then(|at| text[at..].find('\n').map(|end| at + end)).expect("a digest");
    let (head, body) = text.split_at(begin);
    let mut characters: Vec<char> = body.chars().collect();
    let digits: Vec<usize> = (0..characters.len()).filter(|&at| characters[at].is_ascii_digit()).collect();
    let changed: String = match random.below(5) {
        0 | 1 if !digits.is_empty() => {
            let at = digits[random.below(digits.len())];
            let digit = characters[at].to_digit(10).expect("a digit");
            characters[at] =
                char::from_digit((digit + 1 + random.below(9) as u32) % 10, 10).expect("a digit");
            characters.into_iter().collect()
        }
        2 => replaced(
            body,
            &[("(+ ", "(- "), ("<=", ">="), ("(- ", "(+ "), ("(and ", "(or "), ("(* ", "(+ ")],
            random,
        ),
        3 => replaced(body, &[("x", "y"), ("y", "x"), ("i", "j"), ("j", "i"), ("n", "i")], random),
        _ => {
            // A line less.
            let lines: Vec<&str> = body.lines().collect();
            let gone = random.below(lines.len());
            let kept: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line).collect();
            kept.join("\n")
        }
    };
    format!("{head}{changed}")
}

/// One occurrence of one of the words replaced by another.
fn replaced(text: &str, words: &[(&str, &str)], random: &mut Random) -> String {
    let (from, to) = words[random.below(words.len())];
    let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let at = places[random.below(places.len())];
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

/// How many of so many mutated certificates were accepted although they were changed.
fn accepted(mutations: usize, seed: u64) -> usize {
    let originals: Vec<String> =
        PROGRAMS.iter().map(|&(program, truth)| certificate(program, truth)).collect();
    let mut random = Random::new(seed);
    let mut accepted = 0;
    for number in 0..mutations {
        let which = number % PROGRAMS.len();
        let text = mutated(&originals[which], &mut random);
        if text == originals[which] {
            continue;
        }
        let (program, truth) = PROGRAMS[which];
        if let Some(proven) = checked(program, &text) {
            assert_eq!(proven, truth, "a wrong certificate was accepted:\n{text}");
            accepted += 1;
        }
    }
    accepted
}

#[test]
fn certificates_are_accepted_as_they_are_written() {
    for (program, truth) in PROGRAMS {
        assert_eq!(checked(program, &certificate(program, truth)), Some(truth));
    }
}

#[test]
fn certificates_of_another_program_are_refused() {
    let text = certificate(ENDING, Ends::Always);
    assert_eq!(checked(COUNTING, &text), None);
}

#[test]
fn mutated_certificates_prove_nothing_wrong() {
    // Some changes leave the evidence right: a larger constant in a rank, say.
    let accepted = accepted(150, 3);
    assert!(accepted < 75, "{accepted} of 150 mutated certificates were accepted");
}

#[test]
#[ignore = "takes minutes"]
fn five_thousand_mutated_certificates() {
    let accepted = accepted(5_000, 4);
    assert!(accepted < 2_500, "{accepted} of 5000 mutated certificates were accepted");
}
