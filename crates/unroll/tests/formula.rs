//! Random formulas about the bits of small integers, as circuits and by trying all values.

use base::Budget;
use base::random::Random;
use logic::evaluate::Evaluator;
use logic::{Model, Op, Sort, Symbol, Term, Terms, Value};
use sat::{Answer, Lit, Recording, Solver};
use unroll::Clauses;
use unroll::formula::{Circuit, refute};

const LOW: i64 = -5;
const HIGH: i64 = 6;

struct Collector(Solver);

impl Clauses for Collector {
    fn clause(&mut self, clause: &[Lit]) {
        self.0.add_clause(clause);
    }

    fn variable(&mut self) {
        self.0.new_var();
    }
}

struct Maker<'t> {
    terms: &'t mut Terms,
    random: Random,
    symbols: Vec<Term>,
}

impl Maker<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.number(limit)
    }

    fn integer(&mut self, depth: u32) -> Term {
        if depth == 0 || self.below(6) == 0 {
            if self.below(4) == 0 {
                let value = self.below(20) as i64 - 9;
                return self.terms.int(value);
            }
            let which = self.below(self.symbols.len() as u64) as usize;
            return self.symbols[which];
        }
        match self.below(9) {
            0 => {
                let parts = [self.integer(depth - 1), self.integer(depth - 1)];
                self.terms.add(&parts)
            }
            1 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                self.terms.sub(a, b)
            }
            2 => {
                let parts = [self.integer(depth - 1), self.integer(depth - 1)];
                self.terms.mul(&parts)
            }
            3 => {
                let (a, by) = (self.integer(depth - 1), [1, 2, 3, 4, 8, -2, -3][self.below(7) as usize]);
                let by = self.terms.int(by);
                if self.below(2) == 0 { self.terms.div(a, by) } else { self.terms.modulo(a, by) }
            }
            4 => {
                let (c, a, b) = (self.formula(depth - 1), self.integer(depth - 1), self.integer(depth - 1));
                self.terms.ite(c, a, b)
            }
            _ => {
                let vector = self.vector(depth - 1);
                self.terms.bv_to_nat(vector)
            }
        }
    }

    /// Of three bits.
    fn vector(&mut self, depth: u32) -> Term {
        const BINARY: [Op; 13] = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
        ];
        if depth == 0 || self.below(3) == 0 {
            let integer = self.integer(depth.saturating_sub(1));
            return self.terms.int_to_bv(3, integer);
        }
        match self.below(8) {
            0 => {
                let a = self.vector(depth - 1);
                let op = if self.below(2) == 0 { Op::BvNot } else { Op::BvNeg };
                self.terms.bv_unary(op, a)
            }
            1 => {
                let a = self.vector(depth - 1);
                let high = self.terms.extract(2, 1, a);
                let low = self.terms.extract(1, 1, a);
                self.terms.concat(low, high)
            }
            2 => {
                let a = self.vector(depth - 1);
                let two = self.terms.extract(1, 0, a);
                if self.below(2) == 0 {
                    self.terms.zero_extend(1, two)
                } else {
                    self.terms.sign_extend(1, two)
                }
            }
            _ => {
                let op = BINARY[self.below(BINARY.len() as u64) as usize];
                let (a, b) = (self.vector(depth - 1), self.vector(depth - 1));
                self.terms.bv_binary(op, a, b)
            }
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => {
                // Sums of symbols, of which one or several may be far out.
                let mut parts: Vec<Term> = self.symbols.clone();
                for part in &mut parts {
                    let factor = self.terms.int([1, 1, -1, 2, -3, 0][self.random.number(6) as usize]);
                    *part = self.terms.mul(&[factor, *part]);
                }
                let (sum, bound) = (self.terms.add(&parts), self.below(12) as i64 - 6);
                let bound = self.terms.int(bound);
                if self.below(2) == 0 { self.terms.le(sum, bound) } else { self.terms.eq(sum, bound) }
            }
            4 => {
                let (a, b) = (self.integer(inner), self.integer(inner));
                self.terms.le(a, b)
            }
            1 | 5 => {
                let (a, b) = (self.integer(inner), self.integer(inner));
                self.terms.eq(a, b)
            }
            2 => {
                let (a, b) = (self.vector(inner), self.vector(inner));
                self.terms.bv_ule(a, b)
            }
            3 => {
                let (a, b) = (self.vector(inner), self.vector(inner));
                self.terms.bv_sle(a, b)
            }
            6 => {
                let (a, b) = (self.formula(inner), self.formula(inner));
                if self.below(2) == 0 { self.terms.and([a, b]) } else { self.terms.or([a, b]) }
            }
            _ => {
                let a = self.formula(inner);
                self.terms.not(a)
            }
        }
    }

    /// The range of a symbol.
    fn range(&mut self, symbol: Term) -> Term {
        let (low, high) = (self.terms.int(LOW), self.terms.int(HIGH));
        let parts = [self.terms.ge(symbol, low), self.terms.le(symbol, high)];
        self.terms.and(parts)
    }
}

/// Whether one of these values for each of the symbols makes a formula true.
fn has_model(terms: &Terms, symbols: &[Symbol], formula: Term, tried: &[i64]) -> bool {
    let mut positions = vec![0; symbols.len()];
    loop {
        let mut model = Model::new();
        for (&symbol, &position) in symbols.iter().zip(&positions) {
            model.set(symbol, Value::Int(tried[position].into()));
        }
        if Evaluator::new(&model).evaluate_plain(terms, formula).unwrap().is_true() {
            return true;
        }
        let Some(at) = positions.iter().position(|&position| position + 1 < tried.len()) else {
            return false;
        };
        positions[at] += 1;
        positions[..at].fill(0);
    }
}

