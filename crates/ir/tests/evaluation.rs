//! The interpreter against the simplest possible evaluator.
//!
//! Random expressions with shared parts, over all types that can be evaluated, are evaluated twice: by the
//! interpreter's code, and here by one `match` per node that computes everything, in the order of the arena.

use base::{Budget, EntityRef, FileId, PrimaryMap, SecondaryMap, Span};
use ir::builtin::{BitVecBinary, BitVecCompare, BitVecUnary};
use ir::interpreter::{Bits, Defaults, Interpreter, Limits, MapValue, Outcome, Value};
use ir::{
    BinaryOp, Block, BlockData, Body, Builtin, Expr, ExprData, Function, FunctionData, Meaning, Procedure,
    ProcedureData, Program, QuantifierKind, Statement, StatementKind, Transfer, Type, UnaryOp, Variable,
    VariableKind,
};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use std::sync::Arc;

fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

/// A program with variables of all types, some functions, and pools of expressions by type.
struct Pool {
    program: Program,
    heap: Type,
    byte: Type,
    bools: Vec<Expr>,
    ints: Vec<Expr>,
    reals: Vec<Expr>,
    maps: Vec<Expr>,
    bytes: Vec<Expr>,
    add: Function,
    less: Function,
    not: Function,
    double: Function,
    bound: Vec<Variable>,
}

fn function(program: &mut Program, name: &str, domain: &[Type], result: Type) -> Function {
    let function = program.functions.push(FunctionData {
        name: name.to_owned(),
        parameters: Vec::new(),
        result,
        meaning: Meaning::Uninterpreted,
        attributes: Vec::new(),
        span: nowhere(),
    });
    for (index, &ty) in domain.iter().enumerate() {
        let kind = VariableKind::FunctionParameter(function);
        let parameter = program.new_variable(format!("{name}{index}"), ty, kind, nowhere());
        program.functions[function].parameters.push(parameter);
    }
    function
}

impl Pool {
    fn new() -> Pool {
        let mut program = Program::new();
        let heap = program.types.map([Type::INT], Type::INT);
        let byte = program.types.bit_vector(8);
        let add = function(&mut program, "add", &[byte, byte], byte);
        program.functions[add].meaning = Meaning::Builtin(Builtin::BitVecBinary(BitVecBinary::Add));
        let less = function(&mut program, "less", &[byte, byte], Type::BOOL);
        program.functions[less].meaning = Meaning::Builtin(Builtin::BitVecCompare(BitVecCompare::SignedLess));
        let not = function(&mut program, "not", &[byte], byte);
        program.functions[not].meaning = Meaning::Builtin(Builtin::BitVecUnary(BitVecUnary::Not));
        let double = function(&mut program, "double", &[Type::INT], Type::INT);
        let parameter = program.functions[double].parameters[0];
        let x = program.variable(parameter, nowhere());
        let body = program.binary(BinaryOp::Add, x, x, nowhere());
        program.functions[double].meaning = Meaning::Defined(body);
        let mut variable = |name: &str, ty: Type| {
            let variable = program.new_variable(name, ty, VariableKind::Global, nowhere());
            program.globals.push(variable);
            program.variable(variable, nowhere())
        };
        let (b, i, r) = (variable("b", Type::BOOL), variable("i", Type::INT), variable("r", Type::REAL));
        let (m, v) = (variable("m", heap), variable("v", byte));
        Pool {
            program,
            heap,
            byte,
            bools: vec![b],
            ints: vec![i],
            reals: vec![r],
            maps: vec![m],
            bytes: vec![v],
            add,
            less,
            not,
            double,
            bound: Vec::new(),
        }
    }

