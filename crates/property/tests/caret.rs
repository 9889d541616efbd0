//! Automata against the meaning of formulas, on all short nested words and on random formulas, in both directions.

use property::caret::{
    Atom, Automaton, Buchi, Formula, Formulas, Kind, Lasso, Letter, Strength, Way, holds, parse,
};
use proptest::prelude::*;

const WAYS: [Way; 3] = [Way::Global, Way::Abstract, Way::Caller];

/// A random formula that finite words decide: operators over two conditions and the kinds of positions.
fn build(formulas: &mut Formulas, code: &[u8], position: &mut usize, depth: u32) -> Formula {
    let mut byte = || {
        *position += 1;
        code.get(*position - 1).copied().unwrap_or(0)
    };
    let (first, second) = (byte(), byte());
    let kind = if depth == 0 { first % 4 } else { first % 10 };
    let way = WAYS[usize::from(second % 3)];
    match kind {
        0..=3 => {
            let atom = match second % 5 {
                0 => Atom::Condition("a".to_owned()),
                1 => Atom::Condition("b".to_owned()),
                2 => Atom::Call(None),
                3 => Atom::Return(None),
                _ => Atom::Last,
            };
            let atom = formulas.atom(atom);
            if kind % 2 == 0 { atom } else { formulas.not(atom) }
        }
        4 | 5 => {
            let inner = build(formulas, code, position, depth - 1);
            let weak = way == Way::Caller && kind == 5;
            formulas.next(way, if weak { Strength::Weak } else { Strength::Strong }, inner)
        }
        _ => {
            let left = build(formulas, code, position, depth - 1);
            let right = build(formulas, code, position, depth - 1);
            match kind {
                6 => formulas.and(left, right),
                7 => formulas.or(left, right),
                8 if way == Way::Caller => formulas.release(way, left, right),
                _ => formulas.until(way, left, right),
            }
        }
    }
}

/// A random formula of any kind; without the caller's way if `callers` is false.
fn any_formula(
    formulas: &mut Formulas,
    code: &[u8],
    position: &mut usize,
    depth: u32,
    callers: bool,
) -> Formula {
    let mut byte = || {
        *position += 1;
        code.get(*position - 1).copied().unwrap_or(0)
    };
    let (first, second) = (byte(), byte());
    let kind = if depth == 0 { first % 4 } else { first % 12 };
    let way = WAYS[usize::from(second) % if callers { 3 } else { 2 }];
    match kind {
        0..=3 => {
            let atom = match second % 5 {
                0 => Atom::Condition("a".to_owned()),
                1 => Atom::Condition("b".to_owned()),
                2 => Atom::Call(None),
                3 => Atom::Return(None),
                _ => Atom::Last,
            };
            let atom = formulas.atom(atom);
            if kind % 2 == 0 { atom } else { formulas.not(atom) }
        }
        4 | 5 => {
            let inner = any_formula(formulas, code, position, depth - 1, callers);
            formulas.next(way, if kind == 5 { Strength::Weak } else { Strength::Strong }, inner)
        }
        _ => {
            let left = any_formula(formulas, code, position, depth - 1, callers);
            let right = any_formula(formulas, code, position, depth - 1, callers);
            match kind {
                6 => formulas.and(left, right),
                7 => formulas.or(left, right),
                8 | 9 => formulas.release(way, left, right),
                _ => formulas.until(way, left, right),
            }
        }
    }
}

