//! Products with automata of formulas are what the independent checker takes for products, and nothing else is.

use base::EntityRef;
use certify::check_product;
use certify::product::{Atom, Kind, Move, Read, Watched};
use ir::{Procedure, ProcedureData, Program, StatementKind, Transfer};
use property::ltl::{Automaton, parse};
use property::product::{Letter, Propositions};

/// Programs with a procedure `observe` that evaluates two propositions.
const PROGRAMS: &[&str] = &[
    "procedure ULTIMATE.start() modifies x, y, a0, a1; {
        x := 0; y := 0; call observe();
        while (x < 10) { call observe(); call step(x); call observe(); }
        y := 1; call observe();
    }
    procedure step(by: int) modifies x; { var z: int; z := by + 1; if (*) { x := x + z; } else { call nothing(); } }
    procedure nothing() { assert 1 < 2; }",
    "procedure ULTIMATE.start() modifies x, y, a0, a1; {
        var r: int;
        while (true) { call observe(); call r := twice(x, 3); call observe(); y := r; call observe(); }
    }
    procedure twice(n: int, by: int) returns (r: int) {
        var i: int where i > 0;
        i := 1; r := n;
        while (i < 2) { call observe(); r := r + by; i := i + 1; }
    }",
    "procedure ULTIMATE.start() modifies x, y, a0, a1; {
        havoc x; call observe();
        if (*) { assert {:property \"unknown: what comes\"} x > 3; y := 2; call observe(); }
        else { assume x > 0; goto again; }
        return;
        again: call observe(); goto again, other;
        other: y := 1; call observe();
    }",
];

/// Programs with procedures that call themselves.
const RECURSIVE: &[&str] = &[
    "procedure ULTIMATE.start() modifies x, y, a0, a1; {
        var r: int;
        x := 0; y := 0; call observe();
        while (x < 10) { call r := deep(x, 3); x := x + r; call observe(); }
        y := 1; call observe();
    }
    procedure deep(n: int, by: int) returns (r: int) modifies x, y, a0, a1; {
        var z: int;
        call observe(); z := n - by; r := 1;
        if (z > 0) { y := 1 - y; call observe(); call r := deep(z, by); call step(r); while (*) { call observe(); } }
    }
    procedure step(by: int) modifies x; { x := x + by; }",
    "procedure ULTIMATE.start() modifies x, y, a0, a1; { call observe(); call ping(); call observe(); }
    procedure ping() modifies x, y, a0, a1; { x := 4; call observe(); if (*) { call pong(); } }
    procedure pong() modifies x, y, a0, a1; {
        assert {:property \"unknown: what comes\"} x > 3;
        y := 1; call observe(); call ping(); assume x > 2; call ping();
    }",
];

/// How the propositions are evaluated: in a way that can be put in place of a call, and in another one.
const OBSERVES: &[&str] = &[
    "procedure observe() modifies a0, a1; { a0 := x > 3; a1 := y == 1; }",
    "procedure observe() modifies a0, a1; { a0 := x > 3; a1 := a0 && y == 1; }",
];

const FORMULAS: &[&str] = &[
    "[]AP(p)",
    "<>AP(q)",
    "[](AP(p) ==> <>AP(q))",
    "[]<>AP(p) ==> []<>AP(q)",
    "AP(p) U (AP(q) || []AP(p))",
    "!(<>[](AP(p) && !AP(q)))",
];

struct Made {
    watched: Watched,
    product: Program,
    into: Procedure,
}

