//! What `verify` writes with ghosts about programs whose threads share locks.

use super::{GUARDED, answer, problem};
use unreach::export::{self, Format, Version, Wish};
use unreach::{Budget, Plan, Property, Silent, verify};

/// The witness of a proof with what can be said with ghosts, and whether that is something.
fn written(program: &str, format: Format) -> (String, bool) {
    let problem = problem(program, Property::Assert);
    let (plan, budget) = (Plan::default(), Budget::unlimited());
    let decision = verify(&problem, &plan, &budget, std::sync::Arc::new(Silent)).expect("a decision");
    let ghosts = export::ghosts(&problem, &decision, &plan, &budget);
    let says_something = ghosts.is_some();
    let wish = Wish { format, time: "2026-01-31T12:00:00Z".to_owned(), ghosts };
    (export::witness(&problem, &decision, &wish).expect("a witness"), says_something)
}

#[test]
fn what_a_lock_protects_is_written_with_a_ghost() {
    let (text, _) = written(GUARDED, Format::Yaml);
    for part in ["entry_type: ghost_instrumentation", "format_version: \"2.1\"", "name: lock_locked"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let is_said = |line: &str| line.contains("lock_locked == 1 || (") && line.contains("total");
    assert!(text.lines().any(is_said), "{text}");
    let problem = problem(GUARDED, Property::Assert);
    assert_eq!(answer(&problem, &text), "confirmed", "{text}");
    // The ghost is not set where the lock is taken: the lock is held without it.
    let wrong = text.replacen("value: \"1\"", "value: \"0\"", 1);
    assert!(answer(&problem, &wrong).starts_with("rejected: entry"), "{wrong}");
}

#[test]
fn version_2_0_has_no_ghosts() {
    let (text, says_something) = written(GUARDED, Format::YamlOf(Version::V2_0));
    assert!(says_something && text.contains("\"2.0\"") && !text.contains("lock_locked"), "{text}");
    assert_eq!(answer(&problem(GUARDED, Property::Assert), &text), "confirmed", "{text}");
}

/// The second variable changes without the lock, so the lock says nothing about it.
const HALF_GUARDED: &str = "\
#include <pthread.h>
int total, used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  used = 1;
  pthread_mutex_lock(&lock);
  total = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&lock);
  //@ assert total <= used;
  pthread_mutex_unlock(&lock);
  return 0;
}
";

#[test]
fn what_does_not_hold_without_the_lock_is_not_written() {
    let (text, _) = written(HALF_GUARDED, Format::Yaml);
    let equal = ["total == used", "used == total"];
    assert!(!equal.iter().any(|fact| text.contains(fact)), "{text}");
    assert!(text.contains("lock_locked == 1"), "{text}");
    assert_eq!(answer(&problem(HALF_GUARDED, Property::Assert), &text), "confirmed", "{text}");
}

#[test]
fn a_mutex_that_is_given_back_while_waiting_has_no_ghost() {
    let program = GUARDED.replace(
        "  //@ assert",
        "  while (used == 0)\n    pthread_cond_wait(&changed, &lock);\n  //@ assert",
    );
    let program =
        program.replace("int total", "pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\nint total");
    assert!(program.contains("pthread_cond_wait") && program.contains("changed ="), "{program}");
    let (text, says_something) = written(&program, Format::Yaml);
    assert!(!says_something && !text.contains("ghost"), "{text}");
}

#[test]
fn a_version_has_what_it_has_words_for() {
    let count = "\
int main(void) {
  unsigned i = 0;
  while (i < 10u)
    i++;
  return 0;
}
";
    let endless = "int main(void) { while (1) { } }";
    let ended = |program: &str, format| {
        let problem = problem(program, Property::Termination);
        super::written_or_why(&problem, format)
    };
    for version in [Version::V2_1, Version::V2_2] {
        let said = format!("format_version: \"{version}\"");
        for program in [count, endless] {
            let text = ended(program, Format::YamlOf(version)).expect("a witness");
            assert!(text.contains(&said), "{text}");
            assert_eq!(answer(&problem(program, Property::Termination), &text), "confirmed", "{text}");
        }
    }
    let why = ended(endless, Format::YamlOf(Version::V2_0)).expect_err("2.0 has no cycles");
    assert_eq!(why, export::NoWitness::NotInFormat("only YAML from version 2.1 on has cycles"));
    let why = ended(endless, Format::GraphMl).expect_err("GraphML has none here");
    assert_eq!(why, export::NoWitness::NotInFormat("only YAML from version 2.1 on has cycles"));
    // What a version lacks is known before the run.
    assert!(Format::YamlOf(Version::V2_0).lacks(Property::Termination).is_some());
    assert!(Format::GraphMl.lacks(Property::Termination).is_some());
    assert!(Format::YamlOf(Version::V2_1).lacks(Property::Termination).is_none());
    assert!(Format::YamlOf(Version::V2_0).lacks(Property::NoDataRace).is_none());
}

#[test]
fn a_proof_has_no_witness_in_graphml() {
    let problem = problem("int main(void) { return 0; }", Property::Assert);
    let why = super::written_or_why(&problem, Format::GraphMl);
    assert_eq!(why, Err(export::NoWitness::NotInFormat("in GraphML, only violations are written")));
}

#[test]
fn older_versions_say_less_about_threads() {
    let program = "\
#include <pthread.h>
int x;
void *work(void *argument) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  //@ assert x == 0;
  return 0;
}
";
    let problem = problem(program, Property::Assert);
    for (version, threads) in [(Version::V2_0, false), (Version::V2_1, false), (Version::V2_2, true)] {
        let text = super::written_or_why(&problem, Format::YamlOf(version)).expect("a witness");
        assert!(text.contains(&format!("\"{version}\"")), "{text}");
        assert_eq!(text.contains("thread_id"), threads, "{text}");
        assert_eq!(answer(&problem, &text), "confirmed", "{text}");
    }
}
