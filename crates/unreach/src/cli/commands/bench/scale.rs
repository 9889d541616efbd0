//! How the time grows with the program: families of safe programs, each with a size.
//!
//! A family's row has the time of the whole plan for every size, reading the program included, and the exponent `e` of the
//! growth `n^e` from a size whose time is no longer that of the start to the largest size with an answer.

mod many;

use super::decide;
use crate::cli::arguments::Bench;
use crate::cli::bad_input::BadInput;
use property::named::Group;
use std::fmt::Write;
use std::time::Duration;
use unreach::{Problem, Property};

/// Below this, starting is what takes the time.
const START: Duration = Duration::from_millis(60);

/// The language of a family, and what is asked.
#[derive(Clone, Copy)]
enum Asks {
    /// Assertions of a Boogie program.
    Boogie,
    /// Assertions of a C program.
    C,
    /// How a C program accesses memory.
    Memory,
}

struct Family {
    name: &'static str,
    asks: Asks,
    program: fn(usize) -> String,
}

const FAMILIES: [Family; 30] = [
    Family { name: "seq", asks: Asks::Boogie, program: sequence },
    Family { name: "procs", asks: Asks::Boogie, program: procedures },
    Family { name: "vars", asks: Asks::Boogie, program: variables },
    Family { name: "branch", asks: Asks::Boogie, program: branches },
    Family { name: "nested", asks: Asks::Boogie, program: nested_loops },
    Family { name: "chain", asks: Asks::Boogie, program: call_chain },
    Family { name: "tree", asks: Asks::Boogie, program: call_tree },
    Family { name: "switch", asks: Asks::C, program: state_machine },
    Family { name: "inputs", asks: Asks::C, program: many_inputs },
    Family { name: "arrays", asks: Asks::Boogie, program: arrays },
    Family { name: "asserts", asks: Asks::C, program: assertions },
    Family { name: "file", asks: Asks::C, program: functions_of_a_file },
    Family { name: "threads", asks: Asks::C, program: threads },
    Family { name: "locks", asks: Asks::C, program: locks },
    Family { name: "line", asks: Asks::C, program: straight_line },
    Family { name: "struct", asks: Asks::C, program: wide_struct },
    Family { name: "parts", asks: Asks::Boogie, program: parts },
    Family { name: "cases", asks: Asks::C, program: cases },
    Family { name: "fields", asks: Asks::C, program: fields },
    Family { name: "pointers", asks: Asks::C, program: pointers },
    Family { name: "records", asks: Asks::C, program: many::records },
    Family { name: "tables", asks: Asks::C, program: many::tables },
    Family { name: "protocol", asks: Asks::C, program: many::protocol },
    Family { name: "calls", asks: Asks::C, program: many::calls },
    Family { name: "diamonds", asks: Asks::C, program: many::diamonds },
    Family { name: "twice", asks: Asks::C, program: many::twice },
    Family { name: "ifs", asks: Asks::C, program: many::ifs },
    Family { name: "strings", asks: Asks::C, program: many::strings },
    Family { name: "structs", asks: Asks::C, program: many::structs },
    Family { name: "blocks", asks: Asks::Memory, program: many::blocks },
];

