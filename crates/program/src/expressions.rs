//! `ir` expressions as terms.
//!
//! Every variable has one symbol, so an expression has one term, which is computed once. Functions with a body
//! are inlined unless they are recursive; a recursive one is uninterpreted with its definition as an axiom.
//! Maps with several arguments become nested arrays. The walk follows the arena's order and never recurses.

use base::{Diagnostic, EntityRef as _, SecondaryMap};
use ir::builtin::{BitVecBinary, BitVecCompare, BitVecUnary};
use ir::definitions::Definitions;
use ir::{BinaryOp, Builtin, Expr, ExprData, Meaning, QuantifierKind, Type, TypeData, UnaryOp};
use logic::{Integer, Op, Quantifier, Rational, Sort, SortData, Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// So many unique constants of one type are told apart pair by pair.
const MOST_PAIRS: usize = 40;

/// Translates the expressions of one program.
pub struct Translator<'p> {
    program: &'p ir::Program,
    symbols: FxHashMap<ir::Variable, Symbol>,
    olds: FxHashMap<ir::Variable, Symbol>,
    sorts: FxHashMap<Type, Sort>,
    done: SecondaryMap<Expr, Option<Term>>,
    /// The symbols of uninterpreted functions without parameters.
    nullary: Vec<(ir::Function, Symbol)>,
    /// The uninterpreted functions with parameters.
    functions: Vec<(ir::Function, logic::Function)>,
    /// Tells the functions whose body is used as an axiom, because it mentions the function itself.
    definitions: Definitions,
}

/// A translation, or the place of what cannot be translated.
pub type Translated<T> = Result<T, Diagnostic>;