fn make(program: &str, observe: &str, formula: &str, never_blocks: bool) -> Made {
    let text = format!("var x: int; var y: int; var a0: bool; var a1: bool;\n{program}\n{observe}\n");
    let mut program = boogie::compile(EntityRef::new(0), &text).expect("the program can be read").program;
    let (mut formulas, formula) = parse(formula).expect("the formula can be read");
    formulas.atom("p");
    formulas.atom("q");
    let negation = formulas.not(formula);
    let automaton = Automaton::of(&formulas, negation).expect("a small automaton");
    let procedure = |program: &Program, name: &str| program.procedure(name).expect("it is there");
    let (start, observe) = (procedure(&program, "ULTIMATE.start"), procedure(&program, "observe"));
    let span = program.procedures[start].span;
    let variables: Vec<ir::Variable> = formulas
        .atoms
        .iter()
        .map(|atom| {
            let name = if atom == "p" { "a0" } else { "a1" };
            let is_it = |global: &&ir::Variable| program.variables[**global].name == name;
            *program.globals.iter().find(is_it).expect("it is there")
        })
        .collect();
    let atoms: Vec<ir::Expr> = variables.iter().map(|&variable| program.variable(variable, span)).collect();
    let one = |one: &property::ltl::Transition| Move {
        read: Read::Internal,
        guard: one.guard.clone(),
        to: one.target,
        accepting: one.accepting,
    };
    let moves = automaton.transitions.iter().map(|list| list.iter().map(one).collect()).collect();
    let letter = certify::product::Letter {
        procedure: observe,
        kind: Kind::Internal,
        evaluates: true,
        atoms: variables.into_iter().map(Atom::In).collect(),
    };
    let (watched, letters) = (program.clone(), vec![letter]);
    let watched = Watched { program: watched, start, letters, last: 0, moves, never_blocks };
    let into = program.procedures.push(ProcedureData::named("product#".to_owned(), span));
    let observer = Propositions {
        procedure: observe,
        letter: Letter::Evaluates,
        atoms,
        never_blocks,
        automaton: &automaton,
    };
    property::product::product(&mut program, (start, into), &[observe].into(), &observer)
        .expect("not too large");
    Made { watched, product: program, into }
}

fn all() -> impl Iterator<Item = (String, Made)> {
    every(PROGRAMS).chain(every(RECURSIVE).map(|(name, made)| (format!("recursive {name}"), made)))
}

fn every(programs: &'static [&'static str]) -> impl Iterator<Item = (String, Made)> {
    let each = programs.iter().enumerate().flat_map(|(number, program)| {
        OBSERVES.iter().flat_map(move |observe| {
            FORMULAS.iter().flat_map(move |formula| {
                [false, true].map(|never_blocks| (number, *program, *observe, *formula, never_blocks))
            })
        })
    });
    each.map(|(number, program, observe, formula, never_blocks)| {
        (
            format!("program {number}, {formula}, {never_blocks}"),
            make(program, observe, formula, never_blocks),
        )
    })
}

#[test]
fn products_are_accepted() {
    for (name, made) in all() {
        assert_eq!(check_product(&made.watched, &made.product), Ok(()), "{name}");
    }
}

/// Nothing satisfies the formula, so the automaton accepts everything from the beginning on; still, an execution has to come to its first letter.
#[test]
fn a_product_with_everything_is_accepted() {
    for program in PROGRAMS {
        for never_blocks in [false, true] {
            let made = make(program, OBSERVES[0], "<>(AP(p) && !AP(p))", never_blocks);
            assert_eq!(check_product(&made.watched, &made.product), Ok(()), "{program}");
        }
    }
}

/// Whether the product moves in a state of the automaton.
fn is_used(made: &Made, changed: &Watched) -> bool {
    check_product(changed, &made.product).is_err()
}

#[test]
fn a_product_with_another_automaton_is_refused() {
    let mut refused = 0;
    for (name, made) in all() {
        let states = made.watched.moves.len();
        for state in 0..states {
            // A state that the program never comes to may be anything.
            let mut without = made.watched.clone();
            without.moves[state].clear();
            let all = |one: &Move| one.accepting && one.guard.is_empty() && one.to == state;
            let accepts_all = made.watched.never_blocks && made.watched.moves[state].iter().any(all);
            if accepts_all || !is_used(&made, &without) {
                continue;
            }
            for number in 0..made.watched.moves[state].len() {
                let mut change = |what: &str, how: &dyn Fn(&mut Vec<Move>)| {
                    let mut changed = made.watched.clone();
                    how(&mut changed.moves[state]);
                    let verdict = check_product(&changed, &made.product);
                    assert!(verdict.is_err(), "{name}: {what} at move {number} of state {state}");
                    refused += 1;
                };
                change("a move is left out", &|moves| drop(moves.remove(number)));
                change("a move more", &|moves| moves.push(moves[number].clone()));
                change("a stronger guard", &|moves| moves[number].guard.push((0, true)));
                if !made.watched.moves[state][number].guard.is_empty() {
                    change("the opposite", &|moves| moves[number].guard[0].1 = !moves[number].guard[0].1);
                    change("a weaker guard", &|moves| {
                        moves[number].guard.pop();
                    });
                }
            }
        }
    }
    assert!(refused > 800, "{refused} automata");
}

