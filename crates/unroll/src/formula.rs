//! Formulas of `logic` as circuits: integers and bit-vectors with operations on bits, and conversions between the two.
//!
//! An integer that nothing is known of gets as many input bits as somebody guesses ([`widths`]), and one bit more that says that it
//! is *out*: that its value does not fit into them, and that they are its lowest bits only. No guess can be wrong, so ranges need not be found out or believed: where an
//! integer is out, every truth value and every bit that depends on more than its lowest bits is open, apart from comparisons with what it is certainly above or below. A condition `0 ≤ x ≤ 255`,
//! wherever it stands, thereby says that `x` is not out, and so does an equation `x = y + 1` if `y` is not. All operations on integers give as many bits as their results need.
//!
//! **Guarantee**: if the formula has a model, some assignment of the inputs makes its bit true. For take the values of all terms in
//! the model: integers that do not fit are out with their lowest bits, and what is open has the value that the model says. So a circuit that is never true is a formula without a
//! model. The contrary does not hold: what is not understood (arrays, functions, reals, quantifiers) is an input of its own.

mod widths;

use crate::clauses::{Clauses, Encoder};
use crate::gates::{Bit, Gates};
use crate::numbers::{Bits, Shift, integer, sign, trimmed, vector, widened};
use base::{Budget, Interrupted};
use logic::{Integer, Model, Op, Sort, SortData, Symbol, Term, Terms, Value};
use num_bigint::Sign;
use rustc_hash::FxHashMap;
use sat::{Answer, Lit, Recording, Solver};
use widths::Widths;

/// A larger circuit is not made.
const MOST_GATES: usize = 400_000;
/// Integers with more bits are left open.
const MOST_BITS: usize = 200;

/// An integer.
#[derive(Clone)]
struct Number {
    /// Its value, unless it is out.
    bits: Bits,
    /// Nothing is known of it then but its lowest bits, which are these in any case,
    out: Bit,
    right: usize,
    /// and for some how far out it is.
    far: Option<Far>,
}

/// As many bits as one asks for.
const ALL: usize = usize::MAX;

/// What is known of an integer that is out.
#[derive(Clone, Copy)]
struct Far {
    /// Whether the rest is known: it is not, if the number is a sum of two that are out at opposite ends.
    known: Bit,
    negative: Bit,
    /// Its absolute value is not below 2 to the power of this minus one.
    width: usize,
}

/// What a term is.
#[derive(Clone)]
enum Shape {
    Truth(Bit),
    Vector(Bits),
    Number(Number),
    /// It has no bits.
    Nothing,
}

/// A circuit for formulas of one store of terms.
pub struct Circuit {
    gates: Gates,
    encoder: Encoder,
    widths: Widths,
    shapes: FxHashMap<Term, Shape>,
    /// The symbols that have inputs, in the order in which they were met.
    symbols: Vec<(Symbol, Term)>,
}

/// Is it shown that the formulas have no common model? Not, if that takes more than so many conflicts. A solver looks for the refutation, and it is
/// checked: only the circuit and the check are trusted.
pub fn refute(
    terms: &Terms,
    formulas: &[Term],
    conflicts: u64,
    budget: &Budget,
) -> Result<bool, Interrupted> {
    let mut circuit = Circuit::new(terms, formulas);
    let mut all = Bit::TRUE;
    for &formula in formulas {
        let Some(bit) = circuit.formula(terms, formula) else { return Ok(false) };
        all = circuit.gates.and(all, bit);
    }
    let solver = Solver::new(Recording::Proof, budget.clone());
    let mut question = Question { solver, clauses: Vec::new(), variables: 0 };
    let literal = circuit.literal(all, &mut question);
    question.clause(&[literal]);
    let Question { mut solver, clauses, variables } = question;
    if solver.solve_within(&[], conflicts)? != Some(Answer::Unsat) {
        return Ok(false);
    }
    Ok(sat::lrat::check(variables, &clauses, &solver.into_proof(), budget).is_ok())
}

/// A solver, and the clauses as they were before it has seen them.
struct Question {
    solver: Solver,
    clauses: Vec<Vec<Lit>>,
    variables: u32,
}

