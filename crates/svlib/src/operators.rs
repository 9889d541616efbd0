//! The functions of SMT-LIB's theories of Booleans, integers, reals, arrays and bit-vectors, and those of the script.

use crate::builder::Builder;
use crate::problem::{Problem, mistake, unsupported};
use crate::symbols::{Named, Scope};
use crate::syntax::{Data, Node};
use base::Span;
use ir::{BinaryOp, Builtin, Expr, ExprData, FunctionData, Meaning, Type, UnaryOp, VariableKind};
use num_bigint::{BigInt, BigUint};

/// How an operator is applied to more than two operands.
#[derive(Clone, Copy)]
enum Joined {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a => b => c` is `a => (b => c)`.
    Right,
    /// `a < b < c` is `a < b` and `b < c`.
    Chain,
}

/// What operands an operator takes.
#[derive(Clone, Copy, PartialEq)]
enum Operands {
    Bool,
    Int,
    Real,
    /// All integers or all reals.
    Number,
    /// All of one sort.
    Same,
}

fn operator(name: &str) -> Option<(BinaryOp, Operands, Joined)> {
    Some(match name {
        "and" => (BinaryOp::And, Operands::Bool, Joined::Left),
        "or" => (BinaryOp::Or, Operands::Bool, Joined::Left),
        "xor" => (BinaryOp::NotEqual, Operands::Bool, Joined::Left),
        "=>" => (BinaryOp::Implies, Operands::Bool, Joined::Right),
        "=" => (BinaryOp::Equal, Operands::Same, Joined::Chain),
        "<" => (BinaryOp::Less, Operands::Number, Joined::Chain),
        "<=" => (BinaryOp::LessEqual, Operands::Number, Joined::Chain),
        ">" => (BinaryOp::Greater, Operands::Number, Joined::Chain),
        ">=" => (BinaryOp::GreaterEqual, Operands::Number, Joined::Chain),
        "+" => (BinaryOp::Add, Operands::Number, Joined::Left),
        "-" => (BinaryOp::Subtract, Operands::Number, Joined::Left),
        "*" => (BinaryOp::Multiply, Operands::Number, Joined::Left),
        "div" => (BinaryOp::IntDivide, Operands::Int, Joined::Left),
        "mod" => (BinaryOp::Modulo, Operands::Int, Joined::Left),
        "/" => (BinaryOp::RealDivide, Operands::Real, Joined::Left),
        _ => return None,
    })
}

impl Builder<'_> {
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.names.find(name, usize::MAX, self.start).is_ok_and(|found| found.is_some())
    }

    /// A function applied to its arguments.
    pub(crate) fn application(
        &mut self,
        name: &str,
        values: Vec<Expr>,
        span: Span,
        command: usize,
    ) -> Result<Expr, Problem> {
        if let Some((op, operands, joined)) = operator(name) {
            return self.joined(name, (op, operands, joined), values, span);
        }
        let ty = |builder: &Builder<'_>, value: Expr| builder.program.ty(value);
        match (name, &values[..]) {
            ("not", &[value]) => {
                let value = self.coerced(value, Type::BOOL)?;
                Ok(self.program.not(value, span))
            }
            ("ite", &[condition, then, otherwise]) => {
                let condition = self.coerced(condition, Type::BOOL)?;
                let branches = self.of_one_sort(vec![then, otherwise])?;
                Ok(self.program.ite(condition, branches[0], branches[1], span))
            }
            ("distinct", [_, _, ..]) => self.distinct(values, span),
            ("to_real", &[value]) => {
                let value = self.coerced(value, Type::INT)?;
                Ok(self.real_of(value, span))
            }
            ("to_int", &[value]) => {
                let value = self.coerced(value, Type::REAL)?;
                Ok(self.program.unary(UnaryOp::RealToInt, value, span))
            }
            ("is_int", &[value]) => {
                let value = self.coerced(value, Type::REAL)?;
                let whole = self.program.unary(UnaryOp::RealToInt, value, span);
                let whole = self.program.unary(UnaryOp::IntToReal, whole, span);
                Ok(self.program.equal(whole, value, span))
            }
            ("abs", &[value]) => {
                let value = self.coerced(value, Type::INT)?;
                let zero = self.program.int(0, span);
                let negative = self.program.binary(BinaryOp::Less, value, zero, span);
                let opposite = self.program.unary(UnaryOp::Negate, value, span);
                Ok(self.program.ite(negative, opposite, value, span))
            }
            ("select", &[map, index]) => {
                let (domain, _) = self.map_type(map)?;
                let index = self.coerced(index, domain)?;
                Ok(self.program.select(map, [index], span))
            }
            ("store", &[map, index, value]) => {
                let (domain, range) = self.map_type(map)?;
                let (index, value) = (self.coerced(index, domain)?, self.coerced(value, range)?);
                Ok(self.program.store(map, [index], value, span))
            }
            ("concat", [_, _, ..]) => self.concatenated(&values, span),
            ("bvcomp", &[left, right]) if self.width(left)? == self.width(right)? => {
                let equal = self.program.equal(left, right, span);
                let one = self.program.bit_vector(1_u8, 1, span);
                let zero = self.program.bit_vector(0_u8, 1, span);
                Ok(self.program.ite(equal, one, zero, span))
            }
            _ => match (Builtin::parse(name), self.names.find(name, command, span)?) {
                (_, Some(Named::Function(function))) => self.call_function(name, function, values, span),
                (_, Some(_)) => Err(mistake(span, format!("`{name}` is no function"))),
                (Some(builtin @ (Builtin::BitVecBinary(_) | Builtin::BitVecCompare(_))), None)
                    if values.len() >= 2 =>
                {
                    let width = self.width(values[0])?;
                    let result = match builtin {
                        Builtin::BitVecCompare(_) => Type::BOOL,
                        _ => ty(self, values[0]),
                    };
                    for &value in &values {
                        if self.width(value)? != width {
                            let message =
                                format!("all operands of `{name}` have {width} bits, and this one has not");
                            return Err(mistake(self.program.expressions.span(value), message));
                        }
                    }
                    let mut left = values[0];
                    if result == Type::BOOL && values.len() > 2 {
                        return Err(mistake(span, format!("`{name}` takes two operands")));
                    }
                    for &right in &values[1..] {
                        left = self.builtin(builtin, &[left, right], result, span);
                    }
                    Ok(left)
                }
                (Some(builtin @ Builtin::BitVecUnary(_)), None) if values.len() == 1 => {
                    self.width(values[0])?;
                    let result = ty(self, values[0]);
                    Ok(self.builtin(builtin, &values, result, span))
                }
                (Some(builtin @ (Builtin::UnsignedToInt | Builtin::SignedToInt)), None)
                    if values.len() == 1 =>
                {
                    self.width(values[0])?;
                    Ok(self.builtin(builtin, &values, Type::INT, span))
                }
                (Some(_), None) => Err(mistake(span, format!("`{name}` is not used like that"))),
                (None, None) => Err(unknown_function(name, span)),
            },
        }
    }

    fn call_function(
        &mut self,
        name: &str,
        function: ir::Function,
        values: Vec<Expr>,
        span: Span,
    ) -> Result<Expr, Problem> {
        let parameters = self.program.functions[function].parameters.clone();
        if parameters.len() != values.len() {
            let (expected, found) = (parameters.len(), values.len());
            return Err(mistake(span, format!("`{name}` takes {expected} arguments, and here are {found}")));
        }
        let mut arguments = Vec::new();
        for (parameter, value) in parameters.into_iter().zip(values) {
            let ty = self.program.variables[parameter].ty;
            arguments.push(self.coerced(value, ty)?);
        }
        Ok(self.program.apply(function, arguments, span))
    }

    fn joined(
        &mut self,
        name: &str,
        (op, operands, joined): (BinaryOp, Operands, Joined),
        values: Vec<Expr>,
        span: Span,
    ) -> Result<Expr, Problem> {
        let values = self.operands(name, operands, values)?;
        match (values.len(), op) {
            (1, BinaryOp::Subtract) => return Ok(self.negated(values[0], span)),
            (1, BinaryOp::And | BinaryOp::Or) => return Ok(values[0]),
            (0 | 1, _) => return Err(mistake(span, format!("`{name}` takes at least two operands"))),
            _ => {}
        }
        let program = &mut self.program;
        Ok(match joined {
            Joined::Left => {
                let mut left = values[0];
                for &right in &values[1..] {
                    left = program.binary(op, left, right, span);
                }
                left
            }
            Joined::Right => {
                let mut right = values[values.len() - 1];
                for &left in values[..values.len() - 1].iter().rev() {
                    right = program.binary(op, left, right, span);
                }
                right
            }
            Joined::Chain => {
                let links: Vec<Expr> =
                    values.windows(2).map(|pair| program.binary(op, pair[0], pair[1], span)).collect();
                program.and(links, span)
            }
        })
    }

    /// A negative literal is a literal.
    fn negated(&mut self, value: Expr, span: Span) -> Expr {
        match &self.program.expressions[value] {
            ExprData::Int(number) => {
                let number = -number.clone();
                self.program.int(number, span)
            }
            ExprData::Real(number) => {
                let number = -number.clone();
                self.program.real(number, span)
            }
            _ => self.program.unary(UnaryOp::Negate, value, span),
        }
    }

    fn operands(&mut self, name: &str, kind: Operands, values: Vec<Expr>) -> Result<Vec<Expr>, Problem> {
        let ty = match kind {
            Operands::Bool => Type::BOOL,
            Operands::Int => Type::INT,
            Operands::Real => Type::REAL,
            Operands::Same => return self.of_one_sort(values),
            Operands::Number => {
                let values = self.of_one_sort(values)?;
                for &value in &values {
                    if !matches!(self.program.ty(value), Type::INT | Type::REAL) {
                        let sort = self.sort_text(self.program.ty(value));
                        let message = format!("`{name}` takes numbers, and this term has sort {sort}");
                        return Err(mistake(self.program.expressions.span(value), message));
                    }
                }
                return Ok(values);
            }
        };
        values.into_iter().map(|value| self.coerced(value, ty)).collect()
    }

    /// Terms that must have one sort; integers are reals where one of them is.
    fn of_one_sort(&mut self, values: Vec<Expr>) -> Result<Vec<Expr>, Problem> {
        let Some(&first) = values.first() else { return Ok(values) };
        let real = values.iter().any(|&value| self.program.ty(value) == Type::REAL);
        let ty =
            if real && self.program.ty(first) == Type::INT { Type::REAL } else { self.program.ty(first) };
        values.into_iter().map(|value| self.coerced(value, ty)).collect()
    }

    fn distinct(&mut self, values: Vec<Expr>, span: Span) -> Result<Expr, Problem> {
        let values = self.of_one_sort(values)?;
        let mut different = Vec::new();
        for (position, &left) in values.iter().enumerate() {
            for &right in &values[position + 1..] {
                different.push(self.program.binary(BinaryOp::NotEqual, left, right, span));
            }
        }
        Ok(self.program.and(different, span))
    }

    fn map_type(&self, map: Expr) -> Result<(Type, Type), Problem> {
        match self.program.types.as_map(self.program.ty(map)) {
            Some((&[domain], range)) => Ok((domain, range)),
            _ => Err(mistake(
                self.program.expressions.span(map),
                "a term of a sort `(Array … …)` is expected here",
            )),
        }
    }

    fn width(&self, value: Expr) -> Result<u32, Problem> {
        let width = self.program.types.width(self.program.ty(value));
        width.ok_or_else(|| mistake(self.program.expressions.span(value), "a bit-vector is expected here"))
    }

    fn concatenated(&mut self, values: &[Expr], span: Span) -> Result<Expr, Problem> {
        for &value in values {
            self.width(value)?;
        }
        let mut left = values[0];
        for &right in &values[1..] {
            left = self.program.binary(BinaryOp::Concat, left, right, span);
        }
        Ok(left)
    }

    /// An operation of the logic.
    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], result: Type, span: Span) -> Expr {
        let domain: Vec<Type> = arguments.iter().map(|&argument| self.program.ty(argument)).collect();
        let key = (builtin, domain.clone(), result);
        let function = match self.builtins.get(&key) {
            Some(&function) => function,
            None => {
                let function = self.program.functions.next_key();
                let kind = VariableKind::FunctionParameter(function);
                let parameters = domain
                    .iter()
                    .enumerate()
                    .map(|(index, &ty)| self.program.new_variable(format!("p{index}"), ty, kind, span));
                let parameters = parameters.collect();
                let name = format!("op#{}", self.builtins.len());
                let meaning = Meaning::Builtin(builtin);
                let attributes = Vec::new();
                self.program.functions.push(FunctionData {
                    name,
                    parameters,
                    result,
                    meaning,
                    attributes,
                    span,
                });
                self.builtins.insert(key, function);
                function
            }
        };
        self.program.apply(function, arguments, span)
    }

    /// `(_ bv5 8)`
    pub(crate) fn indexed_constant(&mut self, kind: Node, width: Node, span: Span) -> Result<Expr, Problem> {
        let value = self.document.symbol(kind).and_then(|name| name.strip_prefix("bv"));
        let Some(value) = value.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10)) else {
            return Err(unsupported(span, format!("`{}`", self.document.text(kind))));
        };
        let width = self.number(width)?;
        if width == 0 || value.bits() > u64::from(width) {
            return Err(mistake(span, "the number does not fit so many bits"));
        }
        Ok(self.program.bit_vector(value, width, span))
    }

    /// `((_ extract 7 0) t)`, `((as const (Array Int Int)) t)`
    pub(crate) fn qualified_term(
        &mut self,
        node: Node,
        head: Node,
        arguments: &[Node],
        scope: &mut Scope,
    ) -> Result<Expr, Problem> {
        let (document, span) = (self.document, self.document.span(node));
        let mut values = Vec::new();
        for &argument in arguments {
            values.push(self.term(argument, scope)?);
        }
        match document.headed(head) {
            Some(("as", [name, sort])) => {
                let ty = self.sort(*sort, scope.command)?;
                match (document.symbol(*name), &values[..]) {
                    (Some("const"), &[value]) => {
                        let Some((_, range)) = self.program.types.as_map(ty) else {
                            return Err(mistake(
                                document.span(*sort),
                                "a sort `(Array … …)` is expected here",
                            ));
                        };
                        let value = self.coerced(value, range)?;
                        Ok(self.builtin(Builtin::ConstantMap, &[value], ty, span))
                    }
                    (Some("const"), _) | (None, _) => Err(mistake(span, "`as` is not used like that")),
                    (Some(name), _) => {
                        let value = self.application(name, values, span, scope.command)?;
                        self.coerced(value, ty)
                    }
                }
            }
            Some(("_", [name, indices @ ..])) => {
                let Some(name) = document.symbol(*name) else {
                    return Err(mistake(span, "the name of a function is expected here"));
                };
                let mut numbers = Vec::new();
                for &index in indices {
                    match document.data(index) {
                        Data::Numeral(_) => numbers.push(self.number(index)?),
                        _ => return Err(unsupported(span, format!("`{}`", document.text(head)))),
                    }
                }
                self.indexed(name, &numbers, &values, span)
            }
            _ => Err(mistake(document.span(head), "the name of a function is expected here")),
        }
    }

    fn indexed(&mut self, name: &str, indices: &[u32], values: &[Expr], span: Span) -> Result<Expr, Problem> {
        let &[value] = values else {
            return Err(mistake(span, format!("`{name}` takes one operand")));
        };
        match (name, indices) {
            ("extract", &[high, low]) => {
                if low > high || high >= self.width(value)? {
                    return Err(mistake(span, "the bit-vector has no such bits"));
                }
                Ok(self.program.extract(value, high + 1, low, span))
            }
            ("repeat", &[times]) if times > 0 => self.concatenated(&vec![value; times as usize], span),
            ("zero_extend" | "sign_extend", &[0]) => {
                self.width(value)?;
                Ok(value)
            }
            ("zero_extend" | "sign_extend", &[by]) => {
                let width = self.width(value)?.saturating_add(by);
                let result = self.program.types.bit_vector(width);
                let builtin =
                    if name == "zero_extend" { Builtin::ZeroExtend(by) } else { Builtin::SignExtend(by) };
                Ok(self.builtin(builtin, &[value], result, span))
            }
            ("rotate_left" | "rotate_right", &[by]) => {
                let by = by % self.width(value)?;
                let result = self.program.ty(value);
                let builtin =
                    if name == "rotate_left" { Builtin::RotateLeft(by) } else { Builtin::RotateRight(by) };
                Ok(self.builtin(builtin, &[value], result, span))
            }
            ("int2bv" | "int_to_bv" | "nat2bv", &[width]) if width > 0 => {
                let value = self.coerced(value, Type::INT)?;
                let result = self.program.types.bit_vector(width);
                Ok(self.builtin(Builtin::IntToBitVec(width), &[value], result, span))
            }
            ("divisible", &[by]) if by > 0 => {
                let value = self.coerced(value, Type::INT)?;
                let by = self.program.int(BigInt::from(by), span);
                let rest = self.program.binary(BinaryOp::Modulo, value, by, span);
                let zero = self.program.int(0, span);
                Ok(self.program.equal(rest, zero, span))
            }
            _ => Err(unknown_function(name, span)),
        }
    }
}

/// A function of a theory that is not there, or of none.
fn unknown_function(name: &str, span: Span) -> Problem {
    let theory = ["fp.", "str.", "re.", "seq.", "set.", "bag.", "bv", "ff.", "to_fp"];
    if theory.iter().any(|prefix| name.starts_with(prefix)) {
        return unsupported(span, format!("the function `{name}`"));
    }
    mistake(span, format!("there is no function `{name}` here"))
}
