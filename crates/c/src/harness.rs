//! A counterexample as a C test: a file that, compiled with gcc, leads the program into its error.
//!
//! The file holds the program itself, as it was written, with a call at the places where the property sees an error
//! ([`Site`]). Before it stand definitions of the verifier's functions that the program does not define; the input
//! functions give, call by call, the values of the counterexample. Reaching the error prints `error reached` and exits with
//! code 1. A program that does not begin with `main` gets one that calls its first function. What an execution must not do by itself
//! is what the compiler's sanitizers see, which end the test with an error of their own. Numbers without an initialiser get the values that the counterexample found in them. Overflow is what the compiler's sanitizer sees: its trap counts as the error.
//!
//! All definitions have names of their own and take the names that the program calls only in the object file, so the
//! program may declare these functions as it likes.

use crate::options::Property;
use crate::translate::{BackMap, CKind, Input};
use base::SourceMap;
use ir::Variable;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the program reaches an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Site {
    /// Here begins the body of a function whose call is the error.
    Body(base::Span),
    /// Here begins the body of a function that gets a condition by this name, and not meeting it is the error.
    Condition(base::Span, String),
    /// Here stands a label, and reaching it is the error.
    Label(base::Span),
    /// This condition of an annotation has to hold.
    Annotation(base::Span),
}

