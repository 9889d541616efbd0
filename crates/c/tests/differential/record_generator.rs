//! Random C programs about layouts and values: structs and unions with bit-fields, arrays and other structs in them, packed
//! and aligned; initialisers with and without designators; conversions between integer types; copies of bytes; a variable
//! number of arguments; numbers written as text. Nothing undefined happens (up to wrapping arithmetic), and bytes are
//! looked at only where all of them, padding too, were written.

use base::Random;
use std::fmt::Write;

const HEAD: &str = r#"
#include <stdarg.h>
typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int snprintf(char *, size_t, const char *, ...);
long long result;
static void note(long long value) { result = (long long)((unsigned long long)result * 31u + (unsigned long long)value); }
static void bytes(const void *from, size_t size) { const unsigned char *p = from; for (size_t i = 0; i < size; i++) note(p[i]); }
static long long sum(int count, ...) {
  va_list list; va_start(list, count); long long total = 0;
  for (int i = 0; i < count; i++) total = total * 3 + (i % 3 == 0 ? va_arg(list, int) : i % 3 == 1 ? va_arg(list, long) : *va_arg(list, int *));
  va_end(list); return total;
}
"#;

const INTEGERS: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// A member that is a number.
struct Member {
    /// How it is reached from the object.
    path: String,
}

/// A struct or union with its members.
struct Record {
    name: String,
    members: Vec<Member>,
    is_union: bool,
    /// Whether there is a `_Bool` in it, which not every byte is a value of.
    truths: bool,
}

fn pick<'t>(random: &mut Random, from: &[&'t str]) -> &'t str {
    from[random.below(from.len())]
}

/// Declares a record; it may contain earlier ones.
fn record(random: &mut Random, out: &mut String, known: &[Record]) -> Record {
    let number = known.len();
    let is_union = random.below(4) == 0;
    let word = if is_union { "union" } else { "struct" };
    let name = format!("{word} r{number}");
    let attribute = match random.below(6) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(8)))",
        _ => "",
    };
    let (mut members, mut truths) = (Vec::new(), false);
    let mut body = String::new();
    for field in 0..2 + random.below(5) {
        let integer = pick(random, &INTEGERS[usize::from(is_union)..]);
        let inner = known.get(random.below(known.len() + 1)).filter(|inner| !(is_union && inner.truths));
        // Writing to a string cannot fail.
        let _ = match random.below(8) {
            0 | 1 if integer != "_Bool" && !integer.contains("long") && !integer.contains("char") => {
                let most = if integer.contains("short") { 16 } else { 32 };
                members.push(Member { path: format!(".f{field}") });
                write!(body, " {integer} f{field} : {};", 1 + random.below(most))
            }
            2 => write!(body, " unsigned : {};", random.below(9)),
            3 => {
                truths |= integer == "_Bool";
                members.push(Member { path: format!(".f{field}[1]") });
                write!(body, " {integer} f{field}[2];")
            }
            4 if inner.is_some() => {
                let Some(inner) = inner else { continue };
                truths |= inner.truths;
                let paths = inner.members.iter().map(|member| format!(".f{field}{}", member.path));
                members.extend(paths.take(2).map(|path| Member { path }));
                write!(body, " {} f{field};", inner.name)
            }
            _ => {
                truths |= integer == "_Bool";
                members.push(Member { path: format!(".f{field}") });
                write!(body, " {integer} f{field};")
            }
        };
    }
    members.push(Member { path: ".last".to_owned() });
    let _ = writeln!(out, "{name} {{{body} int last; }}{attribute};");
    Record { name, members, is_union, truths }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x33);
    let mut out = String::from(HEAD);
    let mut records: Vec<Record> = Vec::new();
    for _ in 0..2 + random.below(3) {
        let next = record(&mut random, &mut out, &records);
        records.push(next);
    }
    for (index, record) in records.iter().enumerate() {
        let given = initialiser(&mut random, record);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "static {} g{index} = {given}; {0} s{index}[2];", record.name);
    }
    out.push_str("int main(void) {\n  int number = 7; char text[40];\n");
    for (index, record) in records.iter().enumerate() {
        let _ = writeln!(out, "  note(sizeof({0})); note(_Alignof({0}));", record.name);
        let given = initialiser(&mut random, record);
        let _ = writeln!(out, "  {} l{index} = {given};", record.name);
    }
    for _ in 0..16 + random.below(16) {
        statement(&mut random, &mut out, &records);
    }
    for (index, record) in records.iter().enumerate() {
        for member in &record.members {
            let _ =
                writeln!(out, "  note(g{index}{0}); note(l{index}{0}); note(s{index}[1]{0});", member.path);
        }
    }
    out.push_str("  return 0;\n}\n");
    out
}

/// A list of values: by position for unions, by name for structs, some of them twice.
fn initialiser(random: &mut Random, record: &Record) -> String {
    let count = if record.is_union { 1 } else { 1 + random.below(record.members.len()) };
    let mut parts = Vec::new();
    for _ in 0..count {
        let member = &record.members[random.below(record.members.len())];
        parts.push(format!("{} = {}", member.path, random.below(300) as i64 - 100));
    }
    format!("{{ {} }}", parts.join(", "))
}

fn statement(random: &mut Random, out: &mut String, records: &[Record]) {
    let index = random.below(records.len());
    let record = &records[index];
    let place = match random.below(3) {
        0 => format!("g{index}"),
        1 => format!("l{index}"),
        _ => format!("s{index}[{}]", random.below(2)),
    };
    let member = &record.members[random.below(record.members.len())].path;
    let other = &record.members[random.below(record.members.len())].path;
    let number = random.below(100_000) as i64 - 50_000;
    let (to, from) = (pick(random, INTEGERS), pick(random, INTEGERS));
    let line = match random.below(13) {
        0 => format!("{place}{member} = {number};"),
        1 => format!("{place}{member} += {number}; {place}{other}--;"),
        2 => format!("note(++{place}{member}); note({place}{other}++);"),
        3 => format!("{place}{member} = ({to})({from}){place}{other};"),
        4 => format!("note(({to})({number} * ({from}){place}{member}) >> 1);"),
        5 => format!("note({place}{member} < {place}{other}); note(-{place}{member} / 3);"),
        6 => format!(
            "memset(&{place}, 0, sizeof {place}); {place}{member} = {number}; bytes(&{place}, sizeof {place});"
        ),
        7 => format!("memcpy(&s{index}[0], &{place}, sizeof {place}); note(s{index}[0]{member});"),
        8 => format!("{{ {} copy = {place}; copy{member} ^= 5; {place} = copy; }}", record.name),
        9 => format!(
            "{{ {} *p = &{place}; p->last = {number}; (*p){member} |= 3; note(p->last); }}",
            record.name
        ),
        10 => format!("note(sum(3, (int){place}{member}, (long){number}, &number));"),
        11 => format!(
            "note(snprintf(text, sizeof text, \"%d:%5u|%-4x%c\", (int){place}{member}, {}u, {}, 'z')); for (int i = 0; text[i]; i++) note(text[i]);",
            number.unsigned_abs(),
            number.unsigned_abs()
        ),
        _ => format!(
            "{{ unsigned char raw[sizeof {place}]; memset(raw, {}, sizeof raw); memcpy(&s{index}[1], raw, sizeof raw); }} note(s{index}[1].last);",
            number.rem_euclid(2)
        ),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  {line}");
}
