//! Automata against the meaning of formulas, on all short words and on random formulas, in both directions.

use property::ltl::{Automaton, BadPrefixes, Formula, Formulas, parse};
use proptest::prelude::*;

/// How a random formula is built: operators over two atoms.
fn build(formulas: &mut Formulas, code: &[u8], position: &mut usize, depth: u32) -> Formula {
    let byte = code.get(*position).copied().unwrap_or(0);
    *position += 1;
    let kind = if depth == 0 { byte % 3 } else { byte % 10 };
    match kind {
        0 => formulas.atom("a"),
        1 => formulas.atom("b"),
        2 => {
            let atom = formulas.atom("a");
            formulas.not(atom)
        }
        3..=6 => {
            let left = build(formulas, code, position, depth - 1);
            let right = build(formulas, code, position, depth - 1);
            match kind {
                3 => formulas.and(left, right),
                4 => formulas.or(left, right),
                5 => formulas.until(left, right),
                _ => formulas.release(left, right),
            }
        }
        7 => {
            let inner = build(formulas, code, position, depth - 1);
            formulas.next(inner)
        }
        8 => {
            let (always, inner) = (formulas.constant(true), build(formulas, code, position, depth - 1));
            formulas.until(always, inner)
        }
        _ => {
            let (never, inner) = (formulas.constant(false), build(formulas, code, position, depth - 1));
            formulas.release(never, inner)
        }
    }
}