impl Clauses for Question {
    fn clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
        self.solver.add_clause(clause);
    }

    fn variable(&mut self) {
        self.solver.new_var();
        self.variables += 1;
    }
}

impl Circuit {
    /// A circuit for these formulas, which are looked at for how many bits integers may have.
    pub fn new(terms: &Terms, formulas: &[Term]) -> Circuit {
        Circuit {
            gates: Gates::default(),
            encoder: Encoder::default(),
            widths: Widths::new(terms, formulas),
            shapes: FxHashMap::default(),
            symbols: Vec::new(),
        }
    }

    /// The bit of a formula; none if the circuit becomes too large.
    pub fn formula(&mut self, terms: &Terms, formula: Term) -> Option<Bit> {
        let mut pending = vec![formula];
        while let Some(&top) = pending.last() {
            if self.shapes.contains_key(&top) {
                pending.pop();
                continue;
            }
            if self.gates.count() > MOST_GATES {
                return None;
            }
            let before = pending.len();
            // What is inside of a quantifier is not looked at.
            if !matches!(terms.op(top), Op::Quantified(..)) {
                pending.extend(terms.args(top).iter().filter(|argument| !self.shapes.contains_key(argument)));
            }
            if pending.len() == before {
                let shape = self.shape(terms, top);
                self.shapes.insert(top, shape);
                pending.pop();
            }
        }
        Some(self.truth(formula))
    }

    /// The literal of a bit. What it depends on gets its clauses.
    pub fn literal(&mut self, bit: Bit, to: &mut impl Clauses) -> Lit {
        self.encoder.literal(&self.gates, bit, to)
    }

    /// The literals that say that a symbol does not fit into its bits.
    pub fn out(&self, mut each: impl FnMut(Lit)) {
        for (_, term) in &self.symbols {
            if let Shape::Number(number) = &self.shapes[term]
                && let Some(literal) = self.encoder.known(number.out)
            {
                each(literal);
            }
        }
    }

    /// The values of symbols, for values of literals. It need not be a model of anything: evaluate it.
    pub fn model(&self, value: impl Fn(Lit) -> bool) -> Model {
        let truth = |bit: &Bit| match (bit.constant(), self.encoder.known(*bit)) {
            (Some(constant), _) => constant,
            (None, Some(literal)) => value(literal),
            (None, None) => false,
        };
        let unsigned = |bits: &[Bit]| {
            let mut number = Integer::ZERO;
            for at in (0..bits.len()).filter(|&at| truth(&bits[at])) {
                number.set_bit(at as u64, true);
            }
            number
        };
        let mut model = Model::new();
        for (symbol, term) in &self.symbols {
            match &self.shapes[term] {
                Shape::Truth(bit) => model.set(*symbol, Value::Bool(truth(bit))),
                Shape::Vector(bits) => model.set(*symbol, Value::BitVec(bits.len() as u32, unsigned(bits))),
                Shape::Number(Number { bits, .. }) => {
                    let negative = truth(&sign(bits));
                    let below = if negative { Integer::from(1) << bits.len() } else { Integer::ZERO };
                    model.set(*symbol, Value::Int(unsigned(bits) - below));
                }
                Shape::Nothing => {}
            }
        }
        model
    }

    fn truth(&self, term: Term) -> Bit {
        match &self.shapes[&term] {
            Shape::Truth(bit) => *bit,
            _ => unreachable!("a truth value"),
        }
    }

    fn number(&self, term: Term) -> Number {
        match &self.shapes[&term] {
            Shape::Number(number) => number.clone(),
            _ => unreachable!("an integer"),
        }
    }

    fn vector(&self, term: Term) -> Bits {
        match &self.shapes[&term] {
            Shape::Vector(bits) => bits.clone(),
            _ => unreachable!("a bit-vector"),
        }
    }

    fn inputs(&mut self, count: usize) -> Bits {
        (0..count).map(|_| self.gates.input()).collect()
    }

