//! Witnesses about programs with threads: whose waypoint it is, races, and what `verify` writes.

use super::{NO_EXECUTION, answer, assumption, at, problem, task};
use c::{Event, Monitor, Place, Race, Segment, Waypoint};
use evidence::witness::write;
use unreach::Property;

/// What happens at a place in a thread.
type Passed = (Option<u32>, Place, Event);

/// The answer to a violation witness; `other` is a second target.
fn violation(program: &str, property: Property, passed: &[Passed], other: Option<Passed>) -> String {
    let waypoint = |(index, (thread, place, event)): (usize, &Passed)| Waypoint {
        entry: index as u32 + 1,
        place: place.clone(),
        event: event.clone(),
        thread: *thread,
    };
    let segments = passed.iter().enumerate().map(waypoint);
    let segments = segments.map(|follow| Segment { avoid: Vec::new(), follow }).collect();
    let race = other.map(|other| Race::Between(waypoint((passed.len(), &other))));
    let monitor = Monitor { segments, race, ..Monitor::default() };
    answer(&problem(program, property), &write::violation(&task(program), &monitor))
}

const WRITERS: &str = "\
#include <pthread.h>
extern void reach_error(void);
int x, y;
void *first(void *argument) {
  x = 1;
  return 0;
}
void *second(void *argument) {
  x = x + 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  if (x == 3)
    reach_error();
  y = 1;
  return 0;
}
";

#[test]
fn a_waypoint_is_passed_by_its_thread_only() {
    let place = |line, mark| at(WRITERS, line, mark);
    let create = |line| (Some(0), place(line, ");"), Event::Enter);
    let target = |thread| (Some(thread), place(17, "reach_error"), Event::Target);
    let see = |thread, line, text: &str| (Some(thread), place(line, "return"), assumption(text));
    let start = |more: Vec<Passed>| [vec![create(14), create(15)], more].concat();
    for (expected, passed) in [
        ("confirmed", start(vec![target(0)])),
        ("confirmed", start(vec![see(1, 6, "x == 1"), see(2, 10, "x == 3"), target(0)])),
        // The second thread has written first, so the sum is lost; or it reads before the first one writes.
        (NO_EXECUTION, start(vec![see(2, 10, "x == 2"), see(1, 6, "x == 1"), target(0)])),
        // The order of segments is that of the execution.
        (
            "confirmed",
            start(vec![see(1, 6, "1"), (Some(0), place(16, "if"), Event::Branching(true)), target(0)]),
        ),
        (
            NO_EXECUTION,
            start(vec![(Some(0), place(16, "if"), assumption("x == 0")), see(1, 6, "x == 0"), target(0)]),
        ),
        // Places of one thread are not visited by the other.
        (NO_EXECUTION, start(vec![see(2, 6, "1"), target(0)])),
        (NO_EXECUTION, start(vec![see(1, 10, "1"), target(0)])),
        (NO_EXECUTION, start(vec![see(0, 6, "1"), target(0)])),
        (NO_EXECUTION, start(vec![target(1)])),
        // Numbers count the creations that are waypoints, not those of the program.
        ("confirmed", vec![create(15), see(1, 10, "x == 3"), target(0)]),
        (NO_EXECUTION, vec![create(15), see(1, 6, "1"), target(0)]),
        // The second thread cannot be there before it is created.
        (NO_EXECUTION, vec![create(14), see(1, 6, "x == 3"), create(15), target(0)]),
    ] {
        assert_eq!(violation(WRITERS, Property::UnreachCall, &passed, None), expected, "{passed:?}");
    }
    let nobody = violation(WRITERS, Property::UnreachCall, &[create(14), see(2, 10, "1"), target(0)], None);
    assert!(nobody.contains("thread 2, which no waypoint creates"), "{nobody}");
}

#[test]
fn only_errors_of_the_thread_at_the_target_count() {
    // The target cannot fail; that another thread fails meanwhile is nothing that it says.
    let program = "\
#include <pthread.h>
extern void reach_error(void);
int x;
void *work(void *argument) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  if (x == 0)
    reach_error();
  return 0;
}
";
    let create = (Some(0), at(program, 10, ");"), Event::Enter);
    let target = |thread, line, mark: &str| (thread, at(program, line, mark), Event::Target);
    for (expected, target) in [
        (NO_EXECUTION, target(Some(1), 5, "x =")),
        (NO_EXECUTION, target(None, 5, "x =")),
        ("confirmed", target(Some(0), 12, "reach")),
    ] {
        let thread = target.0;
        let passed = if thread.is_some() { vec![create.clone(), target] } else { vec![target] };
        assert_eq!(violation(program, Property::UnreachCall, &passed, None), expected, "{passed:?}");
    }
}