/// All words over the atoms with so many letters before the cycle and in it.
fn words(stem: usize, cycle: usize) -> impl Iterator<Item = (Vec<Vec<bool>>, Vec<Vec<bool>>)> {
    let letter = |bits: usize| vec![bits & 1 == 1, bits & 2 == 2];
    (0..4_usize.pow(u32::try_from(stem + cycle).expect("short words"))).map(move |word| {
        let letters: Vec<Vec<bool>> =
            (0..stem + cycle).map(|position| letter(word >> (2 * position) & 3)).collect();
        (letters[..stem].to_vec(), letters[stem..].to_vec())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn an_automaton_accepts_what_its_formula_says(code in proptest::collection::vec(any::<u8>(), 1..24)) {
        let mut formulas = Formulas::default();
        formulas.atom("a");
        formulas.atom("b");
        let formula = build(&mut formulas, &code, &mut 0, 4);
        let negation = formulas.not(formula);
        let (Some(yes), Some(no)) = (Automaton::of(&formulas, formula), Automaton::of(&formulas, negation)) else {
            return Ok(());
        };
        for (stem, cycle) in [(0, 1), (1, 1), (0, 2), (1, 2)] {
            for (stem, cycle) in words(stem, cycle) {
                let holds = formulas.holds(formula, &stem, &cycle);
                prop_assert_eq!(yes.accepts(&stem, &cycle), holds, "{:?}", (&stem, &cycle));
                prop_assert_eq!(no.accepts(&stem, &cycle), !holds, "{:?}", (&stem, &cycle));
            }
        }
    }
}

/// Whether an automaton of bad beginnings comes to its error on a word that goes on for ever.
fn errs(automaton: &BadPrefixes, stem: &[Vec<bool>], cycle: &[Vec<bool>]) -> bool {
    let rounds = automaton.steps.len() + 1;
    let letters = stem.iter().chain(std::iter::repeat_n(cycle, rounds).flatten());
    letters.fold(0, |state, letter| automaton.after(state, letter)) == automaton.error
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn bad_beginnings_are_what_violates_a_safety_formula(code in proptest::collection::vec(any::<u8>(), 1..16)) {
        let mut formulas = Formulas::default();
        formulas.atom("a");
        formulas.atom("b");
        let formula = build(&mut formulas, &code, &mut 0, 3);
        let Some(automaton) = BadPrefixes::of(&formulas, formula) else { return Ok(()) };
        for (stem, cycle) in [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)] {
            for (stem, cycle) in words(stem, cycle) {
                let holds = formulas.holds(formula, &stem, &cycle);
                prop_assert_eq!(errs(&automaton, &stem, &cycle), !holds, "{:?}", (&stem, &cycle));
                // No later letter can mend a beginning that is called bad.
                let state = stem.iter().fold(0, |state, letter| automaton.after(state, letter));
                prop_assert!(state != automaton.error || !holds);
                // The last letter is read often enough when a word has come to its end.
                if cycle.len() == 1 {
                    let read = (0..automaton.rounds).fold(state, |state, _| automaton.after(state, &cycle[0]));
                    prop_assert_eq!(read == automaton.error, !holds, "{:?}", (&stem, &cycle));
                }
                // Without `X`, a letter that is read twice says no more than once.
                if !formulas.counts_steps(formula) {
                    let once = automaton.after(state, &cycle[0]);
                    prop_assert_eq!(automaton.after(once, &cycle[0]), once);
                }
            }
        }
    }
}

#[test]
fn safety_formulas_are_recognised() {
    for text in [
        "[]AP(a)",
        "AP(b) R AP(a)",
        "AP(a) W AP(b)",
        "[](AP(a) ==> X AP(b))",
        "[](AP(a) ==> []AP(b))",
        "AP(a) || []AP(b)",
        // Safety properties that do not look like one: what has to come is ruled out, or has to be there anyway.
        "(AP(a) U AP(b)) || []AP(a)",
        "[](AP(a) ==> <>AP(b)) && []AP(b)",
        "<>(AP(a) && !AP(a)) || []AP(a)",
    ] {
        let (formulas, formula) = parse(text).expect(text);
        assert!(BadPrefixes::of(&formulas, formula).is_some(), "{text}");
    }
    for text in [
        "<>AP(a)",
        "AP(a) U AP(b)",
        "[]<>AP(a)",
        "<>[]AP(a)",
        "[](AP(a) ==> <>AP(b))",
        "[]AP(a) && <>AP(b)",
        "AP(a) && !AP(a)",
    ] {
        let (formulas, formula) = parse(text).expect(text);
        assert!(BadPrefixes::of(&formulas, formula).is_none(), "{text}");
    }
}

#[test]
fn bad_beginnings_have_small_automata() {
    for (text, states, rounds) in [
        ("[]AP(a)", 2, 1),
        ("AP(a) W AP(b)", 3, 1),
        ("[](AP(a) ==> []AP(b))", 3, 1),
        ("[](AP(a) ==> X AP(b))", 3, 2),
        ("[](AP(a) ==> X X AP(b))", 5, 3),
    ] {
        let (formulas, formula) = parse(text).expect(text);
        let automaton = BadPrefixes::of(&formulas, formula).expect(text);
        assert_eq!((automaton.steps.len(), automaton.rounds), (states, rounds), "{text}");
    }
}

#[test]
fn formulas_are_read_as_people_write_them() {
    let same = |one: &str, other: &str| {
        let (mut formulas, formula) = parse(one).expect(one);
        let (_, second) = parse(other).expect(other);
        let first = Automaton::of(&formulas, formula);
        let (again, _) = parse(other).expect(other);
        assert_eq!(first, Automaton::of(&again, second), "{one} and {other}");
        formulas.not(formula);
    };
    same("[](AP(x > 0) ==> <>AP(y == 0));", "G (AP(x > 0) -> F AP(y == 0))");
    same("! [] AP(f(x))", "<> ! AP(f(x))");
    same("AP(a) && AP(b) || AP(c)", "(AP(a) && AP(b)) || AP(c)");
    for (text, position) in [("[] AP(x", 6), ("AP()", 4), ("[]", 2), ("AP(a) AP(b)", 5), ("AP(a) U", 7)] {
        assert_eq!(parse(text).expect_err(text).position, position, "{text}");
    }
}