/// All nested words of a length in which no return is without its call; of the conditions, `a` and `b` have all values.
fn words(length: u32, atoms: &[Atom]) -> Vec<Vec<Letter>> {
    let mut all = Vec::new();
    for code in 0..12_usize.pow(length) {
        let (mut rest, mut open, mut word) = (code, 0_i32, Vec::new());
        for _ in 0..length {
            let kind = [Kind::Internal, Kind::Call, Kind::Return][rest % 3];
            let bits = rest / 3 % 4;
            rest /= 12;
            open += match kind {
                Kind::Call => 1,
                Kind::Return => -1,
                Kind::Internal => 0,
            };
            if open < 0 {
                break;
            }
            let value = |atom: &Atom| match atom {
                Atom::Condition(name) if name == "a" => bits & 1 == 1,
                Atom::Condition(_) => bits & 2 == 2,
                _ => false,
            };
            word.push(Letter { kind, values: atoms.iter().map(value).collect() });
        }
        if open >= 0 {
            all.push(word);
        }
    }
    all
}

/// Longer words, chosen by a random number.
fn long_word(mut seed: u64, length: usize, atoms: &[Atom]) -> Vec<Letter> {
    let (mut open, mut word) = (0, Vec::new());
    for _ in 0..length {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = seed >> 40;
        let kind = match bits % 3 {
            0 => Kind::Internal,
            1 if open > 0 => Kind::Return,
            _ => Kind::Call,
        };
        match kind {
            Kind::Call => open += 1,
            Kind::Return => open -= 1,
            Kind::Internal => {}
        }
        let value = |atom: &Atom| match atom {
            Atom::Condition(name) if name == "a" => bits & 8 == 8,
            Atom::Condition(_) => bits & 16 == 16,
            _ => false,
        };
        word.push(Letter { kind, values: atoms.iter().map(value).collect() });
    }
    word
}

/// Letters chosen by a random number.
fn any_letters(mut seed: u64, length: usize, atoms: &[Atom]) -> Vec<Letter> {
    let mut letter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = seed >> 40;
        let kind = [Kind::Internal, Kind::Call, Kind::Return][(bits >> 8) as usize % 3];
        let value = |atom: &Atom| match atom {
            Atom::Condition(name) if name == "a" => bits & 8 == 8,
            Atom::Condition(_) => bits & 16 == 16,
            _ => false,
        };
        Letter { kind, values: atoms.iter().map(value).collect() }
    };
    (0..length).map(|_| letter()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn an_automaton_accepts_what_its_formula_says(
        code in proptest::collection::vec(any::<u8>(), 2..20),
        seed in any::<u64>(),
    ) {
        let mut formulas = Formulas::default();
        let formula = build(&mut formulas, &code, &mut 0, 3);
        let Ok(automaton) = Automaton::of(&formulas, formula) else { return Ok(()) };
        let mut all = words(1, &formulas.atoms);
        all.extend(words(2, &formulas.atoms));
        all.extend((0..40).map(|number| long_word(seed ^ (number * 77_777), 3 + number as usize % 6, &formulas.atoms)));
        for word in all {
            let expected = (1..=word.len()).any(|end| holds(&formulas, formula, &word[..end]));
            let says = automaton.accepts(&formulas, &word);
            prop_assert_eq!(says, expected, "{} on {:?}", formulas.text(formula), word);
            // What a beginning shows stays true.
            prop_assert_eq!(holds(&formulas, formula, &word), expected, "{} on {:?}", formulas.text(formula), word);
        }
    }

    /// On infinite words, with every operator on every way.
    #[test]
    fn a_buchi_automaton_accepts_what_its_formula_says(
        code in proptest::collection::vec(any::<u8>(), 2..16),
        seed in any::<u64>(),
        callers in any::<bool>(),
    ) {
        let mut formulas = Formulas::default();
        let formula = any_formula(&mut formulas, &code, &mut 0, 3, callers);
        let opposite = formulas.not(formula);
        let (Some(automaton), Some(other)) = (Buchi::of(&formulas, formula), Buchi::of(&formulas, opposite))
        else {
            return Ok(());
        };
        if automaton.transitions.len() + other.transitions.len() > 600 {
            return Ok(());
        }
        for number in 0..24_u64 {
            let letters = any_letters(seed ^ (number * 77_777), 2 + number as usize % 5, &formulas.atoms);
            let (stem, cycle) = letters.split_at(number as usize % 3 % letters.len());
            let word = Lasso { stem, cycle };
            if !word.is_well_nested() || word.growth() < 0 || (callers && word.growth() != 0) {
                continue;
            }
            let expected = word.holds(&formulas, formula);
            prop_assert_eq!(word.holds(&formulas, opposite), !expected, "{} on {:?}", formulas.text(formula), word);
            prop_assert_eq!(automaton.accepts(&formulas, &word), expected, "{} on {:?}", formulas.text(formula), word);
            prop_assert_eq!(other.accepts(&formulas, &word), !expected, "{} on {:?}", formulas.text(opposite), word);
        }
    }

    /// A formula and its opposite are never both true, and one of them is, where nothing is left open.
    #[test]
    fn one_of_a_formula_and_its_opposite_holds(
        code in proptest::collection::vec(any::<u8>(), 2..20),
        seed in any::<u64>(),
    ) {
        let mut formulas = Formulas::default();
        let formula = build(&mut formulas, &code, &mut 0, 3);
        let opposite = formulas.not(formula);
        for number in 0..20 {
            let word = long_word(seed ^ (number * 31_337), 6, &formulas.atoms);
            prop_assert!(!(holds(&formulas, formula, &word) && holds(&formulas, opposite, &word)));
            if !formulas.atoms.contains(&Atom::Last) {
                prop_assert!(holds(&formulas, formula, &word) || holds(&formulas, opposite, &word));
            }
        }
    }

    #[test]
    fn printed_formulas_are_read_again(
        code in proptest::collection::vec(any::<u8>(), 2..20),
        seed in any::<u64>(),
    ) {
        let mut formulas = Formulas::default();
        let formula = build(&mut formulas, &code, &mut 0, 3);
        let text = formulas.text(formula);
        let (again, read) = parse(&text).expect("it is a formula");
        for number in 0..10 {
            // Atoms may have other numbers.
            let [one, other] = [&formulas, &again].map(|all| long_word(seed ^ number, 6, &all.atoms));
            prop_assert_eq!(holds(&formulas, formula, &one), holds(&again, read, &other), "{}", &text);
        }
    }
}