/// Runs the chosen families and prints a line for each, or prints their programs.
pub(super) fn run(job: &Bench) -> Result<(), BadInput> {
    let known = |name: &String| FAMILIES.iter().any(|family| family.name == name);
    if let Some(name) = job.family.iter().find(|name| !known(name)) {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        return Err(BadInput::NoFamily(name.clone(), names.join(", ")));
    }
    let chosen =
        |family: &&Family| job.family.is_empty() || job.family.iter().any(|name| family.name == name);
    let families: Vec<&Family> = FAMILIES.iter().filter(chosen).collect();
    if job.print {
        for family in families {
            job.size.iter().for_each(|&size| print!("{}", (family.program)(size)));
        }
        return Ok(());
    }
    println!("Seconds of processor time to a certified proof of programs of size n; a dash is no answer.");
    let sizes: Vec<String> = job.size.iter().map(|size| format!("n = {size}")).collect();
    println!("{:<10} {} {:>10}", "family", row(&sizes), "n^");
    for Family { name, asks, program } in families {
        let mut times: Vec<Option<Duration>> = Vec::new();
        for &size in &job.size {
            // What takes too long for a program takes too long for the next larger one.
            let previous_failed = times.last().is_some_and(Option::is_none);
            let time = (!previous_failed).then(|| time(name, *asks, &program(size), job.timeout)).flatten();
            times.push(time);
        }
        let show = |time: &Option<Duration>| {
            time.map_or("-".to_owned(), |time| format!("{:.2}", time.as_secs_f64()))
        };
        let cells: Vec<String> = times.iter().map(show).collect();
        let grown = exponent(&job.size, &times).map_or("-".to_owned(), |exponent| format!("{exponent:.1}"));
        println!("{name:<10} {} {grown:>10}", row(&cells));
    }
    Ok(())
}

/// The time to a proof.
fn time(name: &str, asks: Asks, text: &str, timeout: Duration) -> Option<Duration> {
    let mut problem = match asks {
        Asks::Boogie => Problem::boogie(name, text),
        Asks::C | Asks::Memory => Problem::c(name, text),
    };
    if !matches!(asks, Asks::Boogie) {
        problem.property = Property::Assert;
    }
    if matches!(asks, Asks::Memory) {
        let memory = Group::ALL.into_iter().filter(|group| group.word == "memory");
        problem.listed = memory.fold(c::Checks::default(), |checks, group| checks.and(group.checks()));
    }
    let (safe, time) = decide(&problem, timeout);
    safe.filter(|&safe| safe).map(|_| time)
}

/// The exponent of the growth between the first size that takes longer than a start and the last one with an answer.
fn exponent(sizes: &[usize], times: &[Option<Duration>]) -> Option<f64> {
    let solved: Vec<(f64, Duration)> =
        sizes.iter().zip(times).filter_map(|(&size, time)| Some((size as f64, (*time)?))).collect();
    let &(last, most) = solved.last()?;
    let &(first, least) = solved.iter().find(|(_, time)| *time >= START)?;
    (last > first).then(|| (most.as_secs_f64() / least.as_secs_f64()).ln() / (last / first).ln())
}

fn row(cells: &[String]) -> String {
    cells.iter().map(|cell| format!("{cell:>10}")).collect::<Vec<_>>().join(" ")
}

/// A text with a part for every number below `n`.
fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

/// Loops one after the other, with an assertion behind each.
fn sequence(n: usize) -> String {
    let loops =
        each(n, |i| format!("  x := 0;\n  while (x < {0}) {{ x := x + 1; }}\n  assert x == {0};\n", i + 1));
    format!("procedure main() {{\n  var x: int;\n{loops}}}\n")
}

/// Procedures, each with a loop over a global and a call of the next one.
fn procedures(n: usize) -> String {
    let body = |i: usize| {
        let call = if i + 1 < n { format!(" call p{}();", i + 1) } else { String::new() };
        format!(
            "procedure p{i}() modifies g; {{\n  var k: int;\n  k := 0;\n  \
             while (k < 3) {{ k := k + 1; g := g + 1; }}\n {call}\n}}\n"
        )
    };
    format!(
        "var g: int;\nprocedure ULTIMATE.start() modifies g; {{ g := 0; call p0(); assert g >= 0; }}\n{}",
        each(n, body)
    )
}

/// Variables in one loop with as many branches.
fn variables(n: usize) -> String {
    let declared = each(n, |i| format!("  var x{i}: int;\n"));
    let start = each(n, |i| format!("  x{i} := 0;\n"));
    let round = each(n, |i| format!("    if (*) {{ x{i} := x{i} + 1; }}\n"));
    let end = each(n, |i| format!("  assert x{i} >= 0;\n"));
    format!("procedure main() {{\n{declared}{start}  while (*) {{\n{round}  }}\n{end}}}\n")
}

