//! The kill test: a solver process is killed, stopped, or talks nonsense in the middle of a query. The session says so,
//! and goes on with a fresh process that knows all assertions.

use base::Budget;
use logic::{Sort, Term, Terms};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use smt::process::{ProcessOptions, ProcessSession};
use smt::{Answer, Reason, Solver};
use std::path::PathBuf;
use std::time::Duration;

const Z3: &str = env!("UNREACH_Z3_EXECUTABLE");

fn session(command: &[&str], patience: Duration) -> ProcessSession {
    let command = command.iter().map(|&word| word.to_owned()).collect();
    let options =
        ProcessOptions { command, patience: Some(patience), output_limit: ProcessOptions::OUTPUT_LIMIT };
    ProcessSession::new(options, &Budget::unlimited())
}

/// A formula that takes Z3 much longer than any patience here, and an easy one that contradicts `base`.
struct Formulas {
    base: Term,
    easy: Term,
    hard: Term,
}

fn formulas(terms: &mut Terms) -> Formulas {
    let x = terms.named("x", Sort::INT);
    let zero = terms.int(0);
    let (base, easy) = (terms.ge(x, zero), terms.lt(x, zero));
    let mut all = Vec::new();
    let holes = 20;
    for i in 0..=holes {
        let row: Vec<Term> = (0..holes).map(|j| terms.named(&format!("p{i}_{j}"), Sort::BOOL)).collect();
        all.push(terms.or(row.iter().copied()));
        for k in 0..i {
            for (j, &here) in row.iter().enumerate() {
                let there = terms.named(&format!("p{k}_{j}"), Sort::BOOL);
                let both = terms.and([here, there]);
                all.push(terms.not(both));
            }
        }
    }
    Formulas { base, easy, hard: terms.and(all) }
}

/// Asks easy questions, then a hard one during which `signal` is sent, then easy ones again.
fn survives(signal: Signal, patience: Duration, expected: impl Fn(&Reason) -> bool) {
    let mut terms = Terms::new();
    let Formulas { base, easy, hard } = formulas(&mut terms);
    let mut session = session(&[Z3, "-in"], patience);
    session.assert(&terms, base);
    session.push();
    for _ in 0..3 {
        assert_eq!(session.check_assuming(&terms, &[easy]), Answer::Unsat);
        let process = session.process_id().and_then(|id| Pid::from_raw(id.cast_signed())).expect("it runs");
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            kill_process(process, signal)
        });
        let answer = session.check_assuming(&terms, &[hard]);
        assert!(matches!(&answer, Answer::Unknown(reason) if expected(reason)), "{answer}");
        killer.join().expect("it does not panic").expect("the solver was still there");
        assert_eq!(session.process_id(), None);
        assert!(test_kill_process(process).is_err(), "the old process was reaped");
        // The session goes on and has forgotten nothing, neither inside nor outside of the scope.
        assert_eq!(session.check_assuming(&terms, &[easy]), Answer::Unsat);
        assert_eq!(session.core(&terms), Ok(vec![easy]));
        assert_eq!(session.check(&terms), Answer::Sat);
        assert!(session.model(&mut terms).is_ok());
    }
    session.pop();
    assert_eq!(session.check_assuming(&terms, &[easy]), Answer::Unsat);
}

#[test]
fn a_killed_solver_is_replaced() {
    survives(
        Signal::KILL,
        Duration::from_secs(60),
        |reason| matches!(reason, Reason::SolverDied(how) if how.contains("SIGKILL")),
    );
}

#[test]
fn a_stopped_solver_is_replaced() {
    survives(Signal::STOP, Duration::from_secs(10), |reason| *reason == Reason::ResourceLimit);
}

#[test]
fn a_solver_that_is_asked_to_end_is_replaced() {
    survives(Signal::TERM, Duration::from_secs(60), |reason| matches!(reason, Reason::SolverDied(_)));
}

/// A folder that does not exist yet. A script makes it on its first run, and so knows that the next is not the first.
struct Mark(PathBuf);