#[test]
fn a_changed_product_is_refused() {
    let mut refused = 0;
    for (name, made) in all() {
        let body = made.product.procedures[made.into].body.as_ref().expect("a body");
        for (block, data) in body.blocks.iter() {
            let mut change = |what: &str, how: &dyn Fn(&mut ir::BlockData)| {
                let mut product = made.product.clone();
                let body = product.procedures[made.into].body.as_mut().expect("a body");
                how(&mut body.blocks[block]);
                let verdict = check_product(&made.watched, &product);
                assert!(verdict.is_err(), "{name}: {what} in `{}`: {data:?}", data.label);
                refused += 1;
            };
            for index in 0..data.statements.len() {
                // A letter need not be evaluated if no move asks for anything, and a local variable need not have a value before it gets
                // another one.
                let is_local = |variable: &ir::Variable| {
                    matches!(made.product.variables[*variable].kind, ir::VariableKind::Local(_))
                };
                let needed = match &data.statements[index].kind {
                    StatementKind::Call { .. } => false,
                    StatementKind::Havoc(variables) => !variables.iter().all(is_local),
                    _ => true,
                };
                if needed {
                    change("a statement is left out", &|data| drop(data.statements.remove(index)));
                }
                change("a statement twice", &|data| {
                    let again = data.statements[index].clone();
                    data.statements.insert(index, again);
                });
            }
            match &data.transfer {
                Transfer::Goto(targets) if targets.len() > 1 => {
                    change("a way is left out", &|data| {
                        if let Transfer::Goto(targets) = &mut data.transfer {
                            targets.pop();
                        }
                    });
                }
                Transfer::Branch { then, otherwise, .. } if then != otherwise => {
                    change("the ways are exchanged", &|data| {
                        if let Transfer::Branch { then, otherwise, .. } = &mut data.transfer {
                            std::mem::swap(then, otherwise);
                        }
                    });
                }
                Transfer::Goto(targets) if targets[0] != block => {
                    change("it goes round", &|data| data.transfer = Transfer::Goto(vec![block]));
                    change("it returns", &|data| data.transfer = Transfer::Return);
                }
                _ => {}
            }
        }
    }
    assert!(refused > 5000, "{refused} products");
}