/// One loop whose body has many branches: as many paths as two to the power of their number.
fn branches(n: usize) -> String {
    let round = each(n, |i| {
        format!("    if (*) {{ x := x + {i}; y := y + {i}; }} else {{ x := x - 1; y := y - 1; }}\n")
    });
    format!(
        "procedure main() {{\n  var x, y: int;\n  x := 0; y := 0;\n  while (*) {{\n{round}  }}\n  assert x == y;\n}}\n"
    )
}

/// Loops inside of each other, in groups of four.
fn nested_loops(n: usize) -> String {
    let group = |g: usize| {
        let depth = 4.min(n - 4 * g);
        let mut text = String::new();
        for level in 0..depth {
            // Writing to a string cannot fail.
            let _ = write!(text, "  i{level} := 0;\n  while (i{level} < n) {{\n    s := s + 1;\n");
        }
        for level in (0..depth).rev() {
            let _ = write!(text, "    i{level} := i{level} + 1;\n  }}\n");
        }
        text
    };
    format!(
        "procedure main(n: int) {{\n  var i0, i1, i2, i3, s: int;\n  s := 0;\n{}  assert s >= 0;\n}}\n",
        each(n.div_ceil(4), group)
    )
}

/// Procedures that call the next one and add to its result.
fn call_chain(n: usize) -> String {
    let body = |i: usize| match i + 1 < n {
        true => format!(
            "procedure f{i}(x: int) returns (r: int) {{ call r := f{}(x + 1); r := r - 1; }}\n",
            i + 1
        ),
        false => format!("procedure f{i}(x: int) returns (r: int) {{ r := x; }}\n"),
    };
    format!(
        "procedure ULTIMATE.start() {{ var a, b: int; havoc a; call b := f0(a); assert b == a; }}\n{}",
        each(n, body)
    )
}

/// Procedures that call two others: a tree of calls.
fn call_tree(n: usize) -> String {
    let body = |i: usize| {
        let call = |j: usize| if j < n { format!(" call t{j}();") } else { String::new() };
        format!("procedure t{i}() modifies g; {{ g := g + 1;{}{} }}\n", call(2 * i + 1), call(2 * i + 2))
    };
    format!(
        "var g: int;\nprocedure ULTIMATE.start() modifies g; {{ g := 0; call t0(); assert g >= 1; }}\n{}",
        each(n, body)
    )
}