#[test]
fn all_words_of_three_letters() {
    for text in [
        "F (call && Xa AP(a))",
        "F (AP(a) && Fc (AP(b) && call))",
        "AP(a) Ua (last && !AP(b))",
        "F (return && Gc !AP(a))",
        "F (call && Xa (AP(a) Ua last))",
        "F (AP(a) && wXc AP(b))",
        "X Xa Xc AP(a)",
    ] {
        let (formulas, formula) = parse(text).expect("it is a formula");
        let automaton = Automaton::of(&formulas, formula).expect("finite words decide it");
        for word in words(3, &formulas.atoms) {
            let expected = holds(&formulas, formula, &word);
            assert_eq!(automaton.accepts(&formulas, &word), expected, "{text} on {word:?}");
        }
    }
}

#[test]
fn what_finite_words_cannot_show_is_refused() {
    for text in ["G AP(a)", "wX AP(a)", "Ga AP(a)", "F wXa AP(a)"] {
        let (formulas, formula) = parse(text).expect("it is a formula");
        assert!(Automaton::of(&formulas, formula).is_err(), "{text}");
    }
}

#[test]
fn mistakes_in_formulas_have_places() {
    for (text, message) in [
        ("", "a formula is expected at character 1 of the formula"),
        ("G (call", "`)` is expected at character 8 of the formula"),
        ("Q call", "a formula is expected at character 1 of the formula"),
        ("call call", "an operator is expected at character 6 of the formula"),
        ("AP()", "a condition or a name is expected at character 5 of the formula"),
    ] {
        assert_eq!(parse(text).expect_err("it has a mistake").to_string(), message, "{text}");
    }
}