    /// A term of which nothing is known but its sort.
    fn open(&mut self, terms: &Terms, term: Term) -> Shape {
        match *terms.sort_data(terms.sort_of(term)) {
            SortData::Bool => Shape::Truth(self.gates.input()),
            SortData::BitVec(width) => Shape::Vector(self.inputs(width as usize)),
            SortData::Int => {
                let bits = self.inputs(self.widths.of(term));
                let far = Far { known: Bit::TRUE, negative: self.gates.input(), width: bits.len() };
                Shape::Number(Number { out: self.gates.input(), right: bits.len(), far: Some(far), bits })
            }
            _ => Shape::Nothing,
        }
    }

    /// The circuit of a term whose arguments have theirs.
    fn shape(&mut self, terms: &Terms, term: Term) -> Shape {
        let args = terms.args(term);
        let sort = match args.last() {
            Some(&last) => terms.sort_of(last),
            None => terms.sort_of(term),
        };
        match terms.op(term) {
            Op::True => Shape::Truth(Bit::TRUE),
            Op::False => Shape::Truth(Bit::FALSE),
            Op::Symbol(symbol) => {
                self.symbols.push((symbol, term));
                self.open(terms, term)
            }
            Op::Quantified(..) => self.open(terms, term),
            Op::Not => Shape::Truth(!self.truth(args[0])),
            Op::And => {
                let bits: Bits = args.iter().map(|&part| self.truth(part)).collect();
                Shape::Truth(self.gates.all(bits))
            }
            Op::Or => {
                let bits: Bits = args.iter().map(|&part| self.truth(part)).collect();
                Shape::Truth(self.gates.any(bits))
            }
            Op::Eq | Op::Le if sort == Sort::INT => Shape::Truth(self.comparison(terms, term)),
            Op::Eq => match (&self.shapes[&args[0]], &self.shapes[&args[1]]) {
                (&Shape::Truth(a), &Shape::Truth(b)) => Shape::Truth(self.gates.same(a, b)),
                (Shape::Vector(a), Shape::Vector(b)) => Shape::Truth(self.gates.same_bits(a, b)),
                _ => self.open(terms, term),
            },
            Op::Ite => self.choice(args),
            _ if terms.sort_of(term) == Sort::INT => self.integer(terms, term),
            _ => self.bits(terms, term),
        }
    }

    fn choice(&mut self, args: &[Term]) -> Shape {
        let condition = self.truth(args[0]);
        match (self.shapes[&args[1]].clone(), self.shapes[&args[2]].clone()) {
            (Shape::Truth(a), Shape::Truth(b)) => Shape::Truth(self.gates.choice(condition, a, b)),
            (Shape::Vector(a), Shape::Vector(b)) => Shape::Vector(self.gates.select(condition, &a, &b)),
            (Shape::Number(a), Shape::Number(b)) => {
                let far = match (a.far, b.far) {
                    (Some(x), Some(y)) => Some(Far {
                        known: self.gates.choice(condition, x.known, y.known),
                        negative: self.gates.choice(condition, x.negative, y.negative),
                        width: x.width.min(y.width),
                    }),
                    (far, None) if b.out == Bit::FALSE => far,
                    (None, far) if a.out == Bit::FALSE => far,
                    _ => None,
                };
                let out = self.gates.choice(condition, a.out, b.out);
                Shape::Number(Number {
                    bits: self.gates.select_integer(condition, &a.bits, &b.bits),
                    out,
                    right: a.right.min(b.right),
                    far,
                })
            }
            _ => Shape::Nothing,
        }
    }

    /// `a = b` or `a ≤ b` for integers.
    fn comparison(&mut self, terms: &Terms, term: Term) -> Bit {
        let args = terms.args(term);
        let (a, b) = (self.number(args[0]), self.number(args[1]));
        let is_le = terms.op(term) == Op::Le;
        let known = if is_le {
            !self.gates.less(&b.bits, &a.bits)
        } else {
            self.gates.same_integers(&a.bits, &b.bits)
        };
        let out = self.gates.or(a.out, b.out);
        if out == Bit::FALSE {
            return known;
        }
        let mut beyond = self.gates.input();
        let right = a.right.min(b.right).min(MOST_BITS);
        if !is_le {
            // Whatever is equal has the same lowest bits.
            let low = |number: &Number| widened(&number.bits, right.max(number.bits.len()))[..right].to_vec();
            let same = self.gates.same_bits(&low(&a), &low(&b));
            beyond = self.gates.and(beyond, same);
        }
        // What is further out than the other is larger or smaller than it, by its sign.
        if let Some(far) = a.far
            && b.out == Bit::FALSE
            && b.bits.len() < far.width
        {
            let by_sign = if is_le { far.negative } else { Bit::FALSE };
            beyond = self.gates.choice(far.known, by_sign, beyond);
        }
        self.gates.choice(out, beyond, known)
    }