/// Every copy of a procedure that calls itself is looked at.
#[test]
fn a_changed_copy_is_refused() {
    let mut refused = 0;
    for (name, made) in every(RECURSIVE) {
        let copies = made.product.procedures.keys().skip(made.into.index() + 1);
        for copy in copies {
            let body = made.product.procedures[copy].body.as_ref().expect("a body");
            for (block, data) in body.blocks.iter() {
                let mut change = |what: &str, how: &dyn Fn(&mut ir::BlockData)| {
                    let mut product = made.product.clone();
                    let body = product.procedures[copy].body.as_mut().expect("a body");
                    how(&mut body.blocks[block]);
                    let verdict = check_product(&made.watched, &product);
                    let of = &made.product.procedures[copy].name;
                    assert!(verdict.is_err(), "{name}: {what} in `{}` of `{of}`: {data:?}", data.label);
                    refused += 1;
                };
                for index in 0..data.statements.len() {
                    let is_letter = |callee: Procedure| made.watched.letters[0].procedure == callee;
                    let needed = match data.statements[index].kind {
                        StatementKind::Call { procedure, .. } => !is_letter(procedure),
                        _ => true,
                    };
                    if needed {
                        change("a statement is left out", &|data| drop(data.statements.remove(index)));
                    }
                    change("a statement twice", &|data| {
                        let again = data.statements[index].clone();
                        data.statements.insert(index, again);
                    });
                }
                match &data.transfer {
                    Transfer::Goto(targets) if targets.len() > 1 => {
                        change("a way is left out", &|data| {
                            if let Transfer::Goto(targets) = &mut data.transfer {
                                targets.pop();
                            }
                        });
                    }
                    Transfer::Branch { then, otherwise, .. } if then != otherwise => {
                        change("the ways are exchanged", &|data| {
                            if let Transfer::Branch { then, otherwise, .. } = &mut data.transfer {
                                std::mem::swap(then, otherwise);
                            }
                        });
                    }
                    Transfer::Goto(targets) if targets[0] != block => {
                        change("it goes round", &|data| data.transfer = Transfer::Goto(vec![block]));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(refused > 3000, "{refused} products");
}

/// What a copy promises is in its name; another promise is refused, and so is another copy at a call.
#[test]
fn another_copy_is_refused() {
    let mut refused = 0;
    for (name, made) in every(RECURSIVE) {
        let copies: Vec<Procedure> = made.product.procedures.keys().skip(made.into.index() + 1).collect();
        for &copy in &copies {
            let mut product = made.product.clone();
            let own = &mut product.procedures[copy].name;
            *own = match own.strip_suffix("#never") {
                Some(rest) => format!("{rest}#0"),
                None => format!("{own}#never"),
            };
            assert!(check_product(&made.watched, &product).is_err(), "{name}: another promise of {copy:?}");
            for &other in copies.iter().filter(|&&other| other != copy) {
                let mut product = made.product.clone();
                for data in product.procedures.values_mut() {
                    let blocks = data.body.iter_mut().flat_map(|body| body.blocks.values_mut());
                    for statement in blocks.flat_map(|block| &mut block.statements) {
                        if let StatementKind::Call { procedure, .. } = &mut statement.kind
                            && *procedure == copy
                        {
                            *procedure = other;
                        }
                    }
                }
                assert!(check_product(&made.watched, &product).is_err(), "{name}: {other:?} for {copy:?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 300, "{refused} products");
}

/// A local variable that is read first begins with an arbitrary value.
#[test]
fn a_first_value_must_not_be_lost() {
    let program =
        "procedure ULTIMATE.start() modifies x, y, a0, a1; { call observe(); call f(); call observe(); }
                   procedure f() modifies x; { var z: int; x := z; }";
    let made = make(program, OBSERVES[0], "[]AP(p)", false);
    assert_eq!(check_product(&made.watched, &made.product), Ok(()));
    let mut product = made.product.clone();
    let body = product.procedures[made.into].body.as_mut().expect("a body");
    for block in body.blocks.values_mut() {
        block.statements.retain(|statement| !matches!(statement.kind, StatementKind::Havoc(_)));
    }
    check_product(&made.watched, &product).expect_err("the value would be that of the call before");
}

/// An accepting move has to give the counter a new value, and a round without one has to make it smaller.
#[test]
fn rounds_have_to_be_counted() {
    let made = make(PROGRAMS[0], OBSERVES[0], "[](AP(p) ==> <>AP(q))", false);
    let body = |product: &Program| product.procedures[made.into].body.clone().expect("a body");
    let count = |statement: &ir::Statement| matches!(statement.kind, StatementKind::Assign(ref pairs) if made.product.variables[pairs[0].0].name == "rounds#");
    assert!(body(&made.product).blocks.values().any(|block| block.statements.iter().any(count)));
    let mut product = made.product.clone();
    let changed = product.procedures[made.into].body.as_mut().expect("a body");
    for block in changed.blocks.values_mut() {
        if block.statements.get(1).is_some_and(count) {
            block.statements.drain(..2);
        }
    }
    let refusal = check_product(&made.watched, &product).expect_err("rounds are not counted");
    assert!(refusal.to_string().contains("not counted"), "{refusal}");
}