#[test]
fn a_loop_creates_threads_of_which_one_is_meant() {
    let program = "\
#include <pthread.h>
extern void reach_error(void);
int x;
void *count(void *argument) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t id;
  for (int i = 0; i < 2; i++)
    pthread_create(&id, 0, count, 0);
  if (x == 2)
    reach_error();
  return 0;
}
";
    let create = || (Some(0), at(program, 13, ");"), Event::Enter);
    let target = || (Some(0), at(program, 15, "reach"), Event::Target);
    let end = |thread, text: &str| (Some(thread), at(program, 8, "return"), assumption(text));
    for (expected, passed) in [
        ("confirmed", vec![create(), end(1, "x == 2"), target()]),
        ("confirmed", vec![create(), create(), end(2, "x == 1"), target()]),
        (NO_EXECUTION, vec![create(), create(), end(1, "x == 1"), end(2, "x == 1"), target()]),
        (NO_EXECUTION, vec![create(), create(), create(), target()]),
    ] {
        assert_eq!(violation(program, Property::UnreachCall, &passed, None), expected, "{passed:?}");
    }
}

const RACING: &str = "\
#include <pthread.h>
int x, y, z;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *first(void *argument) {
  x = 1;
  pthread_mutex_lock(&lock);
  y = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
void *second(void *argument) {
  if (x == 0)
    z = 1;
  pthread_mutex_lock(&lock);
  y = 2;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  return 0;
}
";

#[test]
fn a_race_happens_at_its_targets() {
    let place = |line, mark| at(RACING, line, mark);
    let create = |line| (Some(0), place(line, ");"), Event::Enter);
    let target = |thread, line, mark| (Some(thread), place(line, mark), Event::Target);
    let start = |more: Vec<Passed>| [vec![create(21), create(22)], more].concat();
    let elsewhere = "unknown: there is a race, which was not found at the target";
    for (expected, one, other) in [
        ("confirmed", target(1, 5, "x"), Some(target(2, 12, "if"))),
        ("confirmed", target(2, 12, "if"), Some(target(1, 5, "x"))),
        ("confirmed", target(1, 5, "x"), None),
        ("confirmed", target(2, 12, "if"), None),
        // Another thread, a place with a lock, and one that only one thread knows.
        (elsewhere, target(2, 5, "x"), Some(target(1, 12, "if"))),
        (elsewhere, target(1, 7, "y"), Some(target(2, 15, "y"))),
        (elsewhere, target(1, 7, "y"), None),
        (elsewhere, target(2, 13, "z"), None),
    ] {
        let answer = violation(RACING, Property::NoDataRace, &start(vec![one.clone()]), other.clone());
        assert_eq!(answer, expected, "{one:?} {other:?}");
    }
    // What comes before makes the race impossible.
    let ended = (Some(1), place(9, "return"), assumption("1"));
    let late = start(vec![ended, (Some(2), place(12, "if"), assumption("x == 0")), target(1, 5, "x")]);
    assert_eq!(violation(RACING, Property::NoDataRace, &late, None), elsewhere);
    // A value that nobody writes: no execution comes to the target, with a race or without.
    let never =
        [create(21), (Some(0), place(22, "pthread"), assumption("x == 5")), create(22), target(1, 5, "x")];
    assert_eq!(violation(RACING, Property::NoDataRace, &never, None), NO_EXECUTION);
    // Two targets are no violation of another property.
    let twice = start(vec![target(1, 5, "x")]);
    let answer = violation(RACING, Property::UnreachCall, &twice, Some(target(2, 12, "if")));
    assert!(answer.starts_with("rejected: two targets"), "{answer}");
}

/// Programs with threads whose verdict is `FALSE`, and what the witness must say.
const OWN: &[(&str, Property, &[&str])] = &[
    (WRITERS, Property::UnreachCall, &["\"2.2\"", "function_enter", "thread_id: 0"]),
    (RACING, Property::NoDataRace, &["\"2.2\"", "thread_id: 1", "thread_id: 2"]),
    (
        "#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint x;\n\
         void *work(void *argument) {\n  int n = __VERIFIER_nondet_int();\n  x = n;\n\
         if (x != n) reach_error();\n  return 0;\n}\n\
         int main(void) {\n  pthread_t a;\n  int m = __VERIFIER_nondet_int();\n\
         pthread_create(&a, 0, work, 0);\n  x = m;\n  return 0;\n}\n",
        Property::UnreachCall,
        &["\"2.2\"", "thread_id: 1", "function_return"],
    ),
];

#[test]
fn own_witnesses_about_threads_are_confirmed() {
    for (program, property, said) in OWN {
        let problem = problem(program, *property);
        let text = super::own(&problem);
        for word in *said {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
        assert_eq!(answer(&problem, &text), "confirmed", "{program}\n{text}");
    }
}