/// The answer of the circuit, with its model.
fn model_of(terms: &Terms, formula: Term) -> Option<Model> {
    let mut circuit = Circuit::new(terms, &[formula]);
    let mut collector = Collector(Solver::new(Recording::Nothing, Budget::unlimited()));
    let bit = circuit.formula(terms, formula).unwrap();
    let literal = circuit.literal(bit, &mut collector);
    collector.clause(&[literal]);
    match collector.0.solve(&[]).unwrap() {
        Answer::Sat => Some(circuit.model(|literal| collector.0.value(literal))),
        Answer::Unsat => None,
    }
}

#[test]
fn circuits_and_enumeration_agree() {
    let (mut refuted, mut satisfied, mut open) = (0, 0, 0);
    for seed in 0..3_000 {
        let mut terms = Terms::new();
        let symbols: Vec<Symbol> = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::INT)).to_vec();
        let constants = symbols.iter().map(|&symbol| terms.constant(symbol)).collect();
        let mut maker = Maker { terms: &mut terms, random: Random::new(seed), symbols: constants };
        let mut parts: Vec<Term> = (0..3).map(|_| maker.formula(4)).collect();
        for symbol in maker.symbols.clone() {
            parts.push(maker.range(symbol));
        }
        // Ranges are on top, or inside of cases.
        if seed % 2 == 1 {
            let other = maker.formula(2);
            let ranges: Vec<Term> =
                maker.symbols.clone().into_iter().map(|symbol| maker.range(symbol)).collect();
            let more = maker.terms.and(ranges.into_iter().chain([other]));
            let all = maker.terms.and(parts.drain(..));
            parts = vec![maker.terms.or([all, more])];
        }
        let formula = terms.and(parts);
        let expected = has_model(&terms, &symbols, formula, &(LOW..=HIGH).collect::<Vec<_>>());
        let shown = refute(&terms, &[formula], u64::MAX, &Budget::unlimited()).unwrap();
        assert!(!shown || !expected, "seed {seed}: {}", logic::print::infix(&terms, formula));
        match model_of(&terms, formula) {
            // A model in which an integer is out is none, and the question stays open.
            Some(model) if Evaluator::new(&model).evaluate_plain(&terms, formula).unwrap().is_true() => {
                assert!(expected && !shown, "seed {seed}");
                satisfied += 1;
            }
            Some(_) => open += 1,
            None => {
                assert!(shown && !expected, "seed {seed}");
                refuted += 1;
            }
        }
    }
    assert!(refuted > 300 && satisfied > 300 && open < 100, "{refuted}, {satisfied}, {open}");
}

/// Without ranges nothing false may be shown: a formula with a model of small integers, or of such that do not fit into the bits that are
/// guessed from its constants, is never refuted.
#[test]
fn integers_without_range() {
    let far = (3..9).flat_map(|power| [-1, 0, 1].map(|more| (1 << power) + more));
    let tried: Vec<i64> = (LOW..=HIGH).chain(far.flat_map(|value| [value, -value])).collect();
    let mut refuted = 0;
    for seed in 0..3_000 {
        let mut terms = Terms::new();
        let symbols: Vec<Symbol> = ["x", "y"].map(|name| terms.symbol(name, Sort::INT)).to_vec();
        let constants = symbols.iter().map(|&symbol| terms.constant(symbol)).collect();
        let mut maker = Maker { terms: &mut terms, random: Random::new(seed), symbols: constants };
        let parts: Vec<Term> = (0..3).map(|_| maker.formula(3)).collect();
        let formula = terms.and(parts);
        if refute(&terms, &[formula], 100_000, &Budget::unlimited()).unwrap() {
            refuted += 1;
            assert!(!has_model(&terms, &symbols, formula, &tried), "seed {seed}");
        }
    }
    assert!(refuted > 100, "{refuted}");
}

#[test]
fn large_integers_are_not_forgotten() {
    let mut terms = Terms::new();
    let x = terms.named("x", Sort::INT);
    let (nine, hundred) = (terms.int(9), terms.int(100));
    let small = terms.le(x, nine);
    let large = terms.not(small);
    let bits = terms.int_to_bv(4, x);
    let nat = terms.bv_to_nat(bits);
    let far = terms.ge(nat, hundred);
    let budget = Budget::unlimited();
    assert!(!refute(&terms, &[large], 100, &budget).unwrap(), "integers have no end");
    assert!(refute(&terms, &[far], 100, &budget).unwrap(), "four bits do");
    // What is equal to a sum of few bits has few bits.
    let (y, one) = (terms.named("y", Sort::INT), terms.int(1));
    let sum = terms.add(&[nat, one]);
    let equal = terms.eq(y, sum);
    let above = terms.ge(y, hundred);
    assert!(refute(&terms, &[equal, above], 100, &budget).unwrap());
    assert!(!refute(&terms, &[above], 100, &budget).unwrap());
    assert!(terms.has_conversions(&[far]) && !terms.has_conversions(&[large]));
}

/// What stands inside of a quantifier is not looked at: the formula is open, and what is beside it is not.
#[test]
fn quantifiers_are_open() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::INT);
    let constant = terms.constant(x);
    let bits = terms.int_to_bv(4, constant);
    let nat = terms.bv_to_nat(bits);
    let (zero, hundred) = (terms.int(0), terms.int(100));
    let far = terms.ge(nat, hundred);
    let near = terms.ge(nat, zero);
    let other = terms.eq(constant, nat);
    let all = terms.quantify(logic::Quantifier::Forall, &[x], other, &[]);
    let budget = Budget::unlimited();
    assert!(!refute(&terms, &[all, near], 100, &budget).unwrap());
    assert!(refute(&terms, &[all, far], 100, &budget).unwrap());
}