    /// The sum of two integers. If one of them is so far out that the other cannot bring it back, the sum is out at the same end.
    fn sum(&mut self, a: &Number, b: &Number) -> Number {
        let gates = &mut self.gates;
        let (mut known, mut width) = (Bit::FALSE, usize::MAX);
        for (one, other) in [(a, b), (b, a)] {
            if let Some(far) = one.far.filter(|far| far.width > 1) {
                let near = far.width - 1;
                let mut case = gates.and(one.out, !other.out);
                case = gates.and(case, far.known);
                // The other one fits into fewer bits, whether it has as few or not.
                for at in near..other.bits.len() {
                    let same = gates.same(other.bits[at], other.bits[near - 1]);
                    case = gates.and(case, same);
                }
                known = gates.or(known, case);
                width = width.min(near);
            }
        }
        let side = |number: &Number| number.far.map_or(Bit::FALSE, |far| far.negative);
        let negative = gates.choice(a.out, side(a), side(b));
        Number {
            bits: gates.plus(&a.bits, &b.bits),
            out: gates.or(a.out, b.out),
            right: a.right.min(b.right),
            far: (width < usize::MAX).then_some(Far { known, negative, width }),
        }
    }

    fn integer(&mut self, terms: &Terms, term: Term) -> Shape {
        let args = terms.args(term);
        let inside = |bits: Bits| {
            Shape::Number(Number { bits: trimmed(bits), out: Bit::FALSE, right: ALL, far: None })
        };
        let divisor = || terms.as_integer(args[1]).filter(|divisor| divisor.sign() != Sign::NoSign);
        match terms.op(term) {
            Op::Int(value) => inside(integer(&terms.number_value(value).to_integer())),
            Op::Add => {
                let mut sum = self.number(args[0]);
                for &part in &args[1..] {
                    sum = self.sum(&sum, &self.number(part));
                }
                self.limited(terms, term, sum)
            }
            Op::Scale(factor) => {
                let factor = terms.number_value(factor).to_integer();
                let mut number = self.number(args[0]);
                let negates = Bit::of(factor.sign() == Sign::Minus);
                number.far =
                    number.far.map(|far| Far { negative: self.gates.xor(far.negative, negates), ..far });
                number.bits = self.gates.times(&number.bits, &integer(&factor));
                self.limited(terms, term, number)
            }
            Op::Mul => {
                let mut product = self.number(args[0]);
                for &part in &args[1..] {
                    let part = self.number(part);
                    if product.bits.len() + part.bits.len() > MOST_BITS {
                        return self.open(terms, term);
                    }
                    product.bits = self.gates.times(&product.bits, &part.bits);
                    product.out = self.gates.or(product.out, part.out);
                    product.right = product.right.min(part.right);
                }
                self.limited(terms, term, Number { far: None, ..product })
            }
            Op::Div if let Some(divisor) = divisor() => {
                let number = self.number(args[0]);
                let bits = self.gates.divided(&number.bits, &integer(divisor)).quotient;
                let right = match power_of_two(divisor) {
                    _ if number.right == ALL => ALL,
                    Some(by) => number.right.saturating_sub(by),
                    None => 0,
                };
                self.limited(terms, term, Number { bits, out: number.out, right, far: None })
            }
            Op::Mod if let Some(divisor) = divisor() => {
                let number = self.number(args[0]);
                let remainder = self.gates.divided(&number.bits, &integer(divisor)).remainder;
                // A remainder has no more bits than the divisor, whatever the dividend is.
                let remainder = widened(&remainder, divisor.bits() as usize + 1);
                let right = power_of_two(divisor).is_some_and(|by| by <= number.right);
                let out = if right { Bit::FALSE } else { number.out };
                let mut bits = self.unless_out(out, &remainder[..divisor.bits() as usize]);
                bits.push(Bit::FALSE);
                inside(bits)
            }
            Op::BvToNat => {
                let mut bits = self.vector(args[0]);
                bits.push(Bit::FALSE);
                inside(bits)
            }
            _ => self.open(terms, term),
        }
    }

