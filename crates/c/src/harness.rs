//! A counterexample as a C test: a file that, compiled together with the program, leads it into its error.
//!
//! The file defines the verifier's input functions so that each gives, call by call, the values of the counterexample;
//! and, unless the program defines them itself, the other functions of the verifier. Reaching the error prints
//! `error reached` and exits with code 1.

use crate::translate::{BackMap, Input};
use ir::Variable;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What does not depend on the counterexample. A weak function gives way to one that the program defines.
const FIXED: &str = "\
extern int puts(const char *);
extern void _Exit(int);
static void unreach_error(void) { puts(\"error reached\"); extern int fflush(void *); fflush((void *)0); _Exit(1); }
__attribute__((weak)) void reach_error(void) { unreach_error(); }
__attribute__((weak)) void __VERIFIER_error(void) { unreach_error(); }
__attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) unreach_error(); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) _Exit(0); }
__attribute__((weak)) void assume_abort_if_not(int condition) { if (!condition) _Exit(0); }
__attribute__((weak)) void __VERIFIER_atomic_begin(void) { }
__attribute__((weak)) void __VERIFIER_atomic_end(void) { }
";

/// The test for inputs in the order in which the program asks for them: the variables that `havoc` statements of the
/// translation set, with their values. Variables that are no inputs are skipped.
pub fn harness(back: &BackMap, inputs: &[(Variable, BigInt)]) -> String {
    let mut functions: BTreeMap<&str, (&Input, Vec<&BigInt>)> = BTreeMap::new();
    // A function that is never asked must exist all the same, or the program does not link.
    for input in &back.inputs {
        functions.entry(&input.function).or_insert((input, Vec::new()));
    }
    for (variable, value) in inputs {
        if let Some(input) = back.inputs.iter().find(|input| input.variable == *variable)
            && let Some((_, values)) = functions.get_mut(input.function.as_str())
        {
            values.push(value);
        }
    }
    let mut text = String::from(FIXED);
    for (name, (input, values)) in functions {
        let ty = &input.ty;
        let list: Vec<String> = values.iter().map(|value| literal(value)).collect();
        let count = values.len();
        // Behind the last value the counterexample does not care.
        let _ = writeln!(
            text,
            "{ty} {name}(void)\n{{\n    static const {ty} values[] = {{ {} }};\n    static unsigned next;\n    \
             return next < {count} ? values[next++] : ({ty})0;\n}}",
            if list.is_empty() { "0".to_owned() } else { list.join(", ") },
        );
    }
    text
}

/// A number as a C constant expression.
fn literal(value: &BigInt) -> String {
    if *value == BigInt::from(i64::MIN) {
        "-9223372036854775807LL - 1".to_owned()
    } else if *value > BigInt::from(i64::MAX) {
        format!("{value}ULL")
    } else {
        format!("{value}LL")
    }
}
