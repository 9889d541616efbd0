//! The products with observers and with safety formulas of CaRet and of linear temporal logic are what the independent checker takes for products, and nothing else is: the
//! examples, with hundreds of changes to each of them.

#![allow(clippy::disallowed_methods, reason = "the test reads the examples")]

use certify::check_observed;
use certify::product::observed::{Action, Case, Observation};
use ir::{Block, BlockData, Procedure, Program, StatementKind, Transfer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unreach::problem::read_property;
use unreach::{Problem, Property, View};

struct Made {
    name: String,
    observation: Arc<Observation>,
    product: Program,
}

/// A program with threads, one with values of all kinds, and a recursive one.
const MORE: &[(&str, &str)] = &[
    (
        "var x: int; var l: int;
         procedure ULTIMATE.start() modifies x, l; { fork 1 worker(); call take(1); x := x + 1; call give(1); join 1; }
         procedure worker() modifies x, l; { call take(2); x := x + 2; call give(2); }
         procedure take(who: int) modifies l; { atomic { assume l == 0; l := who; } }
         procedure give(who: int) modifies l; { l := 0; }",
        "observer locks; for each w;
         initial state free { on call take(w) goto held; on call give(w) with l != w goto error \"not held\"; }
         state held { on return take(w) from free goto held; on assign x with x > 10 goto free; on call give(w) goto free; }",
    ),
    (
        "procedure ULTIMATE.start() { var a: int; call a := down(3); }
         procedure down(n: int) returns (r: int) { if (n > 0) { call r := down(n - 1); } else { r := 0; } here: r := r + 1; }",
        "observer depth; for each v;
         initial state s { on call down(v) goto t; on at label here goto error \"here\"; }
         state t { on return v = down(_) from s goto s; on return 7 = down(n) from t with n > 2 goto error \"seven\"; }",
    ),
];

fn made(name: String, mut problem: Problem, observer: &Path) -> Made {
    let asked = read_property(observer).expect("a file").expect("a property");
    problem.observer = asked.observer;
    let view = View::new(&problem, c::BitOperations::Marked).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    let observation = view.observation.clone().unwrap_or_else(|| panic!("{name}: an observer"));
    Made { name, observation, product: view.program }
}

fn all() -> Vec<Made> {
    let mut all = Vec::new();
    for (folder, kind) in [("observers", "obs"), ("caret", "prp")] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
        let files = std::fs::read_dir(&folder).expect("examples").map(|file| file.expect("a file").path());
        let is_property = |path: &PathBuf| path.extension().is_some_and(|extension| extension == kind);
        let mut properties: Vec<PathBuf> = files.filter(is_property).collect();
        properties.sort();
        for property in properties {
            let name = property.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
            for program in ["safe.c", "unsafe.c", "safe.bpl", "unsafe.bpl"] {
                let program = folder.join(format!("{name}_{program}"));
                if program.exists() {
                    let problem = Problem::read(&program).expect("a program");
                    all.push(made(program.display().to_string(), problem, &property));
                }
            }
        }
    }
    for (number, (program, observer)) in MORE.iter().enumerate() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("observed_products_{number}.obs"));
        // Other tests write and read the same file at the same time, so it is never half written.
        base::files::replace(&path, observer).expect("a file");
        all.push(made(format!("more {number}"), Problem::boogie("more.bpl", *program), &path));
    }
    all.extend(safety_formulas());
    all
}

/// The programs with safety formulas of linear temporal logic in a comment: with recursion, with marked steps, and with threads.
fn safety_formulas() -> Vec<Made> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ltl");
    let names = ["behind_a_loop.bpl", "recursion.c", "at_the_end.c", "weak_until.c", "threads.c"];
    let of = |name: &str| {
        let path = folder.join(format!("safety_{name}"));
        let mut problem = Problem::read(&path).expect("a program");
        problem.ltl = unreach::temporal::in_comment(problem.text());
        problem.property = Property::UnreachCall;
        let view =
            View::new(&problem, c::BitOperations::Marked).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let observation = view.observation.clone().unwrap_or_else(|| panic!("{name}: an automaton"));
        Made { name: name.to_owned(), observation, product: view.program }
    };
    names.map(of).into_iter().collect()
}