impl<'p> Translator<'p> {
    /// Gives every variable its symbol.
    pub fn new(program: &'p ir::Program, terms: &mut Terms) -> Translated<Translator<'p>> {
        let mut translator = Translator {
            program,
            symbols: FxHashMap::default(),
            olds: FxHashMap::default(),
            sorts: FxHashMap::default(),
            done: SecondaryMap::new(),
            nullary: Vec::new(),
            functions: Vec::new(),
            definitions: Definitions::of(program),
        };
        for (variable, data) in &program.variables {
            let sort = translator.sort(terms, data.ty);
            let symbol = terms.fresh_symbol(&data.name, sort);
            translator.symbols.insert(variable, symbol);
        }
        let mentioned = program.expressions.iter().filter_map(|(_, node)| match node.data {
            ExprData::Old(variable) => Some(variable),
            _ => None,
        });
        for variable in mentioned.chain(changed_by_calls(program)) {
            if !translator.olds.contains_key(&variable) {
                let data = &program.variables[variable];
                let sort = terms.symbol_data(translator.symbols[&variable]).sort;
                let symbol = terms.fresh_symbol(&format!("old({})", data.name), sort);
                translator.olds.insert(variable, symbol);
            }
        }
        Ok(translator)
    }

    /// The symbol of a variable.
    pub fn symbol(&self, variable: ir::Variable) -> Symbol {
        self.symbols[&variable]
    }

    /// The symbol of a global's value at the entry of the procedure, if anybody mentions it or a proof may have to.
    pub fn old_symbol(&self, variable: ir::Variable) -> Option<Symbol> {
        self.olds.get(&variable).copied()
    }

    /// The symbols of the uninterpreted functions without parameters that were met so far.
    pub fn nullary(&self) -> &[(ir::Function, Symbol)] {
        &self.nullary
    }

    /// The uninterpreted functions with parameters that were met so far.
    pub fn functions(&self) -> &[(ir::Function, logic::Function)] {
        &self.functions
    }

    /// The sort of a type.
    pub fn sort(&mut self, terms: &mut Terms, ty: Type) -> Sort {
        if let Some(&sort) = self.sorts.get(&ty) {
            return sort;
        }
        let sort = match &self.program.types[ty] {
            TypeData::Bool => Sort::BOOL,
            TypeData::Int => Sort::INT,
            TypeData::Real => Sort::REAL,
            // Solvers have no such sort. All its values are written as one value of another sort, see `node`.
            TypeData::BitVec(0) => terms.bitvec_sort(1),
            TypeData::BitVec(width) => terms.bitvec_sort(*width),
            TypeData::Map { domain, range } => {
                // Types are interned with their parts first, so this recursion is as deep as the type's text.
                let mut sort = self.sort(terms, *range);
                for &argument in domain.iter().rev() {
                    let index = self.sort(terms, argument);
                    sort = terms.array_sort(index, sort);
                }
                sort
            }
            TypeData::Named { constructor, arguments } => {
                let name = &self.program.constructors[*constructor].name;
                let ids: Vec<String> = arguments.iter().map(|argument| argument.to_string()).collect();
                terms.sort(SortData::Uninterpreted([std::slice::from_ref(name), &ids[..]].concat().join(" ")))
            }
        };
        self.sorts.insert(ty, sort);
        sort
    }

    /// The term of an expression over the symbols of its variables.
    pub fn term(&mut self, terms: &mut Terms, expr: Expr) -> Translated<Term> {
        if let Some(term) = self.done[expr] {
            return Ok(term);
        }
        for part in self.program.expressions.post_order([expr]) {
            if self.done[part].is_none() {
                let term = self.node(terms, part)?;
                self.done[part] = Some(term);
            }
        }
        Ok(self.done[expr].expect("the root is the last of its parts"))
    }

    fn known(&self, expr: Expr) -> Term {
        self.done[expr].expect("parts are translated before the whole")
    }

    /// Whether an expression is a bit-vector without bits. There is only one such value.
    fn is_empty(&self, expr: Expr) -> bool {
        self.program.types[self.program.ty(expr)] == TypeData::BitVec(0)
    }

    fn node(&mut self, terms: &mut Terms, expr: Expr) -> Translated<Term> {
        let span = self.program.expressions.span(expr);
        if self.is_empty(expr) {
            return Ok(terms.bitvec(0, 1));
        }
        Ok(match &self.program.expressions[expr] {
            ExprData::Bool(value) => terms.bool(*value),
            ExprData::Int(value) => terms.int(value.clone()),
            ExprData::Real(value) => terms.real(value.clone()),
            ExprData::BitVec { value, width } => terms.bitvec(Integer::from(value.clone()), *width),
            ExprData::Variable(variable) => terms.constant(self.symbols[variable]),
            ExprData::Old(variable) => terms.constant(self.olds[variable]),
            ExprData::Apply(function, arguments) => {
                let meaning = &self.program.functions[*function].meaning;
                if matches!(meaning, Meaning::Builtin(_)) && arguments.iter().any(|&a| self.is_empty(a)) {
                    return Err(Diagnostic::error(span, "unsupported: operations on bit-vectors of width 0"));
                }
                let arguments: Vec<Term> = arguments.iter().map(|&a| self.known(a)).collect();
                return self.application(terms, *function, &arguments, self.program.ty(expr));
            }
            ExprData::Unary(op, operand) => {
                let operand = self.known(*operand);
                match op {
                    UnaryOp::Not => terms.not(operand),
                    UnaryOp::Negate => terms.neg(operand),
                    UnaryOp::IntToReal => terms.to_real(operand),
                    UnaryOp::RealToInt => terms.to_int(operand),
                }
            }
            ExprData::Binary(BinaryOp::Concat, left, right) if self.is_empty(*left) => self.known(*right),
            ExprData::Binary(BinaryOp::Concat, left, right) if self.is_empty(*right) => self.known(*left),
            ExprData::Binary(op, left, right) => binary(terms, *op, self.known(*left), self.known(*right)),
            ExprData::Ite(condition, then, otherwise) => {
                terms.ite(self.known(*condition), self.known(*then), self.known(*otherwise))
            }
            ExprData::Select(map, arguments) => {
                let indices: Vec<Term> = arguments.iter().map(|&a| self.known(a)).collect();
                terms.select_at(self.known(*map), &indices)
            }
            ExprData::Store(map, arguments, value) => {
                let indices: Vec<Term> = arguments.iter().map(|&a| self.known(a)).collect();
                terms.store_at(self.known(*map), &indices, self.known(*value))
            }
            ExprData::Extract { operand, high, low } => terms.extract(high - 1, *low, self.known(*operand)),
            ExprData::Quantified(quantifier) => {
                let kind = match quantifier.kind {
                    QuantifierKind::Forall => Quantifier::Forall,
                    QuantifierKind::Exists => Quantifier::Exists,
                };
                let bound: Vec<Symbol> = quantifier.bound.iter().map(|v| self.symbols[v]).collect();
                let triggers: Vec<Vec<Term>> = quantifier
                    .triggers
                    .iter()
                    .map(|trigger| trigger.iter().map(|&pattern| self.known(pattern)).collect())
                    .collect();
                let body = self.known(quantifier.body);
                terms.quantify(kind, &bound, body, &usable(terms, triggers, &bound))
            }
        })
    }

    fn application(
        &mut self,
        terms: &mut Terms,
        function: ir::Function,
        arguments: &[Term],
        ty: Type,
    ) -> Translated<Term> {
        let data = &self.program.functions[function];
        match &data.meaning {
            Meaning::Defined(body) if !self.definitions.is_recursive(function) => {
                let body = self.term(terms, *body)?;
                let parameters = data.parameters.iter().map(|p| self.symbols[p]);
                let mut substitution: Substitution = parameters.zip(arguments.iter().copied()).collect();
                Ok(substitution.apply(terms, body))
            }
            Meaning::Builtin(builtin) => {
                let sort = self.sort(terms, ty);
                Ok(builtin_operation(terms, *builtin, arguments, sort))
            }
            _ => {
                let result = self.sort(terms, data.result);
                if arguments.is_empty() {
                    let symbol = terms.symbol(&format!("{}()", data.name), result);
                    if !self.nullary.contains(&(function, symbol)) {
                        self.nullary.push((function, symbol));
                    }
                    return Ok(terms.constant(symbol));
                }
                let sorts: Vec<Sort> = arguments.iter().map(|&a| terms.sort_of(a)).collect();
                let symbol = terms.function(&data.name, &sorts, result);
                if !self.functions.contains(&(function, symbol)) {
                    self.functions.push((function, symbol));
                }
                Ok(terms.apply(symbol, arguments))
            }
        }
    }

    /// What holds in every run: the axioms, the definitions of recursive functions, the unique constants.
    pub fn background(&mut self, terms: &mut Terms) -> Translated<Vec<Term>> {
        let mut axioms = Vec::new();
        for axiom in &self.program.axioms {
            axioms.push(self.term(terms, axiom.formula)?);
        }
        for (function, data) in &self.program.functions {
            if let Meaning::Defined(body) = data.meaning
                && self.definitions.is_recursive(function)
            {
                let parameters: Vec<Symbol> = data.parameters.iter().map(|p| self.symbols[p]).collect();
                let arguments: Vec<Term> = parameters.iter().map(|&p| terms.constant(p)).collect();
                let left = self.application(terms, function, &arguments, data.result)?;
                let right = self.term(terms, body)?;
                let equation = terms.eq(left, right);
                let triggers = if arguments.is_empty() { vec![] } else { vec![vec![left]] };
                axioms.push(terms.quantify(Quantifier::Forall, &parameters, equation, &triggers));
            }
        }
        let mut unique: Vec<(Type, Vec<Term>)> = Vec::new();
        for &constant in &self.program.constants {
            let data = &self.program.variables[constant];
            if data.kind == (ir::VariableKind::Constant { unique: true }) {
                let term = terms.constant(self.symbols[&constant]);
                match unique.iter_mut().find(|(ty, _)| *ty == data.ty) {
                    Some((_, same)) => same.push(term),
                    None => unique.push((data.ty, vec![term])),
                }
            }
        }
        for (number, (_, constants)) in unique.into_iter().enumerate() {
            if constants.len() <= MOST_PAIRS {
                axioms.push(terms.distinct(&constants));
                continue;
            }
            // A function that numbers them says the same, and does not grow with the square of their number.
            let sort = terms.sort_of(constants[0]);
            let rank = terms.function(&format!("unique rank {number}"), &[sort], Sort::INT);
            for (index, &constant) in constants.iter().enumerate() {
                let (rank, index) = (terms.apply(rank, &[constant]), terms.int(index as u64));
                axioms.push(terms.eq(rank, index));
            }
        }
        axioms.retain(|axiom| !axiom.is_true());
        Ok(axioms)
    }
}

/// Triggers that a solver accepts: every pattern is an application and every bound variable occurs in each trigger.
fn usable(terms: &Terms, triggers: Vec<Vec<Term>>, bound: &[Symbol]) -> Vec<Vec<Term>> {
    let pattern = |&term: &Term| matches!(terms.op(term), Op::Apply(_) | Op::Select | Op::Store);
    triggers
        .into_iter()
        .filter(|trigger| {
            let symbols = terms.free_symbols_of(trigger);
            trigger.iter().all(pattern) && bound.iter().all(|b| symbols.binary_search(b).is_ok())
        })
        .collect()
}

/// The globals that a called procedure with a body may change. What such a procedure does to them can only be
/// said with their old values. Maps are left out where no procedure calls itself, as calls can be replaced by their procedures there, and
/// equalities between old and new maps cost much.
fn changed_by_calls(program: &ir::Program) -> Vec<ir::Variable> {
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); program.procedures.len()];
    let mut called: Vec<ir::Procedure> = Vec::new();
    for (caller, data) in &program.procedures {
        let Some(body) = &data.body else { continue };
        for statement in body.blocks.values().flat_map(|block| &block.statements) {
            if let ir::StatementKind::Call { procedure, .. } = statement.kind {
                called.push(procedure);
                calls[caller.index()].push(procedure.index());
            }
        }
    }
    called.sort_unstable();
    called.dedup();
    let with_maps = has_cycle(&calls);
    let called = called.into_iter().map(|procedure| &program.procedures[procedure]);
    let changed = called.filter(|data| data.body.is_some()).flat_map(|data| &data.modifies);
    let is_scalar = |variable: &ir::Variable| {
        !matches!(program.types[program.variables[*variable].ty], ir::TypeData::Map { .. })
    };
    changed.copied().filter(|variable| with_maps || is_scalar(variable)).collect()
}

