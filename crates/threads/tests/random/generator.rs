//! Small programs with threads. Globals and locals are integers from 0 to 2.

#![allow(dead_code, reason = "every test uses its part")]

use base::Random;
use std::fmt::Write;

struct Generator {
    random: Random,
    out: String,
    /// How many procedures threads may run: `t0` and so on; later ones are forked by earlier ones.
    threads: u64,
    kind: Kind,
    /// In programs with locks, whether a lock is held, and which.
    holds: Option<u64>,
    /// In a recursive procedure, how many globals it accesses, if not all.
    shares: Option<u64>,
}

/// What a program has much of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing in particular.
    Plain,
    /// Steps that can be exchanged although they access the same variables.
    Exchanging,
    /// Critical sections: `g0` is mostly accessed by threads that hold `k0`, and `g1` by those that hold `k1`.
    Locked,
    /// The same, where locks are also tried: whoever does not get one goes on without.
    Tried,
    /// Calls of a recursive procedure `f`, which accesses nothing that is shared, or one variable, or all.
    Recursive,
    /// A lock, a condition and a barrier, as libraries make them of waiting: `w` threads wait for the condition and `s` of them may go on; `b` threads
    /// are at the barrier, in round `q`.
    Waiting,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    generated(seed, Kind::Plain)
}

/// The program of a seed, in which many steps can be exchanged although they access the same variables, and others nearly can.
pub fn exchanging(seed: u64) -> String {
    generated(seed, Kind::Exchanging)
}

/// The program of a seed with two locks, some of which are not used as locks should be.
pub fn locked(seed: u64) -> String {
    generated(seed, Kind::Locked)
}

/// The program of a seed with recursion.
pub fn recursive(seed: u64) -> String {
    generated(seed, Kind::Recursive)
}

fn generated(seed: u64, kind: Kind) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678);
    random.number(2);
    let threads = 1 + random.number(3);
    let mut generator = Generator { random, out: String::new(), threads, kind, holds: None, shares: None };
    generator.all();
    generator.out
}

