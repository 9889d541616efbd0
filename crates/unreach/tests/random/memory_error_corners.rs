//! Random C programs that may misuse memory in the corners of the language: structs by value, arrays in structs and in arrays, arrays of
//! variable length, flexible members, pointers to pointers, bytes of objects, recursion, copies of memory and of strings.
//!
//! The same rules hold as for the [plain programs](super::memory_error_programs): what goes wrong is what AddressSanitizer sees. In
//! particular, no block is empty, because the sanitizer makes it larger; no pointer to an array of variable length leaves its block, because
//! the sanitizer does not follow it there; and no index leaves an inner array for another part of its object unseen by the sanitizer of bounds.

use base::Random;
use std::fmt::Write;

const HEAD: &str = r#"
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
size_t strlen(const char *); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
int __VERIFIER_nondet_int(void);
struct pair { int a; short b[2]; };
struct box { struct pair p; struct pair *at; int *cell; };
struct flex { int n; int tail[]; };
int sum; int grid[2][3]; struct pair pairs[2]; struct box gbox;
static struct pair both(int v) { struct pair r; r.a = v; r.b[0] = 1; r.b[1] = 2; return r; }
static int deep(int n, int *from) { int own = n; if (n <= 0) return *from; return deep(n - 1, n > 2 ? from : &own); }
static int *keep(int n, int *to) { int own = n; int *way = &own; return n > 1 ? to : way; }
static void twice(int **p) { if (*p) { free(*p); } *p = 0; }
static int *block(int n) { int *m = calloc(n, sizeof(int)); m[0] = n; return m; }
static struct flex *flexible(int n) { struct flex *f = malloc(sizeof *f + n * sizeof(int)); f->n = n; for (int i = 0; i < n; i++) f->tail[i] = i; return f; }
static int apply(int (*f)(int, int *), int n, int *p) { return f(n, p); }
"#;

/// The program of a seed; each input has so many values.
pub fn program(seed: u64, inputs: u32) -> String {
    let mut writer =
        Writer { random: Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x51a7), out: HEAD.to_owned() };
    writer.out.push_str("int main(void) {\n");
    for input in ["x", "y"] {
        let _ = writeln!(
            writer.out,
            "  int {input} = __VERIFIER_nondet_int(); if ({input} < 0 || {input} >= {inputs}) return 0;"
        );
    }
    writer.out.push_str("  int own[3] = { 1, 2, 3 }; int *p = 0, *q = 0, **pp = &p; char text[5] = \"ab\"; char *s = 0; unsigned char *bytes = 0;\n");
    writer.out.push_str("  struct box here = { { 1, { 2, 3 } }, 0, 0 }; struct pair one = { 4, { 5, 6 } }; struct flex *f = 0; struct box *bp = &here;\n");
    for _ in 0..4 + writer.random.below(9) {
        writer.statement(1);
    }
    for (pointer, times) in [("s", 3), ("f", 3), ("p", 4)] {
        if writer.random.below(times) > 0 {
            writer.line(1, &format!("free({pointer}); {pointer} = 0;"));
        }
    }
    // What is not freed now is lost.
    writer.out.push_str("  gbox.at = 0; gbox.cell = 0;\n  return 0;\n}\n");
    writer.out
}

struct Writer {
    random: Random,
    out: String,
}