/// A machine with a state for every number, driven by three inputs.
fn state_machine(n: usize) -> String {
    let case = |i: usize| {
        format!(
            "      case {i}: if (in == 0) state = {}; else if (in == 1) state = {i}; else state = 0; break;\n",
            (i + 1) % n
        )
    };
    format!(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int state = 0;\n  while (1) {{\n    \
         int in = __VERIFIER_nondet_int();\n    switch (state) {{\n{}    }}\n    \
         //@ assert state >= 0 && state < {n};\n  }}\n}}\n",
        each(n, case)
    )
}

/// A machine with eight states and an input for every number.
fn many_inputs(n: usize) -> String {
    let case = |i: usize| {
        format!("      case {i}: state = (state == {}) ? {} : 0; break;\n", i % 8, (i * 3 + 1) % 8)
    };
    format!(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int state = 0;\n  while (1) {{\n    \
         int in = __VERIFIER_nondet_int();\n    switch (in) {{\n{}    }}\n    \
         //@ assert state >= 0 && state < 8;\n  }}\n}}\n",
        each(n, case)
    )
}

/// Arrays, each filled by a loop of its own.
fn arrays(n: usize) -> String {
    let declared = each(n, |i| format!("  var a{i}: [int]int;\n"));
    let fill = each(n, |i| {
        format!(
            "  k := 0;\n  while (k < 10) {{ a{i}[k] := {i}; k := k + 1; }}\n  a{i}[0] := {i};\n  assert a{i}[0] == {i};\n"
        )
    });
    format!("procedure main() {{\n  var k: int;\n{declared}{fill}}}\n")
}

/// Loops with two phases, of which one is executed, with an assertion behind each. Static analysis has no words for the phases, so the traces to
/// the assertions are analysed, and have nothing to do with each other.
fn parts(n: usize) -> String {
    let declared = each(n, |i| format!("  var x{i}, y{i}: int;\n"));
    let part = |i: usize| {
        format!(
            "  if (k == {i}) {{\n    x{i} := 0; y{i} := 5;\n    while (x{i} < {0}) {{\n      \
             if (x{i} >= 5) {{ y{i} := y{i} + 1; }}\n      x{i} := x{i} + 1;\n    }}\n    assert y{i} == {0};\n  }}\n",
            10 + i
        )
    };
    format!("procedure main() {{\n  var k: int;\n{declared}{}}}\n", each(n, part))
}

/// Assertions about variables that have nothing to do with each other.
fn assertions(n: usize) -> String {
    let part = |i: usize| {
        format!(
            "  {{\n    int x = __VERIFIER_nondet_int(), y = 0;\n    if (x > 0 && x < 1000) {{\n      \
             while (y < x) y++;\n      //@ assert y == x && x != {};\n    }}\n  }}\n",
            1000 + i
        )
    };
    format!("extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n{}  return 0;\n}}\n", each(n, part))
}

/// A file with twelve lines for each of its functions, which have nothing to do with each other and assert something each.
fn functions_of_a_file(n: usize) -> String {
    let function = |i: usize| {
        format!(
            "static void f{i}(void) {{\n  int n = __VERIFIER_nondet_int();\n  int i = 0, s = 0;\n  \
             if (n < 0 || n > 1000)\n    return;\n  while (i < n) {{\n    i++;\n    s += {};\n  }}\n  \
             //@ assert s == {} * n;\n}}\n\n",
            i % 5 + 1,
            i % 5 + 1
        )
    };
    let calls = each(n, |i| format!("  f{i}();\n"));
    format!(
        "extern int __VERIFIER_nondet_int(void);\n{}int main(void) {{\n{calls}  return 0;\n}}\n",
        each(n, function)
    )
}

/// Threads, each with a variable and a lock of its own.
fn locks(n: usize) -> String {
    let thread = |i: usize| {
        format!(
            "pthread_mutex_t l{i} = PTHREAD_MUTEX_INITIALIZER;\nint a{i}, b{i};\nvoid *w{i}(void *p) {{\n  \
             pthread_mutex_lock(&l{i});\n  a{i}++;\n  b{i}++;\n  pthread_mutex_unlock(&l{i});\n  return 0;\n}}\n"
        )
    };
    let start = each(n, |i| format!("  pthread_create(&ids[{i}], 0, w{i}, 0);\n"));
    let check = each(n, |i| {
        format!("  pthread_mutex_lock(&l{i});\n  //@ assert a{i} == b{i};\n  pthread_mutex_unlock(&l{i});\n")
    });
    format!(
        "#include <pthread.h>\n{}int main(void) {{\n  pthread_t ids[{n}];\n{start}{check}  return 0;\n}}\n",
        each(n, thread)
    )
}

/// Threads that change a variable under a lock.
fn threads(n: usize) -> String {
    let start = each(n, |i| format!("  pthread_create(&ids[{i}], 0, work, 0);\n"));
    format!(
        "#include <pthread.h>\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nint a, b;\n\
         void *work(void *p) {{\n  pthread_mutex_lock(&lock);\n  a++;\n  b++;\n  pthread_mutex_unlock(&lock);\n  \
         return 0;\n}}\nint main(void) {{\n  pthread_t ids[{n}];\n{start}  pthread_mutex_lock(&lock);\n  \
         //@ assert a == b;\n  pthread_mutex_unlock(&lock);\n  return 0;\n}}\n"
    )
}

/// Statements one after the other, with branches that meet again.
fn straight_line(n: usize) -> String {
    let part = each(n, |i| {
        format!("  if (x > {i}) {{ s += 1; t += 2; }} else {{ s += 2; t += 4; }}\n  x = x + {};\n", i % 3)
    });
    format!(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  long s = 0, t = 0;\n  \
         long x = __VERIFIER_nondet_int();\n{part}  //@ assert t == 2 * s;\n  return 0;\n}}\n"
    )
}

/// A struct with many members, copied and changed through a pointer.
fn wide_struct(n: usize) -> String {
    let members = each(n, |i| format!("  int m{i};\n"));
    let set = each(n, |i| format!("  p->m{i} = {i};\n"));
    let check = each(n, |i| format!("  //@ assert copy.m{i} == {i};\n"));
    format!(
        "struct wide {{\n{members}}};\nstatic void fill(struct wide *p) {{\n{set}}}\n\
         int main(void) {{\n  struct wide one, copy;\n  fill(&one);\n  copy = one;\n{check}  return 0;\n}}\n"
    )
}

/// A loop around a choice between n cases, each with a loop and an assertion of its own.
fn cases(n: usize) -> String {
    let case = |i: usize| {
        let step = i % 7 + 1;
        format!(
            "    case {i}: {{\n      int s = 0;\n      for (int j = 0; j < n; j++) s += {step};\n      \
             assert(s == {step} * n);\n      break;\n    }}\n"
        )
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  for (;;) {{\n    \
         int n = __VERIFIER_nondet_int();\n    if (n < 0 || n > 1000) break;\n    \
         switch (__VERIFIER_nondet_int()) {{\n{}    default: return 0;\n    }}\n  }}\n  return 0;\n}}\n",
        each(n, case)
    )
}

/// A struct with n fields, each counted up in a loop with the same bound.
fn fields(n: usize) -> String {
    let count = |i: usize| {
        format!("  s.f{i} = 0;\n  for (int k = 0; k < m; k++) s.f{i} += 1;\n  assert(s.f{i} == m);\n")
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstruct wide {{\n{}}};\nint main(void) {{\n  \
         struct wide s;\n  int m = __VERIFIER_nondet_int();\n  if (m < 0 || m > 1000) return 0;\n{}  return 0;\n}}\n",
        each(n, |i| format!("  int f{i};\n")),
        each(n, count)
    )
}

/// A chain of calls that hands on two pointers and changes what is behind them.
fn pointers(n: usize) -> String {
    let body = |i: usize| {
        let i = n - 1 - i;
        let call = if i + 1 < n { format!("  f{}(p, q);\n", i + 1) } else { String::new() };
        format!(
            "static void f{i}(int *p, int *q) {{\n  *p = *p + 1;\n  if (*q > {i}) *q = *q - 1;\n{call}}}\n"
        )
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n{}int main(void) {{\n  int x = 0;\n  \
         int y = __VERIFIER_nondet_int();\n  int z = y;\n  f0(&x, &y);\n  assert(x == {n});\n  \
         assert(y <= z);\n  return 0;\n}}\n",
        each(n, body)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_programs_of_all_families_are_proven() {
        for Family { name, asks, program } in FAMILIES {
            let text = program(3);
            assert!(time(name, asks, &text, Duration::from_secs(60)).is_some(), "{name}\n{text}");
        }
    }

    #[test]
    fn the_exponent_is_that_of_the_growth() {
        const SIZES: [usize; 4] = [5, 20, 80, 320];
        let seconds = |times: [Option<u64>; 4]| times.map(|time| time.map(Duration::from_secs));
        let exponent = |times: &[Option<Duration>]| exponent(&SIZES, times);
        let near =
            |times, expected: f64| exponent(&seconds(times)).is_some_and(|e| (e - expected).abs() < 0.01);
        assert!(near([Some(1), Some(4), Some(16), Some(64)], 1.0));
        assert!(near([Some(1), Some(16), None, None], 2.0));
        assert_eq!(exponent(&seconds([None; 4])), None);
        assert_eq!(
            exponent(&[Some(Duration::from_millis(20)), Some(Duration::from_millis(30)), None, None]),
            None
        );
    }
}
