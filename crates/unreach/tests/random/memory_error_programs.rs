//! Random C programs that may misuse memory: blocks, arrays, structs and strings, used after their end or beyond it, freed
//! twice, or never.
//!
//! Everything is initialised, numbers stay small, and no place lies further from an object than a sanitizer looks, so that
//! what goes wrong is what AddressSanitizer sees. Each of the two inputs has as many values as [`INPUTS`] says, so all executions can
//! be run.

use base::Random;
use std::fmt::Write;

/// How many values each input has.
pub const INPUTS: u32 = 4;

const HEAD: &str = r#"
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
size_t strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *);
int __VERIFIER_nondet_int(void);
struct node { int v; int a[2]; struct node *next; struct node *prev; int *data; };
int cells[4]; struct node fixed; int *gp; struct node *gn; int sum;
static int *make(int n) { int *m = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) m[i] = i; return m; }
static struct node *put(int v, struct node *next) {
  struct node *m = malloc(sizeof *m);
  m->v = v; m->a[0] = v; m->a[1] = 1; m->next = next; m->prev = 0; m->data = 0;
  return m;
}
static void drop(struct node *m) { for (int t = 0; m && t < 3; t++) { struct node *o = m->next; free(m); m = o; } }
static int *inside(int v) { int own[2] = { v, 1 }; int *way = own; return way; }
static int first(const int *m) { return m[0]; }
static void set(int **m, int *to) { *m = to; }
"#;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut writer =
        Writer { random: Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x3e3), out: HEAD.to_owned() };
    writer.out.push_str("int main(void) {\n");
    let _ = writeln!(writer.out, "  int x = __VERIFIER_nondet_int(); if (x < 0 || x >= {INPUTS}) return 0;");
    let _ = writeln!(writer.out, "  int y = __VERIFIER_nondet_int(); if (y < 0 || y >= {INPUTS}) return 0;");
    writer.out.push_str(
        "  int own[3] = { 1, 2, 3 }; int *p = 0, *q = 0; struct node *n = 0, *m = 0; char *s = 0;\n",
    );
    for _ in 0..3 + writer.random.below(9) {
        writer.statement(1);
    }
    if writer.random.below(3) > 0 {
        writer.out.push_str("  free(s);\n");
    }
    // What is not freed now is lost.
    writer
        .out
        .push_str("  gp = 0; gn = 0; fixed.next = 0; fixed.prev = 0; fixed.data = 0;\n  return 0;\n}\n");
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
        match self.random.below(6) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "x + 1".to_owned(),
            _ => self.random.below(4).to_string(),
        }
    }

    /// How many cells a block has.
    fn size(&mut self) -> String {
        match self.random.below(4) {
            0 => "x + 1".to_owned(),
            1 => "y + 2".to_owned(),
            _ => (self.random.below(3) + 1).to_string(),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(8) {
            0 => "p".to_owned(),
            1 => "n".to_owned(),
            2 => "q != 0 && x > 1".to_owned(),
            3 => "x == y".to_owned(),
            4 => "m && m->next".to_owned(),
            5 => format!("x + y > {}", self.random.below(6)),
            6 => format!("y == {}", self.random.below(4)),
            _ => format!("x < {}", self.random.below(4)),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let p = self.random.pick(&["p", "q", "gp", "p", "q"]);
        let q = self.random.pick(&["p", "q", "gp", "n->data", "cells", "own"]);
        let n = self.random.pick(&["n", "m", "n", "gn"]);
        let m = self.random.pick(&["n", "m", "gn", "n->next", "m->prev"]);
        let kinds = if depth < 3 { 46 } else { 38 };
        let text = match self.random.below(kinds) {
            0 | 1 => format!("{p} = make({});", self.size()),
            2 => format!("{p} = calloc({}, sizeof(int));", self.size()),
            3 | 4 => format!("free({p});"),
            5 => format!("free({p}); {p} = 0;"),
            6 => format!("if ({p}) {{ free({p}); {p} = 0; }}"),
            7 => format!("{p} = {q};"),
            8 => format!("if ({q}) {p} = {q} + {};", self.random.below(2)),
            9 => format!("{p} = &cells[{}];", self.random.below(4)),
            10 => format!("{p} = &own[{}];", self.random.below(3)),
            11 => format!("if ({p}) {p}[{}] = {};", self.number(), self.number()),
            12 => format!("if ({p}) sum += {p}[{}];", self.number()),
            13 => format!("if ({p}) *{p} = {};", self.number()),
            14 => format!("sum += *{p};"),
            15 => format!("cells[{}] = {};", self.number(), self.number()),
            16 => format!("sum += own[{}];", self.random.pick(&["x", "y", "x / 2", "y % 3"])),
            17 | 18 => {
                format!("{n} = put({}, {m});", self.number()).replace("->next", "").replace("->prev", "")
            }
            19 => format!("{n} = put({}, 0);", self.number()),
            20 => format!("if ({n}) {n}->next = {m};").replace("->prev", "").replace("->next;", ";"),
            21 => format!("if ({n} && {n}->next) {n}->next->prev = {n};"),
            22 => format!("if ({n}) {n} = {n}->next;"),
            23 => format!("if ({n}) {{ struct node *o = {n}->next; free({n}); {n} = o; }}"),
            24 => format!("free({n});"),
            25 => format!("drop({n}); {n} = 0;"),
            26 => {
                format!("if ({n}) {n}->data = {};", self.random.pick(&["p", "make(2)", "own", "&cells[1]"]))
            }
            27 => format!("if ({n} && {n}->data) {{ sum += {n}->data[{}]; }}", self.random.below(3)),
            28 => format!("if ({n}) free({n}->data);"),
            29 => format!("{n} = &fixed;"),
            30 => format!(
                "if ({n}) sum += {n}->a[{}] + {n}->v;",
                self.random.pick(&["0", "1", "x % 2", "y / 2"])
            ),
            31 => format!(
                "s = calloc({}, 1); strcpy(s, \"{}\");",
                self.random.pick(&["4", "5", "x + 3", "y + 2"]),
                self.random.pick(&["abc", "a", "abcd"])
            ),
            32 => format!("if (s) sum += (int)strlen(s) + s[{}];", self.number()),
            33 => "if (s) { free(s); s = 0; }".to_owned(),
            34 => format!("if ({p}) {p} = realloc({p}, 2 * sizeof(int)), {p}[0] = 1, {p}[1] = 2;"),
            // A copy to its own place is nothing to a compiler.
            35 if p == q => format!("if ({p}) memmove({p}, own, sizeof(int));"),
            35 => format!("if ({p} && {q}) memmove({p}, {q}, {} * sizeof(int));", self.random.below(3) + 1)
                .replace("n->data", "own"),
            36 => format!("{p} = inside({});", self.number()),
            37 => format!("set(&{p}, {q});").replace("n->data", "0"),
            38 => format!("if ({p}) sum += first({p});"),
            39 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1);
                if self.random.once_in(2) {
                    self.line(depth, "} else {");
                    self.block(depth + 1);
                }
                "}".to_owned()
            }
            40 => {
                let bound = self.number();
                self.line(depth, &format!("for (int i = 0; i < {bound}; i++) {{"));
                self.block(depth + 1);
                "}".to_owned()
            }
            41 => format!("if ({p}) for (int i = 0; i < {}; i++) {p}[i] = i;", self.size()),
            42 => format!(
                "for (struct node *o = {n}; o; o = o->next) {{ sum += o->v; if (sum > 20) break; sum++; }}"
            ),
            43 => {
                self.line(depth, "{ int near[2] = { 4, 5 };");
                self.line(depth + 1, &format!("{p} = near;"));
                self.block(depth + 1);
                "}".to_owned()
            }
            44 => format!("for (int i = 0; i < {}; i++) {n} = put(i, {n});", self.number()),
            _ => {
                format!("while ({n} && {n} != &fixed) {{ struct node *o = {n}->next; free({n}); {n} = o; }}")
            }
        };
        self.line(depth, &text);
    }
}