/// The program of a seed, in which threads must not race for one of the globals, nor all wait; it has no assertions.
pub fn watched(seed: u64) -> String {
    let text = program(seed);
    let lines = text.lines().filter(|line| !line.starts_with("assert"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    // Locks are taken where their threads can wait for them.
    let waiting = |text: String, global: u64| {
        let taken = format!("atomic {{ assume g{global} == 0;");
        text.replace(&taken, &format!("assume {{:waits \"g\"}} g{global} == 0; {taken}"))
    };
    let text = (0..3).fold(text, waiting);
    let text = match seed % 3 {
        0 => text,
        _ => text.replace("\nassume g", "\nassume {:waits \"g\"} g"),
    };
    let text = match seed % 4 {
        3 => text,
        _ => text.replace("procedure ULTIMATE", "procedure {:deadlock_free} ULTIMATE"),
    };
    match seed % 5 {
        0 => text,
        chosen => with_watched(&text, chosen % 3),
    }
}

/// The program of a seed in which locks are also tried, and threads are started in atomic parts, with variables that have `where` clauses.
pub fn tried(seed: u64) -> String {
    let text = generated(seed, Kind::Tried);
    let text = text.replace("{ var l, m: int;", "{ var l, m: int; var z: int where z >= 0;");
    let started = |line: &str| match line.strip_prefix("fork") {
        Some(rest) => format!("atomic {{ fork{rest} }}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(started).collect()
}

/// The program of a seed in which threads wait for a lock, a condition and a barrier. Mostly it is an error if all wait, and sometimes if they race.
pub fn waiting(seed: u64) -> String {
    let text = generated(seed, Kind::Waiting);
    let text = match seed % 4 {
        3 => text,
        _ => text.replace("procedure ULTIMATE", "procedure {:deadlock_free} ULTIMATE"),
    };
    match seed % 3 {
        0 => text.replace("var g0, g1, g2,", "var {:watched} g0: int; var g1, g2,"),
        _ => text,
    }
}

/// The program of a seed with recursion, in which threads must not race for one of the globals; it has no assertions.
pub fn recursive_and_watched(seed: u64) -> String {
    let text = recursive(seed);
    let lines = text.lines().filter(|line| !line.starts_with("assert"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    with_watched(&text, seed % 3)
}

/// The program with one global watched.
fn with_watched(text: &str, chosen: u64) -> String {
    let others: Vec<String> = (0..3).filter(|it| *it != chosen).map(|it| format!("g{it}")).collect();
    let declared = format!("var {{:watched}} g{chosen}: int; var {}: int;", others.join(", "));
    text.replace("var g0, g1, g2: int;", &declared)
}

impl Generator {
    fn is_locked(&self) -> bool {
        matches!(self.kind, Kind::Locked | Kind::Tried)
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn all(&mut self) {
        let locked = self.is_locked();
        let (locks, free) = match self.kind {
            _ if locked => (", k0, k1", " k0 := 0; k1 := 0;"),
            Kind::Waiting => (", k0, w, s, b, q", " k0 := 0; w := 0; s := 0; b := 0; q := 0;"),
            _ => ("", ""),
        };
        self.line(&format!("var g0, g1, g2{locks}: int;"));
        self.line(&format!("procedure ULTIMATE.start() modifies g0, g1, g2{locks}; {{"));
        self.line("var l, m: int;");
        self.line(&format!("l := 0; m := 0; g0 := 0; g1 := 0; g2 := 0;{free}"));
        let count = 1 + self.random.number(2);
        for _ in 0..count {
            self.fork(0);
            self.statements(1, 1, 0);
        }
        if self.random.number(3) == 0 {
            self.line("while (l < 2) {");
            self.fork(0);
            self.line("l := l + 1; }");
        }
        for _ in 0..self.random.number(3) {
            self.join();
        }
        self.statements(2, 1, 0);
        self.assertion();
        self.line("}");
        for thread in 0..self.threads {
            let _ = writeln!(
                self.out,
                "procedure t{thread}(p: int) returns (r: int) modifies g0, g1, g2{locks}; {{ var l, m: int; l := p mod 3; m := 0; r := 0;"
            );
            let count = 1 + self.random.number(3);
            self.statements(count, 2, thread + 1);
            if self.random.number(3) == 0 {
                self.assertion();
            }
            self.line("r := l; }");
        }
        if self.kind == Kind::Recursive {
            self.recursion();
        }
        self.line("procedure h(p: int) returns (r: int) modifies g0; ensures r == p; { r := p; g0 := (g0 + p) mod 3; }");
    }

    fn global(&mut self) -> String {
        if self.is_locked() && self.random.number(16) > 0 {
            let held = self.holds.filter(|_| self.random.number(3) > 0);
            return format!("g{}", held.unwrap_or(2));
        }
        match self.shares {
            Some(0) => "l".to_owned(),
            Some(_) => "g1".to_owned(),
            None => format!("g{}", self.random.number(3)),
        }
    }

    /// A procedure that calls itself, at most four times, directly or through another one.
    fn recursion(&mut self) {
        self.shares = match self.random.number(3) {
            0 => Some(0),
            1 => Some(1),
            _ => None,
        };
        let through = self.random.number(3) == 0;
        let inner = if through { "e" } else { "f" };
        self.line("procedure f(p: int) returns (r: int) modifies g0, g1, g2; { var l, m: int; l := p mod 3; m := 0; r := 0;");
        self.inside();
        self.line(&format!("if (p > 0) {{ call m := {inner}(p - 1);"));
        self.inside();
        self.line("}");
        self.line("r := l; }");
        self.shares = None;
        self.line("procedure e(p: int) returns (r: int) modifies g0, g1, g2; { if (p > 0) { call r := f(p - 1); } else { r := 1; } }");
    }

    /// Statements of a recursive procedure, which starts and awaits nobody.
    fn inside(&mut self) {
        for _ in 0..self.random.number(3) {
            let (left, right) = (self.variable(), self.expression());
            let text = match self.random.number(8) {
                0 => format!("assert {} || {};", self.condition(), self.condition()),
                1 => format!("assume {};", self.condition()),
                2 => format!("atomic {{ {left} := {right}; l := (l + 1) mod 3; }}"),
                3 => "havoc m;".to_owned(),
                4 => format!("if ({}) {{ {left} := {right}; }}", self.condition()),
                _ => format!("{left} := {right};"),
            };
            self.line(&text);
        }
    }

    /// Something that waits, or that others wait for.
    fn waits(&mut self) {
        const TAKE: &str = "assume {:waits \"k0\"} k0 == 0; atomic { assume k0 == 0; k0 := 1; }";
        match self.random.number(7) {
            0 => self.line("atomic { if (s < w) { s := s + 1; } }"),
            1 => self.line("atomic { s := w; }"),
            2 | 3 => {
                // The thread that comes last lets all others go on.
                let count = 1 + self.random.number(2);
                self.line(&format!(
                    "atomic {{ b := b + 1; m := q; if (b > {count}) {{ b := 0; q := (q + 1) mod 3; }} }}"
                ));
                self.line("assume {:waits \"b\"} q != m;");
            }
            4 => {
                self.line(TAKE);
                self.line("g0 := (g0 + 1) mod 3;");
                if self.random.number(8) > 0 {
                    self.line("k0 := 0;");
                }
            }
            _ => {
                let value = self.random.number(3);
                let looks = if self.random.number(4) > 0 { "while" } else { "if" };
                self.line(TAKE);
                self.line(&format!("{looks} (g0 == {value}) {{"));
                self.line("atomic { assume s == 0; k0 := 0; w := w + 1; }");
                self.line("if (*) { atomic { assume s < w; w := w - 1; } }");
                self.line(
                    "else { assume {:waits \"c\"} s > 0; atomic { assume s > 0; s := s - 1; w := w - 1; } }",
                );
                self.line(TAKE);
                self.line("}");
                if self.random.number(3) == 0 {
                    self.assertion();
                }
                self.line("k0 := 0;");
            }
        }
    }

    /// Something that a thread does while it holds a lock.
    fn section(&mut self, depth: u64, from: u64) {
        let lock = self.random.number(2);
        if self.kind == Kind::Tried && self.random.number(2) == 0 {
            self.line(&format!("atomic {{ m := k{lock}; k{lock} := if m == 0 then 1 else m; }}"));
            self.line("if (m == 0) {");
            let outer = self.holds.replace(lock);
            let count = self.random.number(3);
            self.statements(count, depth, from);
            self.holds = outer;
            self.line(&format!("k{lock} := 0; }}"));
            return;
        }
        let taken = match self.random.number(24) {
            0 => format!("assume k{lock} == 0; k{lock} := 1;"),
            1 => format!("atomic {{ assume k{lock} == 0; }} k{lock} := 1;"),
            2 => format!("atomic {{ assume g{lock} < 2; assume k{lock} == 0; k{lock} := 2; }}"),
            3 => format!(
                "atomic {{ assume k{lock} == 0 && g{lock} < 2; k{lock} := 1; g{lock} := g{lock} + 1; }}"
            ),
            _ => format!("atomic {{ assume k{lock} == 0; k{lock} := 1; }}"),
        };
        self.line(&taken);
        let outer = self.holds.replace(lock);
        let count = 1 + self.random.number(3);
        self.statements(count, depth, from);
        self.holds = outer;
        match self.random.number(16) {
            0 => {}
            1 => self.line(&format!("atomic {{ k{lock} := 0; g2 := 1; }}")),
            2 => self.line(&format!("atomic {{ assume k{lock} == 1; k{lock} := 0; }}")),
            _ => self.line(&format!("k{lock} := 0;")),
        }
    }

    fn variable(&mut self) -> String {
        match self.random.number(3) {
            0 => "l".to_owned(),
            1 => "m".to_owned(),
            _ => self.global(),
        }
    }

    fn expression(&mut self) -> String {
        match self.random.number(4) {
            0 => self.random.number(3).to_string(),
            1 => self.variable(),
            2 => format!("({} + {}) mod 3", self.variable(), self.variable()),
            _ => format!("({} + 1) mod 3", self.variable()),
        }
    }

    fn condition(&mut self) -> String {
        let op = ["==", "!=", "<", "<="][self.random.number(4) as usize];
        let right =
            if self.random.number(2) == 0 { self.random.number(3).to_string() } else { self.variable() };
        format!("{} {op} {right}", self.variable())
    }

    fn assertion(&mut self) {
        let condition = self.condition();
        let other = self.condition();
        let _ = writeln!(self.out, "assert {condition} || {other};");
    }

    fn fork(&mut self, from: u64) {
        if from >= self.threads {
            return;
        }
        let thread = from + self.random.number(self.threads - from);
        let name = match self.random.number(3) {
            0 => "l".to_owned(),
            1 => "1, 2".to_owned(),
            _ => self.random.number(2).to_string(),
        };
        let argument = self.expression();
        let _ = writeln!(self.out, "fork {name} t{thread}({argument});");
    }

    fn join(&mut self) {
        let name = match self.random.number(4) {
            0 => "m".to_owned(),
            1 => "1, 2".to_owned(),
            _ => self.random.number(2).to_string(),
        };
        let result = if self.random.number(2) == 0 { " assign m" } else { "" };
        let _ = writeln!(self.out, "join {name}{result};");
    }

    /// A statement that can be exchanged with many like it.
    fn nearly_exchanged(&mut self) {
        let (g, h, l) = (self.global(), self.global(), ["l", "m"][self.random.number(2) as usize]);
        let number = self.random.number(3);
        let text = match self.random.number(10) {
            0 | 1 => format!("{g} := ({g} + {number}) mod 3;"),
            2 => format!("{g} := ({g} + {l}) mod 3;"),
            // The larger and the smaller of two numbers.
            3 => format!("{g} := if {g} < {number} then {number} else {g};"),
            4 => format!("{g} := if {g} < {l} then {g} else {l};"),
            // Only ever one way, and conditions that this keeps.
            5 => format!("{g} := if {g} == 0 then 1 else {g};"),
            6 => format!("if ({g} > {number}) {{ {l} := ({l} + 1) mod 3; }}"),
            7 => format!("assume {g} >= {number};"),
            8 => format!("atomic {{ assume {g} < 2; {g} := {g} + 1; {h} := ({h} + {g}) mod 3; }}"),
            _ => format!("atomic {{ if ({g} > 0) {{ {g} := {g} - 1; }} else {{ {h} := {number}; }} }}"),
        };
        self.line(&text);
    }

    /// Statements for a procedure that may fork threads from a number on.
    fn statements(&mut self, count: u64, depth: u64, from: u64) {
        for _ in 0..count {
            if self.kind == Kind::Exchanging && self.random.number(3) > 0
                || self.holds.is_some() && self.random.number(3) == 0
            {
                self.nearly_exchanged();
                continue;
            }
            if self.kind == Kind::Waiting && depth > 0 && self.random.number(2) == 0 {
                self.waits();
                continue;
            }
            let may_take = self.is_locked() && depth > 0;
            if may_take && self.random.number(if self.holds.is_some() { 12 } else { 2 }) == 0 {
                self.section(depth - 1, from);
                continue;
            }
            let (left, right) = (self.variable(), self.expression());
            match self.random.number(16) {
                0 | 1 | 3 | 4 => {
                    let _ = writeln!(self.out, "{left} := {right};");
                }
                5 => {
                    let global = self.global();
                    let _ = writeln!(self.out, "{global} := {right};");
                }
                6 => {
                    let condition = self.condition();
                    let _ = writeln!(self.out, "assume {condition};");
                }
                7 => self.assertion(),
                8 => self.line("havoc m;"),
                9 if depth > 0 => {
                    self.line("atomic {");
                    self.statements(2, depth - 1, from);
                    self.line("}");
                }
                10 if depth > 0 => {
                    let condition = self.condition();
                    let _ = writeln!(self.out, "if ({condition}) {{");
                    self.statements(1, depth - 1, from);
                    self.line("} else {");
                    self.statements(1, depth - 1, from);
                    self.line("}");
                }
                11 if depth > 0 => {
                    let condition =
                        if self.random.number(2) == 0 { "*".to_owned() } else { self.condition() };
                    let _ = writeln!(self.out, "while ({condition}) {{");
                    self.statements(2, depth - 1, from);
                    self.line("}");
                }
                2 | 12 if self.kind == Kind::Recursive => {
                    let depth = self.random.number(4);
                    let within = self.random.number(4) == 0;
                    let (begin, end) = if within { ("atomic { ", " }") } else { ("", "") };
                    let _ = writeln!(self.out, "{begin}call m := f({depth});{end}");
                }
                2 => {
                    let _ = writeln!(self.out, "{left} := {right};");
                }
                12 if !self.is_locked() && self.kind != Kind::Waiting => {
                    let argument = self.expression();
                    let _ = writeln!(self.out, "call m := h({argument});");
                }
                13 if from > 0 => self.fork(from),
                14 => self.join(),
                _ => {
                    let (g, h) = (self.global(), self.global());
                    let _ = writeln!(self.out, "atomic {{ assume {g} == 0; {g} := 1; {h} := 0; }}");
                }
            }
        }
    }
}