#[test]
fn products_are_accepted() {
    let all = all();
    assert!(all.len() > 30, "{} products", all.len());
    for Made { name, observation, product } in all {
        assert_eq!(check_observed(&observation, &product), Ok(()), "{name}");
    }
}

/// The blocks of a procedure that an execution can come to.
fn reachable(body: &ir::Body) -> Vec<Block> {
    let mut found = vec![body.entry()];
    let mut next = 0;
    while let Some(&block) = found.get(next) {
        next += 1;
        for to in body.blocks[block].transfer.successors() {
            if !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

/// Whether nothing happens from a block on but the return.
fn only_returns(body: &ir::Body, mut block: Block) -> bool {
    for _ in 0..body.blocks.len() {
        match &body.blocks[block] {
            BlockData { statements, .. } if !statements.is_empty() => return false,
            BlockData { transfer: Transfer::Return, .. } => return true,
            BlockData { transfer: Transfer::Goto(targets), .. } if targets.len() == 1 => block = targets[0],
            _ => return false,
        }
    }
    false
}

#[test]
fn a_changed_product_is_refused() {
    let mut refused = 0;
    for Made { name, observation, product } in all() {
        let mut targets: Vec<(Procedure, Block)> = Vec::new();
        for (procedure, data) in product.procedures.iter() {
            if let Some(body) = data.body.as_ref().filter(|_| !observation.added.contains(&procedure)) {
                targets.extend(reachable(body).into_iter().map(|block| (procedure, block)));
            }
        }
        // A program of C has models of the library, which are long and all alike; what the automaton does stands in the last blocks as a rule.
        let step = 1 + targets.len() / 60;
        let steps = targets.iter().rev().enumerate().filter(|(number, _)| number % step == 0);
        for &(procedure, block) in steps.map(|(_, target)| target) {
            let data = &product.procedures[procedure].body.as_ref().expect("a body").blocks[block];
            let mut change = |what: &str, how: &dyn Fn(&mut BlockData)| {
                let mut changed = product.clone();
                let body = changed.procedures[procedure].body.as_mut().expect("a body");
                how(&mut body.blocks[block]);
                let verdict = check_observed(&observation, &changed);
                let shown = changed.to_string();
                assert!(verdict.is_err(), "{name}: {what} in `{}`:\n{shown}", data.label);
                refused += 1;
            };
            let is_new = |variable: ir::Variable| {
                base::EntityRef::index(variable) >= observation.program.variables.len()
            };
            for index in 0..data.statements.len() {
                // A copy need not have a value before it gets another one, and callers have made sure of the range of an argument.
                let needed = match &data.statements[index].kind {
                    StatementKind::Havoc(variables) => !variables.iter().all(|&variable| is_new(variable)),
                    StatementKind::Assume(condition) => !product
                        .variables
                        .iter()
                        .any(|(variable, data)| is_new(variable) && data.where_clause == Some(*condition)),
                    _ => true,
                };
                if needed {
                    change("a statement is left out", &|data| drop(data.statements.remove(index)));
                    change("a statement twice", &|data| {
                        let again = data.statements[index].clone();
                        data.statements.insert(index, again);
                    });
                }
                if let StatementKind::Assert(_, condition) = data.statements[index].kind {
                    change("an assertion is assumed", &|data| {
                        data.statements[index].kind = StatementKind::Assume(condition);
                    });
                    change("an assertion has another name", &|data| {
                        data.statements[index].attributes.push(ir::Mark::NoAccess.attribute(Vec::new()));
                    });
                }
                if let StatementKind::Assign(pairs) = &data.statements[index].kind
                    && pairs[0].0 == observation.state
                {
                    change("the state stays as it is", &|data| {
                        if let StatementKind::Assign(pairs) = &mut data.statements[index].kind {
                            let is_state = |expr: &ir::Expr| {
                                product.expressions[*expr] == ir::ExprData::Variable(observation.state)
                            };
                            let mut all = product.expressions.iter().map(|(expr, _)| expr);
                            let state = all.find(is_state);
                            pairs[0].1 = state.expect("the state is read somewhere");
                        }
                    });
                }
            }
            match &data.transfer {
                Transfer::Goto(targets) if targets.len() > 1 => change("a way is left out", &|data| {
                    if let Transfer::Goto(targets) = &mut data.transfer {
                        targets.pop();
                    }
                }),
                Transfer::Branch { then, otherwise, .. } if then != otherwise => {
                    change("the ways are exchanged", &|data| {
                        if let Transfer::Branch { then, otherwise, .. } = &mut data.transfer {
                            std::mem::swap(then, otherwise);
                        }
                    });
                }
                Transfer::Goto(targets) if targets[0] != block => {
                    change("it goes round", &|data| data.transfer = Transfer::Goto(vec![block]));
                    if !only_returns(product.procedures[procedure].body.as_ref().expect("a body"), targets[0])
                    {
                        change("it returns", &|data| data.transfer = Transfer::Return);
                    }
                }
                _ => {}
            }
        }
    }
    assert!(refused > 2000, "{refused} products");
}

fn cases(action: &mut Action) -> Option<&mut Vec<Case>> {
    match action {
        Action::Keep(_) => None,
        Action::First { cases, .. } | Action::Any { cases, .. } => Some(cases),
    }
}

/// Whether the product, outside of what is gone, reads a letter.
fn is_read(observation: &Observation, product: &Program, letter: usize) -> bool {
    let mut changed = observation.clone();
    changed.letters[letter].action = Action::First { cases: Vec::new(), kept: None };
    check_observed(&changed, product).is_err()
}

#[test]
fn a_product_with_another_automaton_is_refused() {
    let mut refused = 0;
    for Made { name, observation, product } in all() {
        let mut change = |what: &str, how: &dyn Fn(&mut Observation)| {
            let mut changed = observation.as_ref().clone();
            how(&mut changed);
            assert!(check_observed(&changed, &product).is_err(), "{name}: {what}");
            refused += 1;
        };
        change("it begins in another state", &|observation| observation.initial += 1);
        change("a procedure is not gone", &|observation| {
            let first = *observation.letters.iter().map(|letter| &letter.procedure).next().expect("a letter");
            observation.added.remove(&first);
        });
        for letter in 0..observation.letters.len() {
            if !is_read(&observation, &product, letter) {
                continue;
            }
            change("a letter is left out", &|observation| drop(observation.letters.remove(letter)));
            let mut action = observation.letters[letter].action.clone();
            for error in cases(&mut action).into_iter().flatten().map(|case| case.to) {
                if observation.errors.contains_key(&error) {
                    change("an error is none", &|observation| drop(observation.errors.remove(&error)));
                    change("an error has another name", &|observation| {
                        observation.errors.insert(error, "observer: another".to_owned());
                    });
                }
            }
            let count = cases(&mut action).map_or(0, |cases| cases.len());
            for number in 0..count {
                let case = cases(&mut action).expect("cases")[number].clone();
                let mut change_case = |what: &str, how: &dyn Fn(&mut Vec<Case>)| {
                    change(what, &|observation| {
                        how(cases(&mut observation.letters[letter].action).expect("cases"));
                    });
                };
                change_case("a case is left out", &|cases| drop(cases.remove(number)));
                change_case("a case more", &|cases| cases.push(cases[number].clone()));
                change_case("another source", &|cases| cases[number].from += 1);
                change_case("another target", &|cases| cases[number].to += 1);
                change_case("another context", &|cases| {
                    cases[number].kept = match case.kept {
                        Some(_) => None,
                        None => Some(0),
                    };
                });
                if !case.equal.is_empty() {
                    change_case("a weaker pattern", &|cases| {
                        cases[number].equal.pop();
                    });
                }
                change_case("a stronger guard", &|cases| cases[number].guard.push((None, false)));
                if !case.guard.is_empty() {
                    change_case("the opposite", &|cases| {
                        cases[number].guard[0].1 = !cases[number].guard[0].1;
                    });
                    change_case("a weaker guard", &|cases| {
                        cases[number].guard.pop();
                    });
                }
            }
        }
    }
    assert!(refused > 500, "{refused} automata");
}
