//! The query log and the cross-check.

use base::Budget;
use logic::{Model, Quantifier, Sort, SortData, Term, Terms};
use smt::cross_check::CrossCheck;
use smt::process::{ProcessOptions, ProcessSession};
use smt::query_log::QuerySink;
use smt::{Answer, Reason, Solver, Solvers};
use std::cell::RefCell;
use std::rc::Rc;

type Scripts = Rc<RefCell<Vec<(String, String)>>>;

fn sink() -> (QuerySink, Scripts) {
    let scripts = Scripts::default();
    let inner = Rc::clone(&scripts);
    let sink = QuerySink::new(move |name, text| inner.borrow_mut().push((name.to_owned(), text.to_owned())));
    (sink, scripts)
}

/// What the Z3 executable says about a script.
fn replay(script: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("UNREACH_Z3_EXECUTABLE"))
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Z3 is there");
    child.stdin.take().expect("it is a pipe").write_all(script.as_bytes()).expect("Z3 reads");
    let output = child.wait_with_output().expect("Z3 ends");
    String::from_utf8(output.stdout).expect("it is text").trim().to_owned()
}

#[test]
fn logged_scripts_reproduce_the_answers() {
    let (sink, scripts) = sink();
    let solvers = Solvers::new(&Budget::unlimited()).with_query_log(sink);
    let mut terms = Terms::new();
    let x = terms.named("a name with |bars| and blanks", Sort::INT);
    let u = terms.sort(SortData::Uninterpreted("U".into()));
    let f = terms.function("f", &[u], Sort::INT);
    let (p, zero) = (terms.named("p", u), terms.int(0));
    let fp = terms.apply(f, &[p]);
    let (above, below) = (terms.lt(x, fp), terms.lt(fp, x));
    let mut answers = Vec::new();
    let (mut first, mut second) = (solvers.session(), solvers.session());
    first.assert(&terms, above);
    first.push();
    let positive = terms.gt(x, zero);
    first.assert(&terms, positive);
    answers.push(first.check(&terms));
    answers.push(first.check_assuming(&terms, &[below]));
    second.assert(&terms, below);
    answers.push(second.check(&terms));
    first.pop();
    answers.push(first.check(&terms));
    let scripts = scripts.borrow();
    assert_eq!(scripts.len(), answers.len());
    for (i, ((name, script), answer)) in scripts.iter().zip(&answers).enumerate() {
        assert_eq!(*name, format!("{:06}.smt2", i + 1));
        assert_eq!(replay(script), answer.to_string(), "{script}");
        assert!(script.contains(&format!("(set-info :status {answer})")), "{script}");
    }
    expect_test::expect![[r#"
        (set-info :status unsat)
        (set-logic ALL)
        (declare-sort U 0)
        (declare-const |%a name with %7cbars%7c and blanks| Int)
        (declare-const p U)
        (declare-fun f (U) Int)
        (assert (<= (+ |%a name with %7cbars%7c and blanks| (* (- 1) (f p))) (- 1)))
        (assert (not (<= |%a name with %7cbars%7c and blanks| 0)))
        (assert (not (<= (+ |%a name with %7cbars%7c and blanks| (* (- 1) (f p))) 0)))
        (check-sat)
    "#]]
    .assert_eq(&scripts[1].1);
}

#[test]
fn an_unknown_answer_is_logged_with_its_reason() {
    let (sink, scripts) = sink();
    let solvers = Solvers::new(&Budget::unlimited()).with_query_log(sink);
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
    let [tx, ty] = [x, y].map(|symbol| terms.constant(symbol));
    let product = terms.mul(&[tx, tx, tx, ty, ty]);
    let seven = terms.int(7_919);
    let body = terms.eq(product, seven);
    let formula = terms.quantify(Quantifier::Exists, &[x], body, &[]);
    let all = terms.quantify(Quantifier::Forall, &[y], formula, &[]);
    let mut session = solvers.session();
    session.set_rlimit(Some(1));
    session.assert(&terms, all);
    let answer = session.check(&terms);
    let Answer::Unknown(reason) = answer else { panic!("{answer}") };
    let text = format!("; {reason}\n; asked with the resource limit 1\n(set-info :status unknown)\n");
    assert!(scripts.borrow()[0].1.starts_with(&text), "{:?}", scripts.borrow());
}

#[test]
fn two_honest_solvers_agree() {
    let command = [env!("UNREACH_Z3_EXECUTABLE"), "-in"].map(str::to_owned).to_vec();
    let options = ProcessOptions { command, ..ProcessOptions::command("") };
    let cross_check = CrossCheck::new(ProcessSession::new(options, &Budget::unlimited()));
    let solvers = Solvers::new(&Budget::unlimited()).with_cross_check(cross_check.clone());
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.named(name, Sort::INT));
    let (less, more) = (terms.lt(x, y), terms.lt(y, x));
    let mut sessions = [solvers.session(), solvers.session()];
    sessions[0].assert(&terms, less);
    sessions[1].assert(&terms, more);
    for session in &mut sessions {
        session.push();
        assert_eq!(session.check(&terms), Answer::Sat);
        assert!(session.model(&mut terms).is_ok());
        assert_eq!(session.check_assuming(&terms, &[less, more]), Answer::Unsat);
        session.pop();
    }
    assert_eq!(sessions[1].core(&terms), Err(Reason::NothingToAsk));
    assert_eq!(cross_check.disagreements(), Vec::<String>::new());
}

/// A solver that says the same whatever it is asked.
struct Parrot(Answer);

impl Solver for Parrot {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &Terms, _: Term) {}
    fn check_assuming(&mut self, _: &Terms, _: &[Term]) -> Answer {
        self.0.clone()
    }
    fn model(&mut self, _: &mut Terms) -> Result<Model, Reason> {
        Ok(Model::new())
    }
    fn core(&mut self, _: &Terms) -> Result<Vec<Term>, Reason> {
        Ok(Vec::new())
    }
    fn set_rlimit(&mut self, _: Option<u32>) {}
}

#[test]
fn disagreement_is_recorded_and_never_an_answer() {
    let cross_check = CrossCheck::new(Parrot(Answer::Sat));
    let solvers = Solvers::new(&Budget::unlimited()).with_cross_check(cross_check.clone());
    let mut terms = Terms::new();
    let mut session = solvers.session();
    assert_eq!(session.check(&terms), Answer::Sat);
    let answer = session.check_assuming(&terms, &[Term::FALSE]);
    assert!(matches!(answer, Answer::Unknown(Reason::Disagreement(_))), "{answer}");
    assert_eq!(session.core(&terms), Err(Reason::NothingToAsk));
    assert_eq!(session.model(&mut terms).map(|_| ()), Err(Reason::NothingToAsk));
    assert_eq!(cross_check.disagreements(), ["unsat by the first, sat by the second"]);
}

#[test]
fn a_second_solver_that_does_not_know_does_not_disturb() {
    let cross_check = CrossCheck::new(Parrot(Answer::Unknown(Reason::ResourceLimit)));
    let solvers = Solvers::new(&Budget::unlimited()).with_cross_check(cross_check.clone());
    let terms = Terms::new();
    let mut session = solvers.session();
    assert_eq!(session.check_assuming(&terms, &[Term::FALSE]), Answer::Unsat);
    assert_eq!(session.check(&terms), Answer::Sat);
    assert!(cross_check.disagreements().is_empty());
}