impl Writer {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn number(&mut self) -> String {
        match self.random.below(5) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "(x + y) / 2".to_owned(),
            _ => self.random.below(3).to_string(),
        }
    }

    fn statement(&mut self, depth: usize) {
        let p = self.random.pick(&["p", "q", "*pp", "here.cell", "gbox.cell", "bp->cell"]);
        let q = self.random.pick(&[
            "p",
            "q",
            "own",
            "&own[1]",
            "&one.a",
            "grid[1]",
            "&grid[0][2]",
            "&here.p.a",
            "gbox.cell",
        ]);
        let kinds = if depth < 3 { 44 } else { 38 };
        let text = match self.random.below(kinds) {
            0 | 1 => format!("{p} = block({} + 1);", self.number()),
            2 => format!("{p} = {q};"),
            3 => format!("free({p}); {p} = 0;"),
            4 => format!("free({p});"),
            5 => format!("twice({});", self.random.pick(&["&p", "&q", "pp", "&here.cell", "&gbox.cell"])),
            6 => format!("if ({p}) sum += *{p};"),
            7 => format!("if ({p}) *{p} = {};", self.number()),
            8 => format!(
                "sum += grid[{}][{}];",
                self.random.pick(&["0", "1", "x / 2", "y % 2", "x"]),
                self.number()
            ),
            9 => format!("grid[{}][{}] = 1;", self.random.pick(&["0", "1", "y / 2", "x % 2"]), self.number()),
            10 => {
                format!("pairs[{}] = both({});", self.random.pick(&["0", "1", "x", "y % 2"]), self.number())
            }
            11 => format!(
                "one = pairs[{}]; sum += one.b[{}];",
                self.random.pick(&["0", "1", "x / 2"]),
                self.random.pick(&["0", "1", "y / 2", "y"])
            ),
            12 => format!("here.p = {};", self.random.pick(&["one", "both(x)", "pairs[1]", "gbox.p"])),
            13 => format!(
                "here.at = {};",
                self.random.pick(&[
                    "&one",
                    "&pairs[1]",
                    "&gbox.p",
                    "0",
                    "pairs",
                    "malloc(sizeof(struct pair))"
                ])
            ),
            14 => "if (here.at) { here.at->a = x; sum += here.at->a; }".to_owned(),
            15 => "if (here.at) { *here.at = both(y); one = *here.at; }".to_owned(),
            16 => "gbox = here;".to_owned(),
            17 => "here = gbox;".to_owned(),
            18 => format!("bp = {};", self.random.pick(&["&gbox", "&here"])),
            19 => format!("f = flexible({});", self.number()),
            20 => format!("if (f) {{ f->tail[{}] = 2; }}", self.number()),
            21 => format!(
                "if (f) sum += f->tail[{}] + f->n;",
                self.random.pick(&["0", "x", "f->n - 1", "f->n"])
            ),
            22 => "if (f) { free(f); f = 0; }".to_owned(),
            23 => format!("strcpy(text, \"{}\");", self.random.pick(&["", "abc", "abcd", "abcde"])),
            24 => format!("strcat(text, \"{}\");", self.random.pick(&["", "a", "ab"])),
            25 => format!("strncpy(text, \"abc\", {});", self.random.pick(&["2", "5", "x + 3", "y + 2"])),
            26 => "sum += (int)strlen(text);".to_owned(),
            27 => format!(
                "{{ size_t size = strlen(text) + {}; s = calloc(size ? size : 1, 1); strcpy(s, text); }}",
                self.random.pick(&["1", "x", "2"])
            ),
            28 => format!("if (s) sum += s[{}];", self.number()),
            29 => "free(s); s = 0;".to_owned(),
            30 => format!(
                "bytes = (unsigned char *){}; sum += bytes[{}];",
                self.random.pick(&["&one", "own", "&here", "pairs"]),
                self.random.pick(&["0", "3", "x", "7", "y + 4", "12"])
            ),
            31 => format!(
                "memcpy(own, {}, {} * sizeof(int));",
                self.random.pick(&["grid", "grid[1]", "&grid[0][1]"]),
                self.random.pick(&["1", "3", "x + 1", "y + 1"])
            ),
            32 => format!(
                "memset({}, 0, {});",
                self.random.pick(&["own", "pairs", "text", "&one"]),
                self.random.pick(&["4", "8", "5", "12", "x + 5"])
            ),
            33 => format!(
                "sum += deep({}, {});",
                self.number(),
                self.random.pick(&["own", "&own[2]", "p", "q"])
            )
            .replace("p)", "p ? p : own)")
            .replace("q)", "q ? q : own)"),
            34 => format!("{p} = keep({}, {});", self.number(), self.random.pick(&["own", "p", "&one.a"])),
            35 => format!("pp = {};", self.random.pick(&["&p", "&q", "&here.cell", "&bp->cell"])),
            36 => "if (p) sum += apply(deep, x, p);".to_owned(),
            37 => format!(
                "if ({p}) {{ {p} = realloc({p}, {} * sizeof(int)); {p}[0] = 3; }}",
                self.random.pick(&["1", "2", "(x + 1)"])
            ),
            38 => {
                let size = self.random.pick(&["x + 1", "y + 2", "3"]);
                let (index, value, read) = (self.number(), self.number(), self.random.pick(&["0", "x", "y"]));
                self.line(
                    depth,
                    &format!("{{ int many[{size}]; for (int i = 0; i < {size}; i++) many[i] = i;"),
                );
                self.line(depth + 1, &format!("many[{index}] += {value}; sum += many[{read}];"));
                self.statement(depth + 1);
                "}".to_owned()
            }
            39 | 40 => {
                let condition = self.random.pick(&[
                    "x",
                    "y > 1",
                    "x == y",
                    "p",
                    "f",
                    "x + y > 3",
                    "here.at",
                    "text[0] == 'a'",
                ]);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statement(depth + 1);
                self.line(depth, "} else {");
                self.statement(depth + 1);
                "}".to_owned()
            }
            41 => {
                let bound = self.random.pick(&["x", "2", "y"]);
                self.line(depth, &format!("for (int j = 0; j < {bound}; j++) {{"));
                self.statement(depth + 1);
                "}".to_owned()
            }
            42 => {
                let value = self.number();
                self.line(depth, &format!("{{ struct pair local = both({value});"));
                let pointer = self.random.pick(&[
                    "here.at = &local;",
                    "p = &local.a;",
                    "q = &local.a;",
                    "one = local;",
                ]);
                self.line(depth + 1, pointer);
                self.statement(depth + 1);
                "}".to_owned()
            }
            _ => {
                self.line(depth, "switch (x) { case 0: ");
                self.statement(depth + 1);
                self.line(depth, "break; case 1: ;");
                self.statement(depth + 1);
                self.line(depth, "default: ;");
                self.statement(depth + 1);
                "}".to_owned()
            }
        };
        self.line(depth, &text);
    }
}