    /// A number that has not too many bits.
    fn limited(&mut self, terms: &Terms, term: Term, number: Number) -> Shape {
        if number.bits.len() > MOST_BITS { self.open(terms, term) } else { Shape::Number(number) }
    }

    /// The bits, or any if what they are computed from is out.
    fn unless_out(&mut self, out: Bit, bits: &[Bit]) -> Bits {
        if out == Bit::FALSE {
            return bits.to_vec();
        }
        let any = self.inputs(bits.len());
        self.gates.select(out, &any, bits)
    }

    /// Operations on bit-vectors.
    fn bits(&mut self, terms: &Terms, term: Term) -> Shape {
        let args = terms.args(term);
        let op = terms.op(term);
        let gates = &mut self.gates;
        let bits = match op {
            Op::BitVec(width, value) => vector(&terms.number_value(value).to_integer(), width as usize),
            Op::IntToBv(width) => {
                let number = self.number(args[0]);
                let bits = widened(&number.bits, width as usize);
                let out = if width as usize <= number.right { Bit::FALSE } else { number.out };
                self.unless_out(out, &bits[..width as usize])
            }
            Op::Concat => {
                let mut bits = self.vector(args[1]);
                bits.extend(self.vector(args[0]));
                bits
            }
            Op::Extract { high, low } => self.vector(args[0])[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend(by) => {
                let mut bits = self.vector(args[0]);
                bits.resize(bits.len() + by as usize, Bit::FALSE);
                bits
            }
            Op::SignExtend(by) => {
                let bits = self.vector(args[0]);
                widened(&bits, bits.len() + by as usize)
            }
            _ => {
                let operands: Option<Vec<&Bits>> = args
                    .iter()
                    .map(|argument| match &self.shapes[argument] {
                        Shape::Vector(bits) => Some(bits),
                        _ => None,
                    })
                    .collect();
                match (op, operands.as_deref()) {
                    (Op::BvNot, Some([a])) => a.iter().map(|&bit| !bit).collect(),
                    (Op::BvNeg, Some([a])) => gates.negative_vector(a),
                    (Op::BvAnd, Some([a, b])) => a.iter().zip(*b).map(|(&x, &y)| gates.and(x, y)).collect(),
                    (Op::BvOr, Some([a, b])) => a.iter().zip(*b).map(|(&x, &y)| gates.or(x, y)).collect(),
                    (Op::BvXor, Some([a, b])) => a.iter().zip(*b).map(|(&x, &y)| gates.xor(x, y)).collect(),
                    (Op::BvAdd, Some([a, b])) => gates.sum(a, b, Bit::FALSE).0,
                    (Op::BvMul, Some([a, b])) => gates.product(a, b),
                    (Op::BvUdiv, Some([a, b])) => gates.long_division(a, b).quotient,
                    (Op::BvUrem, Some([a, b])) => gates.long_division(a, b).remainder,
                    (Op::BvShl, Some([a, b])) => gates.shifted(a, b, Shift::Left),
                    (Op::BvLshr, Some([a, b])) => gates.shifted(a, b, Shift::Right),
                    (Op::BvAshr, Some([a, b])) => gates.shifted(a, b, Shift::RightSigned),
                    (Op::BvUle, Some([a, b])) => return Shape::Truth(!gates.below(b, a)),
                    (Op::BvSle, Some([a, b])) => return Shape::Truth(!gates.less(b, a)),
                    _ => return self.open(terms, term),
                }
            }
        };
        Shape::Vector(bits)
    }
}

/// Which power of two a positive number is.
fn power_of_two(number: &Integer) -> Option<usize> {
    let power = number.trailing_zeros()?;
    (number.sign() == Sign::Plus && number.bits() == power + 1).then_some(power as usize)
}