/// Whether there is a way from a node of a graph back to it. Nodes from which nothing leads on are taken away until there are no more.
fn has_cycle(next: &[Vec<usize>]) -> bool {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    let mut left: Vec<usize> = next.iter().map(Vec::len).collect();
    for (node, targets) in next.iter().enumerate() {
        targets.iter().for_each(|&target| before[target].push(node));
    }
    let mut ended: Vec<usize> = (0..next.len()).filter(|&node| left[node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = ended.pop() {
        taken += 1;
        for &source in &before[node] {
            left[source] -= 1;
            if left[source] == 0 {
                ended.push(source);
            }
        }
    }
    taken < next.len()
}

fn binary(terms: &mut Terms, op: BinaryOp, left: Term, right: Term) -> Term {
    match op {
        BinaryOp::Iff | BinaryOp::Equal => terms.eq(left, right),
        BinaryOp::NotEqual => {
            let equal = terms.eq(left, right);
            terms.not(equal)
        }
        BinaryOp::Implies => terms.implies(left, right),
        BinaryOp::And => terms.and([left, right]),
        BinaryOp::Or => terms.or([left, right]),
        BinaryOp::Less => terms.lt(left, right),
        BinaryOp::LessEqual => terms.le(left, right),
        BinaryOp::Greater => terms.gt(left, right),
        BinaryOp::GreaterEqual => terms.ge(left, right),
        BinaryOp::Add => terms.add(&[left, right]),
        BinaryOp::Subtract => terms.sub(left, right),
        BinaryOp::Multiply => terms.mul(&[left, right]),
        BinaryOp::IntDivide => terms.div(left, right),
        BinaryOp::Modulo => terms.modulo(left, right),
        BinaryOp::RealDivide => terms.divide(left, right),
        BinaryOp::Concat => terms.concat(left, right),
    }
}

fn builtin_operation(terms: &mut Terms, builtin: Builtin, arguments: &[Term], sort: Sort) -> Term {
    let a = arguments[0];
    match builtin {
        Builtin::BitVecBinary(op) => bitvec_binary(terms, op, a, arguments[1]),
        Builtin::BitVecUnary(BitVecUnary::Not) => terms.bv_unary(Op::BvNot, a),
        Builtin::BitVecUnary(BitVecUnary::Negate) => terms.bv_unary(Op::BvNeg, a),
        Builtin::BitVecCompare(op) => {
            let b = arguments[1];
            match op {
                BitVecCompare::UnsignedLess => terms.bv_ult(a, b),
                BitVecCompare::UnsignedLessEqual => terms.bv_ule(a, b),
                BitVecCompare::UnsignedGreater => terms.bv_ult(b, a),
                BitVecCompare::UnsignedGreaterEqual => terms.bv_ule(b, a),
                BitVecCompare::SignedLess => terms.bv_slt(a, b),
                BitVecCompare::SignedLessEqual => terms.bv_sle(a, b),
                BitVecCompare::SignedGreater => terms.bv_slt(b, a),
                BitVecCompare::SignedGreaterEqual => terms.bv_sle(b, a),
            }
        }
        Builtin::ZeroExtend(by) => terms.zero_extend(by, a),
        Builtin::SignExtend(by) => terms.sign_extend(by, a),
        Builtin::RotateLeft(by) => rotate_left(terms, by % terms.width(a), a),
        Builtin::RotateRight(by) => {
            let width = terms.width(a);
            rotate_left(terms, (width - by % width) % width, a)
        }
        Builtin::UnsignedToInt => terms.bv_to_nat(a),
        Builtin::SignedToInt => {
            let width = terms.width(a);
            let (value, zero) = (terms.bv_to_nat(a), terms.bitvec(0, width));
            let modulus = terms.numeral(Rational::from_integer(Integer::from(1) << width), Sort::INT);
            let wrapped = terms.sub(value, modulus);
            let negative = terms.bv_slt(a, zero);
            terms.ite(negative, wrapped, value)
        }
        Builtin::IntToBitVec(width) => terms.int_to_bv(width, a),
        Builtin::Float(operation) => terms.float(operation, arguments),
        Builtin::ConstantMap => constant_map(terms, sort, a),
    }
}

/// The array that has `value` everywhere; for nested arrays, everywhere in all rows.
fn constant_map(terms: &mut Terms, sort: Sort, value: Term) -> Term {
    let mut rows = vec![sort];
    while let Some((_, element)) = terms.array_parts(*rows.last().expect("never empty")) {
        if element == terms.sort_of(value) {
            break;
        }
        rows.push(element);
    }
    rows.into_iter().rev().fold(value, |inner, row| terms.const_array(row, inner))
}

fn bitvec_binary(terms: &mut Terms, op: BitVecBinary, a: Term, b: Term) -> Term {
    let plain = match op {
        BitVecBinary::Subtract => return terms.bv_sub(a, b),
        BitVecBinary::Nand | BitVecBinary::Nor | BitVecBinary::Xnor => {
            let inner = match op {
                BitVecBinary::Nand => Op::BvAnd,
                BitVecBinary::Nor => Op::BvOr,
                _ => Op::BvXor,
            };
            let inner = terms.bv_binary(inner, a, b);
            return terms.bv_unary(Op::BvNot, inner);
        }
        BitVecBinary::Add => Op::BvAdd,
        BitVecBinary::Multiply => Op::BvMul,
        BitVecBinary::UnsignedDivide => Op::BvUdiv,
        BitVecBinary::UnsignedRemainder => Op::BvUrem,
        BitVecBinary::SignedDivide => Op::BvSdiv,
        BitVecBinary::SignedRemainder => Op::BvSrem,
        BitVecBinary::SignedModulo => Op::BvSmod,
        BitVecBinary::And => Op::BvAnd,
        BitVecBinary::Or => Op::BvOr,
        BitVecBinary::Xor => Op::BvXor,
        BitVecBinary::ShiftLeft => Op::BvShl,
        BitVecBinary::LogicalShiftRight => Op::BvLshr,
        BitVecBinary::ArithmeticShiftRight => Op::BvAshr,
    };
    terms.bv_binary(plain, a, b)
}

fn rotate_left(terms: &mut Terms, by: u32, a: Term) -> Term {
    let width = terms.width(a);
    if by == 0 {
        return a;
    }
    let high = terms.extract(width - by - 1, 0, a);
    let low = terms.extract(width - 1, width - by, a);
    terms.concat(high, low)
}

#[cfg(test)]
mod tests {
    use super::has_cycle;

    #[test]
    fn cycles_of_calls_are_seen() {
        assert!(!has_cycle(&[]));
        assert!(!has_cycle(&[vec![1, 1], vec![2], vec![]]));
        assert!(has_cycle(&[vec![1], vec![1]]));
        assert!(has_cycle(&[vec![1], vec![2], vec![0, 3], vec![]]));
    }
}
