//! Programs check by check: every check is proven, failing, open, or behind one that always fails.

use std::sync::Arc;
use unreach::answer::Proof;
use unreach::checks::{Found, Survey, survey};
use unreach::{Answer, Budget, CSettings, Observer, Plan, Problem, Silent, export, report};

fn surveyed(problem: &Problem, plan: &Plan) -> Survey {
    let observer: Arc<dyn Observer> = Arc::new(Silent);
    survey(problem, plan, &Budget::unlimited(), &observer).expect("no failure").expect("a view")
}

/// The line of every check with a word for what was found out.
fn words(survey: &Survey) -> Vec<(u32, &'static str)> {
    let word = |found: &Found| match found {
        Found::Proven => "proven",
        Found::NotReached => "not reached",
        Found::Fails(_) => "fails",
        Found::Open(_) => "open",
    };
    let line = |(check, found): &(unreach::checks::Check, Found)| {
        (survey.sources.line_column(check.span).line, word(found))
    };
    survey.checks.iter().map(line).collect()
}

fn c(text: &str) -> Problem {
    let mut problem = Problem::c("checks.c", text);
    problem.c = CSettings {
        checks: c::Checks::default().with(c::Check::Overflow).with(c::Check::Division),
        ..CSettings::default()
    };
    problem
}

#[test]
fn every_failing_check_has_its_own_execution() {
    let text = "extern int input(void);\n\
        int main(void) {\n\
        int x = input(), y = input();\n\
        int sum = x + 1;\n\
        if (y > 5) __VERIFIER_assert(y > 6);\n\
        if (y == 3) y = 7 / (x - 9);\n\
        __VERIFIER_assert(sum > x);\n\
        return 0; }\n";
    let survey = surveyed(&c(text), &Plan::default());
    let expected = [(4, "fails"), (5, "fails"), (6, "fails"), (6, "fails"), (7, "proven")];
    assert_eq!(words(&survey), expected, "{}", report::checks::listing(&survey));
    for (check, found) in &survey.checks {
        let Found::Fails(decision) = found else { continue };
        let Answer::Unsafe(execution) = &decision.answer else { panic!("{check:?}: {decision:?}") };
        let view = decision.view.as_ref().expect("an execution is of a program");
        let place = execution.failure.place;
        let body = view.program.procedures[place.procedure].body.as_ref().expect("it failed there");
        assert_eq!(body.blocks[place.block].statements[place.index].span, check.span);
    }
}

#[test]
fn what_no_execution_reaches_is_not_called_proven() {
    let text = "extern int input(void);\n\
        int main(void) {\n\
        int x = input();\n\
        __VERIFIER_assert(x != x);\n\
        __VERIFIER_assert(x == 5);\n\
        return 0; }\n";
    let survey = surveyed(&c(text), &Plan::default());
    assert_eq!(words(&survey), [(4, "fails"), (5, "not reached")]);
}

#[test]
fn an_assert_macro_that_is_reached_and_holds_is_proven() {
    let text = "#include <assert.h>\n\
        extern int input(void);\n\
        extern void reach_error(void);\n\
        int main(void) {\n\
        int x = input();\n\
        assert(x != 7);\n\
        if (x < 0 || x > 5) return 0;\n\
        assert(x <= 10 && x >= 0);\n\
        if (x > 20) assert(x == 3);\n\
        return 0; }\n";
    let survey = surveyed(&c(text), &Plan::default());
    assert_eq!(words(&survey), [(6, "fails"), (8, "proven"), (9, "not reached")]);
}

#[test]
fn a_hard_check_does_not_hide_the_others() {
    // Nobody knows whether the loop ends for all numbers.
    let text = "procedure main(n: int, k: int) {\n\
        var x, i: int;\n\
        assume n > 0 && k >= 0; x := n; i := 0;\n\
        while (i < k) { i := i + 1; }\n\
        assert k <= i;\n\
        while (x != 1) { if (x mod 2 == 0) { x := x div 2; } else { x := 3 * x + 1; } i := i + 1; }\n\
        assert i != k + 100000007;\n\
        assert x == 1;\n\
        assert n > 0;\n\
        }\n";
    let survey = surveyed(&Problem::boogie("hard.bpl", text), &Plan::default().with_rounds(5));
    assert_eq!(words(&survey), [(5, "proven"), (7, "open"), (8, "proven"), (9, "proven")]);
    let rest = survey.rest.expect("nothing fails");
    assert!(matches!(rest.answer, Answer::Unknown(_)));
}

#[test]
fn checks_that_are_proven_apart_are_a_proof_in_parts() {
    // With one round the engines have no time to prove both loops at once.
    let text = "procedure main(n: int) {\n\
        var i, j: int;\n\
        i := 0; j := 0;\n\
        while (i < n) { i := i + 1; if (*) { j := j + 2; } }\n\
        assert n <= i;\n\
        assert j mod 2 == 0;\n\
        assert j >= 0;\n\
        }\n";
    let problem = Problem::boogie("parts.bpl", text);
    let plan = Plan::default();
    let mut survey = surveyed(&problem, &plan);
    assert!(words(&survey).iter().all(|(_, word)| *word == "proven"));
    let rest = survey.rest.take().expect("nothing fails");
    let Answer::Safe(safe) = &rest.answer else { panic!("{rest:?}") };
    match &safe.proof {
        Proof::Parts(parts) => assert!(parts.len() > 1),
        Proof::Automata(_) | Proof::Unwinding(_) => {}
    }
}

#[test]
fn clauses_of_contracts_are_checks() {
    let text = "procedure p(x: int) returns (r: int)\n\
        requires x > 0;\n\
        ensures r > x;\n\
        ensures r > 1;\n\
        { r := x + 1; if (x == 7) { r := 7; } }\n\
        procedure main(y: int) { var z: int; call z := p(y); assert z > 0; }\n";
    let survey = surveyed(&Problem::boogie("clauses.bpl", text), &Plan::default());
    let expected = [(2, "fails"), (3, "fails"), (4, "proven"), (6, "proven")];
    assert_eq!(words(&survey), expected, "{}", report::checks::listing(&survey));
}

#[test]
fn threads_have_checks_too() {
    let text = "var g: int;\n\
        procedure worker() modifies g; { g := g + 1; assert g > 0; }\n\
        procedure ULTIMATE.start() modifies g; {\n\
        g := 0;\n\
        fork 1 worker();\n\
        assert g == 0;\n\
        join 1;\n\
        assert g == 1;\n\
        }\n";
    let survey = surveyed(&Problem::boogie("threads.bpl", text), &Plan::default());
    assert_eq!(words(&survey), [(2, "proven"), (6, "fails"), (8, "proven")]);
}

#[test]
fn sarif_has_a_result_for_every_check() {
    let text = "extern int input(void);\n\
        int main(void) {\n\
        int x = input();\n\
        int y = x + 1;\n\
        __VERIFIER_assert(y > x);\n\
        return y; }\n";
    let problem = c(text);
    let log = export::sarif_of_survey("a.c", problem.property, &surveyed(&problem, &Plan::default()));
    let results = log["runs"][0]["results"].as_array().expect("results");
    let kinds: Vec<_> = results.iter().map(|result| (&result["kind"], &result["ruleId"])).collect();
    assert_eq!(
        format!("{kinds:?}"),
        r#"[(String("fail"), String("no-overflow")), (String("pass"), String("assert"))]"#
    );
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][1]["id"], "assert");
    assert_eq!(results[1]["ruleIndex"], 1);
    assert_eq!(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
}
