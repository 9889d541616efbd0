//! Random C programs without undefined behaviour (up to wrapping signed arithmetic) and without open order of evaluation.
//!
//! Every program computes with integers of all sizes, arrays, structs, pointers, bit-fields and unions in loops,
//! branches, switches and calls, and mixes all values into `result` at its end. Loops are bounded.

use base::Random;
use std::fmt::Write;

const TYPES: [&str; 10] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "unsigned long long",
];

struct Generator {
    random: Random,
    out: String,
    indent: usize,
    /// Scalar lvalues that may be read and written here.
    places: Vec<String>,
    /// How many statements may still be made.
    fuel: usize,
    loops: usize,
    functions: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ 0x5555),
        out: String::new(),
        indent: 0,
        places: Vec::new(),
        fuel: 0,
        loops: 0,
        functions: 0,
    };
    generator.whole();
    generator.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn whole(&mut self) {
        self.line("long long result;");
        self.line("extern int __VERIFIER_nondet_int(void);");
        self.line("extern unsigned char __VERIFIER_nondet_uchar(void);");
        self.line("struct pair { short left; unsigned right; signed char tail[3]; };");
        self.line("struct bits { unsigned a : 3; int b : 5; unsigned c : 17; };");
        self.line("union both { unsigned int word; unsigned char bytes[4]; };");
        let mut globals = Vec::new();
        for index in 0..3 {
            let ty = self.random.pick(&TYPES);
            let value = self.random.bits() as i8;
            self.line(&format!("{ty} g{index} = {value};"));
            globals.push(format!("g{index}"));
        }
        self.line("int ga[5] = { 3, -1, 4 };");
        self.line("struct pair gp = { -7, 9, { 1, 2, 3 } };");
        self.line("struct bits gb = { 5, -3, 1000 };");
        for index in 0..5 {
            globals.push(format!("ga[{index}]"));
        }
        for place in ["gp.left", "gp.right", "gp.tail[1]", "gb.a", "gb.b", "gb.c"] {
            globals.push(place.to_owned());
        }
        for _ in 0..2 {
            self.function(&globals);
        }
        self.line("int main(void) {");
        self.indent += 1;
        self.places = globals.clone();
        self.locals();
        self.fuel = 25;
        self.block(3);
        for place in self.places.clone() {
            self.line(&format!("result = result * 31 + (long long)({place});"));
        }
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    /// Locals, some of them behind pointers.
    fn locals(&mut self) {
        for index in 0..4 {
            let ty = self.random.pick(&TYPES);
            let value = self.constant();
            self.line(&format!("{ty} l{index} = ({ty}){value};"));
            self.places.push(format!("l{index}"));
        }
        self.line("int target = 17; int *pointer = &target;");
        self.line("struct pair local = { 1, 2, { 3 } }; struct pair *there = &local;");
        self.line("union both mix; mix.word = 305419896u;");
        self.line("short row[4] = { 10, 20, 30, 40 };");
        for place in ["*pointer", "there->left", "there->right", "local.tail[2]", "mix.word", "row[2]"] {
            self.places.push(place.to_owned());
        }
        let byte = self.random.below(4);
        self.places.push(format!("mix.bytes[{byte}]"));
    }

    fn function(&mut self, globals: &[String]) {
        let name = format!("f{}", self.functions);
        let result = self.random.pick(&TYPES);
        let (first, second) = (self.random.pick(&TYPES), self.random.pick(&TYPES));
        self.line(&format!("{result} {name}({first} a, {second} b) {{"));
        self.indent += 1;
        self.places = globals.to_vec();
        self.places.extend(["a".into(), "b".into()]);
        self.locals();
        self.fuel = 6;
        self.block(2);
        let value = self.expression(3);
        self.line(&format!("return ({result})({value});"));
        self.indent -= 1;
        self.line("}");
        self.functions += 1;
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..2 + self.random.below(4) {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            self.statement(depth);
        }
    }

    fn place(&mut self) -> String {
        let index = self.random.below(self.places.len());
        self.places[index].clone()
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.random.below(if depth == 0 { 7 } else { 13 });
        match choice {
            0..=2 => {
                let (place, value) = (self.place(), self.expression(3));
                self.line(&format!("{place} = {value};"));
            }
            3 => {
                let (place, value) = (self.place(), self.expression(2));
                let op = self.random.pick(&["+=", "-=", "*=", "&= 0x3f +", "|= 16 +", "^= 3 +"]);
                let value = if op.ends_with('+') { (self.random.below(64)).to_string() } else { value };
                self.line(&format!("{place} {op} {value};"));
            }
            4 => {
                let place = self.place();
                let text = match self.random.below(4) {
                    0 => format!("({place})++;"),
                    1 => format!("--({place});"),
                    2 => format!("result += ({place})--;"),
                    _ => format!("result ^= 7 & (long long)++({place});"),
                };
                self.line(&text);
            }
            5 => {
                let place = self.place();
                let source = self.random.pick(&["int", "uchar"]);
                self.line(&format!("{place} = __VERIFIER_nondet_{source}();"));
            }
            6 if self.functions > 0 => {
                let (place, function) = (self.place(), self.random.below(self.functions));
                let (first, second) = (self.expression(2), self.expression(2));
                self.line(&format!("{place} = f{function}({first}, {second});"));
            }
            6 => self.line("local = gp; gp.left++;"),
            7 | 8 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.nested(depth);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.nested(depth);
                }
                self.line("}");
            }
            9 | 10 => self.repeat(depth),
            11 => self.switch(depth),
            _ => {
                let place = self.place();
                self.line("{");
                self.line(&format!(
                    "  int inner = (int)({place}); int *q = &inner; *q = *q / 3 + target % 5;"
                ));
                self.line(&format!("  {place} = inner;"));
                self.line("}");
            }
        }
    }

    fn nested(&mut self, depth: usize) {
        self.indent += 1;
        self.block(depth - 1);
        self.indent -= 1;
    }

    fn repeat(&mut self, depth: usize) {
        let counter = format!("n{}", self.loops);
        self.loops += 1;
        let rounds = 1 + self.random.below(5);
        let leave = self.random.below(3);
        match self.random.below(3) {
            0 => self.line(&format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{")),
            1 => self.line(&format!("for (unsigned {counter} = {rounds}; {counter} > 0; {counter}--) {{")),
            _ => {
                self.line(&format!("{{ int {counter} = {rounds}; while ({counter}-- > 0) {{"));
                self.jump(leave);
                self.nested(depth);
                self.line("} }");
                return;
            }
        }
        self.jump(leave);
        self.nested(depth);
        self.line("}");
    }

    fn jump(&mut self, leave: usize) {
        if leave < 2 {
            let condition = self.condition(1);
            let word = if leave == 0 { "break" } else { "continue" };
            self.line(&format!("  if ({condition}) {word};"));
        }
    }

    fn switch(&mut self, depth: usize) {
        let subject = self.expression(2);
        self.line(&format!("switch (({subject}) & 7) {{"));
        for label in ["case 0: case 3:", "case 1 ... 2:", "default:", "case 6:"] {
            self.line(label);
            self.nested(depth);
            if self.random.below(3) > 0 {
                self.line("  break;");
            }
        }
        self.line("}");
    }

    fn constant(&mut self) -> String {
        match self.random.below(6) {
            0 => (self.random.below(200) as i64 - 100).to_string(),
            1 => format!("{}u", self.random.below(70000)),
            2 => format!("{}L", self.random.bits() as i32),
            3 => format!("0x{:x}", self.random.below(1 << 20)),
            4 => format!("'{}'", (b'a' + self.random.below(26) as u8) as char),
            _ => self.random.below(10).to_string(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.expression(depth), self.expression(depth));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let first = format!("({left}) {op} ({right})");
        match self.random.below(5) {
            0 => {
                let place = self.place();
                format!("{first} && {place}")
            }
            1 => {
                let place = self.place();
                format!("!({place}) || {first}")
            }
            _ => first,
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return if self.random.below(3) == 0 { self.constant() } else { self.place() };
        }
        let mut text = String::new();
        let left = self.expression(depth - 1);
        match self.random.below(14) {
            0..=2 => {
                let right = self.expression(depth - 1);
                let op = self.random.pick(&["+", "-", "*"]);
                let _ = write!(text, "(({left}) {op} ({right}))");
            }
            3 => {
                let right = self.expression(depth - 1);
                let op = self.random.pick(&["/", "%"]);
                // Divisors are positive and small, so that nothing traps.
                let _ = write!(text, "(({left}) {op} ((({right}) & 15) + 1))");
            }
            4 => {
                let by = self.random.below(7);
                let op = self.random.pick(&["<<", ">>"]);
                let _ = write!(text, "(({left}) {op} {by})");
            }
            5 => {
                let right = self.expression(depth - 1);
                let op = self.random.pick(&["<<", ">>"]);
                let _ = write!(text, "(({left}) {op} (({right}) & 7))");
            }
            6 | 7 => {
                let mask = self.random.pick(&["0xff", "0x10", "7", "~3", "0xf0f0", "-16", "0x7fff0000"]);
                let op = self.random.pick(&["&", "|", "^"]);
                let _ = write!(text, "(({left}) {op} {mask})");
            }
            8 => {
                let ty = self.random.pick(&TYPES);
                let _ = write!(text, "(({ty})({left}))");
            }
            9 => {
                let op = self.random.pick(&["-", "~", "!", "+"]);
                let _ = write!(text, "({op}({left}))");
            }
            10 | 11 => {
                let condition = self.condition(depth - 1);
                let right = self.expression(depth - 1);
                let _ = write!(text, "(({condition}) ? ({left}) : ({right}))");
            }
            12 => {
                let condition = self.condition(depth - 1);
                let _ = write!(text, "({condition})");
            }
            _ => {
                let index = self.expression(depth - 1);
                let _ = write!(text, "ga[(({index}) & 3) + (({left}) & 1)]");
            }
        }
        text
    }
}