impl Mark {
    fn new(name: &str) -> Mark {
        Mark(std::env::temp_dir().join(format!("unreach-kill-test-{}-{name}", std::process::id())))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // It is missing if the test failed early.
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// The first run is a solver up to its second query, where it misbehaves; later runs are proper solvers.
fn misbehaves(name: &str, misbehaviour: &str, limit: Duration, expected: impl Fn(&Reason) -> bool) {
    let mark = Mark::new(name);
    let folder = mark.0.to_str().expect("temporary folders have proper names").to_owned();
    // The first query is `check-sat`, the second `check-sat-assuming`; everything up to it goes to the real solver.
    let script = r#"
        if mkdir "$1" 2>/dev/null; then
            while read -r line; do
                case "$line" in
                    *check-sat-assuming*) MISBEHAVE ;;
                    *) printf '%s\n' "$line" ;;
                esac
            done | "$0" -in
        else
            exec "$0" -in
        fi"#;
    let misbehaviour = format!("{{ {misbehaviour}; }} >&3");
    let script = format!("exec 3>&1; {}", script.replace("MISBEHAVE", &misbehaviour));
    let mut terms = Terms::new();
    let Formulas { base, easy, .. } = formulas(&mut terms);
    let mut session = session(&["sh", "-c", &script, Z3, &folder], limit);
    session.assert(&terms, base);
    assert_eq!(session.check(&terms), Answer::Sat, "{name}");
    let answer = session.check_assuming(&terms, &[easy]);
    assert!(matches!(&answer, Answer::Unknown(reason) if expected(reason)), "{name}: {answer}");
    assert_eq!(session.check_assuming(&terms, &[easy]), Answer::Unsat, "{name}");
    assert_eq!(session.check(&terms), Answer::Sat, "{name}");
}

#[test]
fn nonsense_floods_and_silence_are_values() {
    let died = |words: &'static str| move |reason: &Reason| matches!(reason, Reason::SolverDied(how) if how.contains(words));
    // Long enough for a solver to start on a busy machine; where nothing comes, it is waited for.
    let (waited, patient) = (Duration::from_secs(10), Duration::from_secs(120));
    let limited = |reason: &Reason| *reason == Reason::ResourceLimit;
    misbehaves("words", "echo Segmentation fault; cat >/dev/null", waited, limited);
    misbehaves("unbalanced", "echo 'sat))'; cat >/dev/null", patient, died("senseless"));
    misbehaves(
        "two answers",
        "echo sat; echo unsat; read -r l; echo end-of-exchange-3",
        patient,
        died("senseless: sat unsat"),
    );
    misbehaves("no answer", "read -r l; echo end-of-exchange-3", patient, died("senseless"));
    misbehaves("not UTF-8", "printf '\\377 '; read -r l; echo end-of-exchange-3", patient, died("senseless"));
    misbehaves("flood", "yes", patient, died("wrote more than"));
    misbehaves("silence", "cat >/dev/null", waited, limited);
    misbehaves(
        "error",
        "echo '(error \"out of luck\")'; read -r l; echo end-of-exchange-3",
        patient,
        |reason| *reason == Reason::Error("out of luck".into()),
    );
}

#[test]
fn a_solver_that_never_starts_is_a_value() {
    let mut terms = Terms::new();
    let Formulas { easy, .. } = formulas(&mut terms);
    for (command, words) in [
        ("/nowhere/solver", "cannot be started"),
        ("false", "exit status: 1"),
        ("echo hello", "exit status: 0"),
    ] {
        let mut session = ProcessSession::new(ProcessOptions::command(command), &Budget::unlimited());
        session.assert(&terms, easy);
        for _ in 0..2 {
            let answer = session.check(&terms);
            let Answer::Unknown(Reason::SolverDied(how)) = answer else { panic!("{command}: {answer}") };
            assert!(how.contains(words), "{command}: {how}");
        }
    }
}