    /// Adds an expression that is made of earlier ones; the numbers choose which.
    fn grow(&mut self, kind: u8, a: usize, b: usize, literal: i64) {
        let pick = |pool: &[Expr], index: usize| pool[index % pool.len()];
        let (int, other_int) = (pick(&self.ints, a), pick(&self.ints, b));
        let (bool, other_bool) = (pick(&self.bools, a), pick(&self.bools, b));
        let (real, other_real) = (pick(&self.reals, a), pick(&self.reals, b));
        let (byte, other_byte) = (pick(&self.bytes, a), pick(&self.bytes, b));
        let (map, other_map) = (pick(&self.maps, a), pick(&self.maps, b));
        let p = &mut self.program;
        let arithmetic = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply];
        let order = [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::GreaterEqual];
        let logical = [BinaryOp::And, BinaryOp::Or, BinaryOp::Implies, BinaryOp::Iff, BinaryOp::Equal];
        let choice = literal.unsigned_abs() as usize;
        match kind {
            0 => self.ints.push(p.int(literal, nowhere())),
            1 => self.ints.push(p.binary(arithmetic[choice % 3], int, other_int, nowhere())),
            2 => self.ints.push(p.binary(
                [BinaryOp::IntDivide, BinaryOp::Modulo][choice % 2],
                int,
                other_int,
                nowhere(),
            )),
            3 => self.ints.push(p.select(map, [int], nowhere())),
            4 => self.ints.push(p.ite(bool, int, other_int, nowhere())),
            5 => self.ints.push(p.unary(UnaryOp::RealToInt, real, nowhere())),
            6 => self.ints.push(p.apply(self.double, [int], nowhere())),
            7 => self.maps.push(p.store(map, [int], other_int, nowhere())),
            8 => self.bools.push(p.binary(order[choice % 4], int, other_int, nowhere())),
            9 => self.bools.push(p.binary(logical[choice % 5], bool, other_bool, nowhere())),
            10 => self.bools.push(p.not(bool, nowhere())),
            11 => self.bools.push(p.equal(map, other_map, nowhere())),
            12 => self.bools.push(p.binary(BinaryOp::NotEqual, int, other_int, nowhere())),
            13 => self.bools.push(p.apply(self.less, [byte, other_byte], nowhere())),
            14 => self.reals.push(p.real(Ratio::new(literal.into(), 4.into()), nowhere())),
            15 => self.reals.push(p.binary(arithmetic[choice % 3], real, other_real, nowhere())),
            16 => self.reals.push(p.binary(BinaryOp::RealDivide, real, other_real, nowhere())),
            17 => self.reals.push(p.unary(UnaryOp::IntToReal, int, nowhere())),
            18 => self.bools.push(p.binary(order[choice % 4], real, other_real, nowhere())),
            19 => self.bytes.push(p.bit_vector(literal as u8, 8, nowhere())),
            20 => self.bytes.push(p.apply(self.add, [byte, other_byte], nowhere())),
            21 => {
                let high = p.extract(byte, 8, 3, nowhere());
                let low = p.extract(other_byte, 3, 0, nowhere());
                self.bytes.push(p.binary(BinaryOp::Concat, high, low, nowhere()));
            }
            22 => self.bytes.push(p.apply(self.not, [byte], nowhere())),
            23 => self.maps.push(p.ite(bool, map, other_map, nowhere())),
            24 => self.ints.push(p.unary(UnaryOp::Negate, int, nowhere())),
            _ => {
                // Bound variables stay below their quantifier: the parts are closed.
                let bound = p.new_variable(
                    format!("q{}", self.bound.len()),
                    Type::BOOL,
                    VariableKind::Bound,
                    nowhere(),
                );
                self.bound.push(bound);
                let q = p.variable(bound, nowhere());
                let left = p.binary(BinaryOp::Implies, q, bool, nowhere());
                let right = p.binary(BinaryOp::Iff, q, other_bool, nowhere());
                let body = p.binary([BinaryOp::And, BinaryOp::Or][choice % 2], left, right, nowhere());
                let kind = [QuantifierKind::Forall, QuantifierKind::Exists][a % 2];
                self.bools.push(p.quantified(kind, vec![bound], body, nowhere()));
            }
        }
    }
}