/// What every test begins with.
const START: &str = "\
extern long unreach_write(int, const void *, unsigned long) __asm__(\"write\");
extern void unreach_exit(int) __asm__(\"_exit\");
static void unreach_error(void) { unreach_write(1, \"error reached\\n\", 14); unreach_exit(1); }
";

/// What only a test of overflow needs.
const TRAP: &str = "\
extern void *unreach_signal(int, void *) __asm__(\"signal\");
__attribute__((constructor)) static void unreach_catch_trap(void) { unreach_signal(4, (void *)unreach_error); }
";

/// Functions of the verifier and of `assert`, as parameters and body.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("reach_error", "void", "unreach_error();"),
    ("__VERIFIER_error", "void", "unreach_error();"),
    ("__VERIFIER_assert", "int condition", "if (!condition) unreach_error();"),
    ("assert", "int condition", "if (!condition) unreach_error();"),
    ("__assert_fail", "void", "unreach_error();"),
    ("__VERIFIER_assume", "int condition", "if (!condition) unreach_exit(0);"),
    ("__CPROVER_assume", "int condition", "if (!condition) unreach_exit(0);"),
    ("assume_abort_if_not", "int condition", "if (!condition) unreach_exit(0);"),
    ("__ESBMC_assume", "int condition", "if (!condition) unreach_exit(0);"),
    ("klee_assume", "unsigned long condition", "if (!condition) unreach_exit(0);"),
    ("__CPROVER_assert", "int condition", "if (!condition) unreach_error();"),
    ("__CPROVER_precondition", "int condition", "if (!condition) unreach_error();"),
    ("__ESBMC_assert", "int condition", "if (!condition) unreach_error();"),
    ("__goblint_check", "int condition", "if (!condition) unreach_error();"),
    ("__goblint_assume", "int condition", "if (!condition) unreach_exit(0);"),
    ("__VERIFIER_atomic_begin", "void", ""),
    ("__VERIFIER_atomic_end", "void", ""),
];

/// The test for inputs in the order in which the program asks for them: external variables, and the variables that
/// `havoc` statements of the translation set, with their values. Other variables are skipped.
///
/// `flags` are those that a compiler needs to read the program.
pub fn harness(
    back: &BackMap,
    sources: &SourceMap,
    inputs: &[(Variable, BigInt)],
    flags: &str,
) -> Option<String> {
    let file = back.file?;
    let source = sources.file(file);
    let begins = match back.entry.as_str() {
        "main" => None,
        // What the translation has added cannot be called.
        entry if source.text.contains(&format!("void {entry}(void)")) => Some(entry),
        _ => return None,
    };
    let mut text = format!("/* Leads {} into its error.", source.name.replace("*/", "* /"));
    let overflow = back.property == Some(Property::NoOverflow);
    let sanitizers = match (overflow, begins) {
        (true, _) => " -fsanitize=signed-integer-overflow,shift -fsanitize-undefined-trap-on-error",
        (false, Some(_)) => " -g -fsanitize=address,undefined -fno-sanitize-recover=all",
        (false, None) => "",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, " Build: gcc -w{sanitizers}{flags} -o test FILE.c -lm */");
    text.push_str(START);
    if overflow {
        text.push_str(TRAP);
    }
    for (number, (name, parameters, body)) in FUNCTIONS.iter().enumerate() {
        if !back.defined.contains(*name) {
            // Only the overflow is an error then.
            let body = if overflow {
                body.replace("unreach_error()", "unreach_exit(0)")
            } else {
                (*body).to_owned()
            };
            let _ = writeln!(text, "void unreach_function{number}({parameters}) __asm__(\"{name}\");");
            let _ = writeln!(text, "void unreach_function{number}({parameters}) {{ {body} }}");
        }
    }
    for (number, external) in back.externals.iter().enumerate() {
        if let Some(meaning) = back.variables.get(external) {
            let first = inputs.iter().find(|(variable, _)| variable == external);
            let value = first.map_or("0".to_owned(), |(_, value)| literal(value, meaning.kind));
            let (ty, name) = (&meaning.ty, &meaning.name);
            let _ = writeln!(text, "{ty} unreach_variable{number} __asm__(\"{name}\") = {value};");
        }
    }
    input_functions(&mut text, back, inputs);
    if begins.is_some() {
        let asked: Vec<&str> = back.inputs.iter().map(|input| input.function.as_str()).collect();
        let known = |name: &str| FUNCTIONS.iter().any(|(known, ..)| *known == name);
        for (number, name) in back.missing.iter().enumerate() {
            if !asked.contains(&name.as_str()) && !known(name) {
                let _ = writeln!(text, "long unreach_missing{number}(void) __asm__(\"{name}\");");
                let _ = writeln!(text, "long unreach_missing{number}(void) {{ return 0; }}");
            }
        }
        // The program may have a `main` of its own.
        text.push_str("#define main unreach_main_of_program\n");
    }
    let _ = writeln!(text, "#line 1 \"{}\"", source.name.escape_default());
    text.push_str(&instrumented(back, sources)?);
    if let Some(entry) = begins {
        let _ = writeln!(text, "#undef main\nint main(void) {{ {entry}(); return 0; }}");
    }
    Some(text)
}

fn input_functions(text: &mut String, back: &BackMap, inputs: &[(Variable, BigInt)]) {
    let mut functions: BTreeMap<&str, (&Input, Vec<&BigInt>)> = BTreeMap::new();
    // A function that is never asked must exist all the same, or the program does not link.
    // What a library function leaves open has no function of its own.
    for input in back.inputs.iter().filter(|input| !input.function.ends_with("()")) {
        functions.entry(&input.function).or_insert((input, Vec::new()));
    }
    for (variable, value) in inputs {
        if let Some(input) = back.inputs.iter().find(|input| input.variable == *variable)
            && let Some((_, values)) = functions.get_mut(input.function.as_str())
        {
            values.push(value);
        }
    }
    for (number, (name, (input, values))) in functions.into_iter().enumerate() {
        let own = format!("unreach_input{number}");
        let _ = writeln!(text, "{} {own}(void) __asm__(\"{name}\");", input.ty);
        let values: Vec<String> = values.iter().map(|value| literal(value, input.kind)).collect();
        answers(text, &input.ty, &own, &values);
    }
    for (number, (variable, ty)) in back.uninitialised.iter().enumerate() {
        let kind = back.variables.get(variable).map_or(CKind::Integer, |meaning| meaning.kind);
        let values = inputs.iter().filter(|(other, _)| other == variable);
        let values: Vec<String> = values.map(|(_, value)| literal(value, kind)).collect();
        answers(text, &format!("static {ty}"), &format!("unreach_any{number}"), &values);
    }
}

/// A function that gives one value after the other.
fn answers(text: &mut String, head: &str, name: &str, values: &[String]) {
    let ty = head.trim_start_matches("static ");
    let list = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
    let count = values.len();
    // Behind the last value the counterexample does not care.
    let _ = writeln!(
        text,
        "{head} {name}(void)\n{{\n    static const {ty} values[] = {{ {list} }};\n    static unsigned next;\n    \
         return next < {count} ? values[next++] : ({ty})0;\n}}",
    );
}

/// The program with calls at the error sites; nothing if a site cannot be said in C.
fn instrumented(back: &BackMap, sources: &SourceMap) -> Option<String> {
    let file = back.file?;
    let source = &sources.file(file).text;
    let mut insertions: Vec<(usize, String)> = Vec::new();
    // The compiler does not see ghost variables, so that a condition cannot speak of them.
    let has_ghosts = source.contains("@ ghost") || source.contains("@ghost");
    for site in &back.sites {
        let (span, wanted, text) = match site {
            Site::Body(span) => (span, '{', " unreach_error();".to_owned()),
            Site::Condition(span, name) => (span, '{', format!(" if (!({name})) unreach_error();")),
            Site::Label(span) => (span, ':', " unreach_error();".to_owned()),
            Site::Annotation(span) => {
                let condition = sources.text(*span).replace("\\false", "0").replace("\\true", "1");
                if has_ghosts || condition.contains(['\\', '@']) || condition.contains("==>") {
                    return None;
                }
                (span, ';', format!("if (!({condition})) unreach_error();"))
            }
        };
        if span.file != file {
            continue;
        }
        let start = if let Site::Annotation(_) = site { span.end } else { span.start } as usize;
        let at = start + source.get(start..)?.find(wanted)? + wanted.len_utf8();
        let at = if let Site::Annotation(_) = site {
            behind_comment(source, span.start as usize, at)?
        } else {
            at
        };
        insertions.push((at, text));
    }
    for (number, (variable, _)) in back.uninitialised.iter().enumerate() {
        let declaration = back.variables.get(variable).map(|meaning| meaning.span);
        if let Some(span) = declaration.filter(|span| span.file == file)
            && back.variables[variable].name == sources.text(span)
        {
            insertions.push((span.end as usize, format!(" = unreach_any{number}()")));
        }
    }
    insertions.sort();
    insertions.dedup_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(source.len() + 64);
    let mut done = 0;
    for (at, text) in insertions {
        out.push_str(source.get(done..at)?);
        out.push_str(&text);
        done = at;
    }
    out.push_str(source.get(done..)?);
    Some(out)
}

/// Where the comment ends that an annotation stands in; `inside` is in it, `end` is where the annotation ends.
fn behind_comment(source: &str, inside: usize, end: usize) -> Option<usize> {
    let before = source.get(..inside)?;
    let line = before.rfind("//@");
    let block = before.rfind("/*@");
    if line > block {
        Some(end + source.get(end..)?.find('\n')? + 1)
    } else {
        Some(end + source.get(end..)?.find("*/")? + 2)
    }
}

/// A number, or the floating number of a bit pattern, as a C constant expression.
fn literal(value: &BigInt, kind: CKind) -> String {
    if let CKind::Floating(format) = kind {
        return format.constant(value.magnitude());
    }
    let least = BigInt::from(i64::MIN);
    if *value == least {
        "-9223372036854775807LL - 1".to_owned()
    } else if *value > BigInt::from(u64::MAX) || *value < least {
        let two_words = value & BigInt::from(u128::MAX);
        let (high, low) = (&two_words >> 64, &two_words & BigInt::from(u64::MAX));
        format!("(unsigned __int128){high}ULL << 64 | {low}ULL")
    } else if *value > BigInt::from(i64::MAX) {
        format!("{value}ULL")
    } else {
        format!("{value}LL")
    }
}
