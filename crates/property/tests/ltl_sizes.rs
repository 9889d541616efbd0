//! How large automata are for the usual formulas, and how small they could be.
//!
//! The formulas are the property patterns of Dwyer, Avrunin and Corbett: absence, existence, universality, precedence and response, each in five scopes. Tools publish how many
//! states they need for them, but they count differently (acceptance at states or at transitions, initial states of their own). So each automaton is held against
//! a bound that *no* Büchi automaton can go below, however it accepts: a *fooling set*, pairs of a beginning and a rest such that every beginning with its
//! own rest satisfies the formula, and of any two pairs one beginning with the rest of the other does not. Two of these beginnings cannot lead to the same state.

use property::ltl::{Automaton, Formula, Formulas, parse};

/// The patterns, with the states of the automaton and of that of the negation, which is what programs are watched by.
const PATTERNS: &[(&str, &str, usize, usize)] = &[
    ("absence", "G !p", 1, 2),
    ("absence before r", "F r -> (!p U r)", 4, 3),
    ("absence after q", "G (q -> G !p)", 2, 3),
    ("absence between q and r", "G ((q && !r && F r) -> (!p U r))", 3, 4),
    ("absence after q until r", "G (q && !r -> (!p W r))", 2, 3),
    ("existence", "F p", 2, 1),
    ("existence before r", "!r W (p && !r)", 2, 2),
    ("existence after q", "G !q || F (q && F p)", 5, 3),
    ("existence between q and r", "G (q && !r -> (!r W (p && !r)))", 2, 3),
    ("existence after q until r", "G (q && !r -> (!r U (p && !r)))", 2, 3),
    ("universality", "G p", 1, 2),
    ("universality before r", "F r -> (p U r)", 4, 3),
    ("universality after q", "G (q -> G p)", 2, 3),
    ("universality between q and r", "G ((q && !r && F r) -> (p U r))", 3, 4),
    ("universality after q until r", "G (q && !r -> (p W r))", 2, 3),
    ("precedence", "!p W s", 2, 2),
    ("precedence before r", "F r -> (!p U (s || r))", 4, 3),
    ("precedence after q", "G !q || F (q && (!p W s))", 5, 4),
    ("precedence between q and r", "G ((q && !r && F r) -> (!p U (s || r)))", 3, 4),
    ("precedence after q until r", "G (q && !r -> (!p W (s || r)))", 2, 3),
    ("response", "G (p -> F s)", 2, 2),
    ("response before r", "F r -> ((p -> (!r U (s && !r))) U r)", 5, 3),
    ("response after q", "G (q -> G (p -> F s))", 3, 3),
    ("response between q and r", "G ((q && !r && F r) -> ((p -> (!r U (s && !r))) U r))", 4, 4),
    ("response after q until r", "G (q && !r -> ((p -> (!r U (s && !r))) W r))", 3, 4),
];

type Letter = Vec<bool>;

fn letters(atoms: usize) -> Vec<Letter> {
    (0..1_usize << atoms).map(|bits| (0..atoms).map(|atom| bits >> atom & 1 == 1).collect()).collect()
}

/// How many states every Büchi automaton of a formula has at least, as far as short words show it.
fn least(formulas: &Formulas, formula: Formula) -> usize {
    let letters = letters(formulas.atoms.len());
    let mut beginnings: Vec<Vec<Letter>> = vec![Vec::new()];
    beginnings.extend(letters.iter().map(|letter| vec![letter.clone()]));
    for first in &letters {
        beginnings.extend(letters.iter().map(|second| vec![first.clone(), second.clone()]));
    }
    let mut rests: Vec<(Vec<Letter>, Letter)> =
        letters.iter().map(|cycle| (Vec::new(), cycle.clone())).collect();
    for first in &letters {
        rests.extend(letters.iter().map(|cycle| (vec![first.clone()], cycle.clone())));
    }
    let holds = |beginning: &[Letter], (stem, cycle): &(Vec<Letter>, Letter)| {
        let stem: Vec<Letter> = beginning.iter().chain(stem).cloned().collect();
        formulas.holds(formula, &stem, std::slice::from_ref(cycle))
    };
    let mut rows: Vec<Vec<bool>> = Vec::new();
    for beginning in &beginnings {
        let row: Vec<bool> = rests.iter().map(|rest| holds(beginning, rest)).collect();
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let mut best = 0;
    // A greedy choice is one bound among many; several orders give several.
    for start in 0..rests.len() {
        let mut chosen: Vec<(usize, usize)> = Vec::new();
        for step in 0..rests.len() {
            let rest = (start + step) % rests.len();
            for row in 0..rows.len() {
                let apart = |&(other, own): &(usize, usize)| !rows[row][own] || !rows[other][rest];
                if rows[row][rest] && chosen.iter().all(apart) {
                    chosen.push((row, rest));
                }
            }
        }
        best = best.max(chosen.len());
    }
    best
}

#[test]
fn automata_of_the_usual_patterns_are_small() {
    let mut table = String::new();
    let mut mistakes = Vec::new();
    for &(name, text, states, of_negation) in PATTERNS {
        let written: String = text
            .chars()
            .map(|letter| if "pqrs".contains(letter) { format!("AP({letter})") } else { letter.to_string() })
            .collect();
        let (mut formulas, formula) = parse(&written).expect(text);
        let negation = formulas.not(formula);
        let size = |formula| Automaton::of(&formulas, formula).expect(text).transitions.len();
        let (own, negated) = (size(formula), size(negation));
        let (least_own, least_negated) = (least(&formulas, formula), least(&formulas, negation));
        table +=
            &format!("{name}: {own} (at least {least_own}), negation {negated} (at least {least_negated})\n");
        assert!(least_own <= own && least_negated <= negated, "{name}: the bound is none");
        assert!(own <= least_own + 2 && negated <= least_negated + 1, "{name}: {own} and {negated} states");
        if (own, negated) != (states, of_negation) {
            mistakes.push(format!("(\"{name}\", \"{text}\", {own}, {negated}),"));
        }
    }
    assert!(mistakes.is_empty(), "{}\n{table}", mistakes.join("\n"));
}