/// Evaluates an expression; `bound` gives the values of bound variables.
fn naive(
    program: &Program,
    expr: Expr,
    globals: &[Value],
    bound: &mut SecondaryMap<Variable, bool>,
) -> Value {
    let mut go = |expr: Expr| naive(program, expr, globals, bound);
    let int = |value: Value| value.as_int().expect("an integer").to_big();
    let truth = |value: Value| value.as_bool().expect("a truth value");
    let rational = |value: Value| match value {
        Value::Real(value) => (*value).clone(),
        other => panic!("{other} is no real"),
    };
    let bits = |value: Value| match value {
        Value::Bits(bits) => bits,
        other => panic!("{other} is no bit-vector"),
    };
    match &program.expressions[expr] {
        ExprData::Bool(value) => Value::Bool(*value),
        ExprData::Int(value) => Value::int(value.clone()),
        ExprData::Real(value) => Value::real(value.clone()),
        ExprData::BitVec { value, width } => Value::bits(*width, value),
        ExprData::Variable(variable) => match program.globals.iter().position(|global| global == variable) {
            Some(index) => globals[index].clone(),
            None => Value::Bool(bound[*variable]),
        },
        ExprData::Old(_) => panic!("no test uses `old`"),
        ExprData::Apply(function, arguments) => {
            let mut arguments: Vec<Value> = arguments.iter().map(|&argument| go(argument)).collect();
            let last = arguments.pop().expect("all functions have arguments");
            match program.functions[*function].meaning {
                Meaning::Builtin(Builtin::BitVecBinary(_)) => {
                    let sum = bits(arguments.remove(0)).unsigned() + bits(last).unsigned();
                    Value::Bits(Bits::from_int(8, &BigInt::from(sum)))
                }
                Meaning::Builtin(Builtin::BitVecCompare(_)) => {
                    Value::Bool(bits(arguments.remove(0)).signed() < bits(last).signed())
                }
                Meaning::Builtin(_) => Value::Bits(Bits::from_int(8, &(-bits(last).signed() - 1))),
                _ => Value::int(int(last) * 2),
            }
        }
        ExprData::Unary(op, operand) => {
            let operand = go(*operand);
            match op {
                UnaryOp::Not => Value::Bool(!truth(operand)),
                UnaryOp::Negate => Value::int(-int(operand)),
                UnaryOp::IntToReal => Value::real(Ratio::from(int(operand))),
                UnaryOp::RealToInt => Value::int(rational(operand).floor().to_integer()),
            }
        }
        ExprData::Binary(op, left, right) => {
            let (left, right) = (go(*left), go(*right));
            let euclidean = |dividend: BigInt, divisor: BigInt| {
                if divisor.is_zero() {
                    return (BigInt::zero(), BigInt::zero());
                }
                let mut remainder = &dividend % &divisor;
                if remainder.is_negative() {
                    remainder += divisor.abs();
                }
                ((dividend - &remainder) / divisor, remainder)
            };
            match (
                op,
                program.ty(match &program.expressions[expr] {
                    ExprData::Binary(_, left, _) => *left,
                    _ => expr,
                }),
            ) {
                (BinaryOp::And, _) => Value::Bool(truth(left) & truth(right)),
                (BinaryOp::Or, _) => Value::Bool(truth(left) | truth(right)),
                (BinaryOp::Implies, _) => Value::Bool(!truth(left) | truth(right)),
                (BinaryOp::Iff | BinaryOp::Equal, _) => Value::Bool(left == right),
                (BinaryOp::NotEqual, _) => Value::Bool(left != right),
                (BinaryOp::Less, Type::INT) => Value::Bool(int(left) < int(right)),
                (BinaryOp::LessEqual, Type::INT) => Value::Bool(int(left) <= int(right)),
                (BinaryOp::Greater, Type::INT) => Value::Bool(int(left) > int(right)),
                (BinaryOp::GreaterEqual, Type::INT) => Value::Bool(int(left) >= int(right)),
                (BinaryOp::Less, _) => Value::Bool(rational(left) < rational(right)),
                (BinaryOp::LessEqual, _) => Value::Bool(rational(left) <= rational(right)),
                (BinaryOp::Greater, _) => Value::Bool(rational(left) > rational(right)),
                (BinaryOp::GreaterEqual, _) => Value::Bool(rational(left) >= rational(right)),
                (BinaryOp::Add, Type::INT) => Value::int(int(left) + int(right)),
                (BinaryOp::Subtract, Type::INT) => Value::int(int(left) - int(right)),
                (BinaryOp::Multiply, Type::INT) => Value::int(int(left) * int(right)),
                (BinaryOp::Add, _) => Value::real(rational(left) + rational(right)),
                (BinaryOp::Subtract, _) => Value::real(rational(left) - rational(right)),
                (BinaryOp::Multiply, _) => Value::real(rational(left) * rational(right)),
                (BinaryOp::IntDivide, _) => Value::int(euclidean(int(left), int(right)).0),
                (BinaryOp::Modulo, _) => Value::int(euclidean(int(left), int(right)).1),
                (BinaryOp::RealDivide, _) => match (rational(left), rational(right)) {
                    (_, right) if right.is_zero() => Value::real(Ratio::zero()),
                    (left, right) => Value::real(left / right),
                },
                (BinaryOp::Concat, _) => {
                    let (high, low) = (bits(left), bits(right));
                    let value = (high.unsigned() << low.width()) + low.unsigned();
                    Value::bits(high.width() + low.width(), &value)
                }
            }
        }
        ExprData::Ite(condition, then, otherwise) => {
            let (condition, then, otherwise) = (truth(go(*condition)), go(*then), go(*otherwise));
            if condition { then } else { otherwise }
        }
        ExprData::Select(map, arguments) => {
            let (map, key) = (go(*map), go(arguments[0]));
            map.as_map().expect("a map").select(&key).clone()
        }
        ExprData::Store(map, arguments, value) => {
            let (map, key, value) = (go(*map), go(arguments[0]), go(*value));
            let mut map: MapValue = map.as_map().expect("a map").clone();
            map.store(key, value).expect("the domain is infinite");
            Value::Map(Arc::new(map))
        }
        ExprData::Extract { operand, high, low } => {
            let value = bits(go(*operand)).unsigned() >> *low;
            Value::bits(high - low, &value)
        }
        ExprData::Quantified(quantifier) => {
            let variable = quantifier.bound[0];
            let mut values = [false, true].map(|value| {
                bound[variable] = value;
                truth(naive(program, quantifier.body, globals, bound))
            });
            values.sort_unstable();
            Value::Bool(values[usize::from(quantifier.kind == QuantifierKind::Exists)])
        }
    }
}

