//! A counterexample as a C test: a file that, compiled with gcc, leads the program into its error.
//!
//! The file holds the program itself, as it was written, with a call at the places where the property sees an error
//! ([`Site`]). Before it stand definitions of the verifier's functions that the program does not define; the input
//! functions give, call by call, the values of the counterexample. Reaching the error prints `error reached` and exits with
//! code 1. A program that does not begin with `main` gets one that calls its first function. What an execution must not do by itself
//! is what the compiler's sanitizers see, which end the test with an error of their own. Numbers without an initialiser get the values that the counterexample found in them, and other memory that was never written is zero, as it mostly is in
//! counterexamples. `main` gets the arguments that it had there. Overflow is what the compiler's sanitizer sees: its trap counts as the error.
//!
//! All definitions have names of their own and take the names that the program calls only in the object file, so the
//! program may declare these functions as it likes.

use crate::options::{Check, Property};
use crate::translate::{Arguments, BackMap, CKind, Input};
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

/// What only a test of memory needs: memory that was not written is zero, and blocks are looked for when the program ends, also if it
/// aborts. Pointers in frames that are gone, and buffers of the library, are none of the program's.
const MEMORY: &str = "\
const char *unreach_address_options(void) __asm__(\"__asan_default_options\");
const char *unreach_address_options(void) { return \"detect_leaks=LEAKS:detect_stack_use_after_return=1:malloc_fill_byte=0:max_malloc_fill_size=1048576\"; }
const char *unreach_leak_options(void) __asm__(\"__lsan_default_options\");
const char *unreach_leak_options(void) { return \"use_stacks=0:use_registers=0:use_globals=GLOBALS\"; }
const char *unreach_no_leaks(void) __asm__(\"__lsan_default_suppressions\");
const char *unreach_no_leaks(void) { return \"leak:_IO_file_doallocate\\nleak:_IO_str_init\\n\"; }
extern void unreach_look_for_blocks(void) __asm__(\"__lsan_do_leak_check\") __attribute__((weak));
static void unreach_end(void) { if (unreach_look_for_blocks) unreach_look_for_blocks(); unreach_exit(0); }
static void unreach_look(const volatile void *at, unsigned long size) { unsigned long i = 0; do (void)((const volatile char *)at)[i]; while (++i < size); }
extern void *unreach_signal(int, void *) __asm__(\"signal\");
__attribute__((constructor)) static void unreach_catch_abort(void) { unreach_signal(6, (void *)unreach_end); }
";

/// How a test is built in which sanitizers look for the error.
const SANITIZED: &str =
    " -g -fsanitize=address,undefined -fno-sanitize-recover=all -ftrivial-auto-var-init=zero";

/// What models assume is what the counterexample keeps to.
const ASSUME: &str = "\
#undef __builtin_assume
#define __builtin_assume(condition) if (!(condition)) unreach_exit(0)
#define __unreach_error() ((void)0)
#define __unreach_errno() ((void)0)
";

/// The name of the program's own `main`, where another one calls it.
const OWN_MAIN: &str = "unreach_main_of_program";

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

/// A counterexample, as far as a test has to know it.
#[derive(Clone, Copy, Debug)]
pub struct Failing<'a> {
    /// The inputs in the order in which the program asks for them: external variables, and the variables that
    /// `havoc` statements of the translation set, with their values. Other variables are skipped.
    pub inputs: &'a [(Variable, BigInt)],
    /// Where it fails, if that is in a program of C.
    pub at: Option<base::Span>,
}

/// The test for a counterexample. `flags` are those that a compiler needs to read the program.
pub fn harness(back: &BackMap, sources: &SourceMap, failing: Failing<'_>, flags: &str) -> Option<String> {
    let inputs = failing.inputs;
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
    let asked = |checks: &[Check]| checks.iter().any(|&check| back.asked.contains(check));
    let memory = asked(&[Check::Deref, Check::Free, Check::Track, Check::Cleanup]);
    let sanitizers = if overflow {
        " -fsanitize=signed-integer-overflow,shift -fsanitize-undefined-trap-on-error"
    } else if memory || begins.is_some() {
        SANITIZED
    } else {
        ""
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, " Build: gcc -w{sanitizers}{flags} -o test FILE.c -lm */");
    text.push_str(START);
    if overflow {
        text.push_str(TRAP);
    } else if memory {
        let leaks = if asked(&[Check::Track, Check::Cleanup]) { "1" } else { "0" };
        let globals = if asked(&[Check::Cleanup]) { "0" } else { "1" };
        text.push_str(&MEMORY.replace("LEAKS", leaks).replace("GLOBALS", globals));
    }
    // Where an assertion is not what is asked about, the program ends there.
    let at_error = match back.property {
        Some(Property::NoOverflow) => "unreach_exit(0)",
        Some(Property::MemSafety | Property::MemCleanup | Property::Checks) if memory => "unreach_end()",
        _ => "unreach_error()",
    };
    for (number, (name, parameters, body)) in FUNCTIONS.iter().enumerate() {
        if !back.defined.contains(*name) {
            let body = body.replace("unreach_error()", at_error);
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
    text.push_str(&reading(back, sources));
    let inputs_of: Vec<&str> = back.inputs.iter().map(|input| input.function.as_str()).collect();
    let known = |name: &str| FUNCTIONS.iter().any(|(known, ..)| *known == name);
    for (number, name) in back.missing.iter().enumerate() {
        if !inputs_of.contains(&name.as_str()) && !known(name) {
            let _ = writeln!(text, "long unreach_missing{number}(void) __asm__(\"{name}\");");
            let _ = writeln!(text, "long unreach_missing{number}(void) {{ return 0; }}");
        }
    }
    let main = match begins {
        Some(entry) => Some(format!("int main(void) {{ {entry}(); return 0; }}\n")),
        None => back.arguments.map(|arguments| main_with(arguments, inputs)),
    };
    if main.is_some() {
        // The program may have a `main` of its own.
        let _ = writeln!(text, "#define main {OWN_MAIN}");
    }
    let _ = writeln!(text, "#line 1 \"{}\"", source.name.escape_default());
    text.push_str(&instrumented(back, sources, failing.at.filter(|_| memory && !overflow))?);
    if let Some(main) = main {
        text.push_str("\n#undef main\n");
        text.push_str(&main);
    }
    Some(text)
}

/// Functions of the library that read something, as their models are: they read what the counterexample says.
fn reading(back: &BackMap, sources: &SourceMap) -> String {
    let mut text = String::new();
    let of_library = |input: &&Input| sources.file(input.span.file).name == crate::models::FILE_NAME;
    let Some(input) = back.inputs.iter().find(of_library) else { return text };
    let asked = |question: &str| back.inputs.iter().any(|input| input.function == question);
    for (name, model) in crate::models::reading(&sources.file(input.span.file).text) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut questions = model.split(|c| !is_part(c)).filter(|word| word.starts_with("__nondet"));
        let (Some((before, _)), true) = (model.split_once("\n{"), questions.all(asked)) else { continue };
        let head = before.lines().last().unwrap_or_default();
        let _ = writeln!(text, "#define {name} unreach_library_{name}");
        let _ = writeln!(text, "{head} __asm__(\"{name}\");\n{model}#undef {name}");
    }
    if !text.is_empty() {
        text.insert_str(0, ASSUME);
    }
    text
}

/// A `main` that calls the program's own with the arguments of the counterexample.
fn main_with(arguments: Arguments, inputs: &[(Variable, BigInt)]) -> String {
    match arguments {
        Arguments::Count(count, parameters) => {
            let value = inputs.iter().find(|(variable, _)| *variable == count);
            let value = value.map_or("0".to_owned(), |(_, value)| literal(value, CKind::Integer));
            let others = ", (void *)0".repeat(parameters.saturating_sub(1));
            format!("int main(void) {{ {OWN_MAIN}({value}{others}); return 0; }}\n")
        }
        // Strings are as long as they were, and empty.
        Arguments::Strings(parameters) => {
            let caller = crate::models::caller(parameters)
                .replace("int main();\n", ASSUME)
                .replace("return main(", &format!("return {OWN_MAIN}("))
                .replace(crate::models::CALLER, "main");
            let alloca = "text = __builtin_alloca(size);";
            caller.replace(alloca, &format!("{alloca}\n        __builtin_memset(text, 0, size);"))
        }
    }
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

/// The program with calls at the error sites, and with a read of what is read where it fails; nothing if a site cannot be said in C.
fn instrumented(back: &BackMap, sources: &SourceMap, fails_at: Option<base::Span>) -> Option<String> {
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
    if let Some(span) = fails_at.filter(|&span| span.file == file && is_read(source, span)) {
        let read = source.get(span.start as usize..span.end as usize)?;
        let before = format!("(*({{ __typeof__({read}) *unreach_at = &(");
        let behind = "); unreach_look(unreach_at, sizeof *unreach_at); unreach_at; }))";
        insertions.push((span.start as usize, before));
        insertions.push((span.end as usize, behind.to_owned()));
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

/// Whether an expression is certain to be the place of an object that is read, and no bit-field: what a pointer points to, or an element
/// of an array. A compiler may leave out the read if it needs no value.
fn is_read(source: &str, span: base::Span) -> bool {
    let (start, end) = (span.start as usize, span.end as usize);
    let (Some(text), Some(before)) = (source.get(start..end), source.get(..start)) else { return false };
    let line = before.rsplit('\n').next().unwrap_or_default();
    let changes = text.contains("++") || text.contains("--") || text.contains(['=', ',', '\n']);
    (text.starts_with('*') || text.ends_with(']')) && !changes && !line.trim_start().starts_with('#')
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