/// Runs `procedure p() { t := root; }` and gives the value of `t`.
fn interpreted(program: &mut Program, root: Expr, inputs: &[Value]) -> Result<Value, Outcome> {
    let procedure = program.procedures.next_key();
    let ty = program.ty(root);
    let target = program.new_variable("target", ty, VariableKind::Local(procedure), nowhere());
    let statement = Statement {
        kind: StatementKind::Assign(vec![(target, root)]),
        span: nowhere(),
        attributes: Vec::new(),
    };
    let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::new();
    blocks.push(BlockData {
        label: "entry".to_owned(),
        statements: vec![statement],
        transfer: Transfer::Return,
        transfer_span: nowhere(),
    });
    let procedure: Procedure = program.procedures.push(ProcedureData {
        name: "p".to_owned(),
        parameters: Vec::new(),
        results: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        modifies: Vec::new(),
        body: Some(Body { locals: vec![target], blocks }),
        attributes: Vec::new(),
        span: nowhere(),
    });
    assert_eq!(ir::well_formed::check(program), []);
    let inputs: Vec<(Variable, Value)> =
        program.globals.iter().copied().zip(inputs.iter().cloned()).collect();
    let mut interpreter = Interpreter::new(program, Budget::unlimited());
    match interpreter.run(procedure, &inputs, &mut Defaults, Limits::default()).expect("no limit is set") {
        Outcome::Finished => Ok(interpreter.state().value(target).expect("it was assigned").clone()),
        outcome => Err(outcome),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn code_and_naive_evaluation_agree(
        steps in proptest::collection::vec((0..27_u8, any::<usize>(), any::<usize>(), -300..300_i64), 1..40),
        (b, i, r, v) in (any::<bool>(), -5..5_i64, -8..8_i64, any::<u8>()),
    ) {
        let mut pool = Pool::new();
        for (kind, a, b, literal) in steps {
            pool.grow(kind, a, b, literal);
        }
        let map = Value::default_of(&pool.program, pool.heap);
        prop_assert_eq!(pool.program.types.width(pool.byte), Some(8));
        let inputs = [
            Value::Bool(b),
            Value::from(i),
            Value::real(Ratio::new(r.into(), 3.into())),
            map,
            Value::Bits(Bits::from_u64(8, v.into())),
        ];
        let roots = [&pool.bools, &pool.ints, &pool.reals, &pool.maps, &pool.bytes];
        for root in roots.map(|pool| *pool.last().expect("no pool is empty")) {
            // The naive evaluator is exponential in shared parts, so large expressions are left out.
            if tree_size(&pool.program, root) > 20_000 {
                continue;
            }
            let mut program = pool.program.clone();
            let expected = naive(&program, root, &inputs, &mut SecondaryMap::new());
            prop_assert_eq!(interpreted(&mut program, root, &inputs), Ok(expected));
        }
    }
}

fn tree_size(program: &Program, root: Expr) -> u64 {
    let mut sizes: SecondaryMap<Expr, u64> = SecondaryMap::new();
    for expr in program.expressions.post_order([root]) {
        let mut size = 1_u64;
        program.expressions.for_each_child(expr, |child| size = size.saturating_add(sizes[child]));
        sizes[expr] = size;
    }
    sizes[root]
}

#[test]
fn shared_parts_are_evaluated_once() {
    let mut pool = Pool::new();
    let program = &mut pool.program;
    let mut sum = pool.ints[0];
    for _ in 0..200 {
        let doubled = program.apply(pool.double, [sum], nowhere());
        let one = program.int(1, nowhere());
        let next = program.binary(BinaryOp::Add, doubled, one, nowhere());
        sum = program.binary(BinaryOp::Subtract, next, sum, nowhere());
    }
    let inputs = [Value::Bool(false), Value::from(0)];
    assert_eq!(interpreted(program, sum, &inputs), Ok(Value::from(200)));
}
