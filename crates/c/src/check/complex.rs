//! Complex numbers (C11 6.2.5 p11, annex G, and the integers that GNU C adds): a complex type is a struct of two members,
//! the real part and the imaginary part, whose names no program can spell.
//!
//! Operations go part by part, as gcc does them without options: a real operand has no imaginary part (it is not taken for
//! one that is zero, which would matter for the signs of zeros), products and quotients of two complex numbers are those of
//! functions that are written in C (`models/complex_*.c`) and say what happens to infinities. Operands are held, so that
//! each is evaluated once, unless they are constants: so, initialisers of static variables stay constant.

use super::{Check, Checker, Entity};
use crate::ast::{self, BinaryOp, LogicalOp, UnaryOp};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, Step, StmtId, StmtKind, VarId};
use crate::types::{Field, FloatKind, FunctionType, IntKind, Layout, Record, Type, TypeId};
use base::Span;

/// The number of the member with the real part.
const REAL: u32 = 0;
/// The number of the member with the imaginary part.
const IMAGINARY: u32 = 1;

/// An operand whose parts can be read any number of times.
#[derive(Clone, Copy)]
enum Operand {
    /// A real number that is held.
    Real(VarId),
    /// A complex number that is held.
    Complex(VarId),
    /// A real constant.
    RealConstant(ExprId),
    /// A complex constant: its parts.
    ComplexConstant(ExprId, ExprId),
}

/// Whether `++` or `--` is meant, and whether the result is the new value.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) up: bool,
    pub(super) prefix: bool,
}

impl Checker<'_> {
    /// The type of complex numbers whose parts have a type; there is one for each.
    pub(super) fn complex_type(&mut self, element: TypeId) -> TypeId {
        if let Some(&ty) = self.complex_types.get(&element) {
            return ty;
        }
        let (size, align) = self.tree.types.layout(element).unwrap_or((1, 1));
        let part = |name, bit_offset| Field { name: Some(name), ty: element, bit_offset, width: None, align };
        let fields =
            vec![part(self.symbols.intern("__real__"), 0), part(self.symbols.intern("__imag__"), 8 * size)];
        let tag = format!("{}{}", crate::types::COMPLEX, self.show(element).replace(' ', "."));
        let tag = Some(self.symbols.intern(&tag));
        let layout = Some(Layout { fields, size: 2 * size, align });
        let record = self.tree.types.records.push(Record { tag, is_union: false, layout });
        let ty = self.tree.types.intern(Type::Record(record));
        self.complex_types.insert(element, ty);
        self.complex_elements.insert(ty, element);
        ty
    }

    /// The type of the parts of a type that is complex.
    pub(super) fn complex_element(&self, ty: TypeId) -> Option<TypeId> {
        self.complex_elements.get(&ty).copied()
    }

    /// The complex number with these parts, which have one type, behind what holds the operands.
    fn complex_value(
        &mut self,
        before: Vec<StmtId>,
        [real, imaginary]: [ExprId; 2],
        span: Span,
    ) -> Check<ExprId> {
        let ty = self.complex_type(self.ty(real));
        let var = self.hidden_variable("complex", ty, span);
        let parts = vec![(vec![Step::Field(REAL)], real), (vec![Step::Field(IMAGINARY)], imaginary)];
        let literal = ExprKind::CompoundLiteral(var, Box::new(Init::Parts(parts)));
        let literal = self.expr_node(literal, ty, span);
        let value = self.value_of(literal)?;
        Ok(self.behind(before, value, span))
    }

    /// A value behind statements.
    fn behind(&mut self, before: Vec<StmtId>, value: ExprId, span: Span) -> ExprId {
        if before.is_empty() {
            return value;
        }
        let ty = self.ty(value);
        self.expr_node(ExprKind::StatementExpr(before, Some(value)), ty, span)
    }

    /// The parts of a complex number that is just made of them.
    pub(super) fn complex_parts(&self, expr: ExprId) -> Option<(ExprId, ExprId)> {
        self.complex_element(self.ty(expr))?;
        let ExprKind::Load(place) = self.tree.exprs[expr].kind else { return None };
        let ExprKind::CompoundLiteral(_, init) = &self.tree.exprs[place].kind else { return None };
        let Init::Parts(parts) = &**init else { return None };
        let [(_, real), (_, imaginary)] = parts[..] else { return None };
        Some((real, imaginary))
    }

    /// Whether an expression is made of constants only.
    fn of_constants(&self, expr: ExprId) -> bool {
        let inside = matches!(
            self.tree.exprs[expr].kind,
            ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Convert(_)
                | ExprKind::Negate(_)
                | ExprKind::Binary(..)
        );
        inside && self.tree.operands(expr).iter().all(|&operand| self.of_constants(operand))
    }

    /// An operand that will be held, unless it is constant.
    fn held(&mut self, expr: ExprId, held: &mut Vec<(VarId, ExprId)>, span: Span) -> Operand {
        let ty = self.ty(expr);
        let complex = self.complex_element(ty).is_some();
        if let Some((real, imaginary)) = self.complex_parts(expr)
            && self.of_constants(real)
            && self.of_constants(imaginary)
        {
            return Operand::ComplexConstant(real, imaginary);
        }
        if self.of_constants(expr) {
            return Operand::RealConstant(expr);
        }
        let var = self.hidden_variable("complex", ty, span);
        held.push((var, expr));
        if complex { Operand::Complex(var) } else { Operand::Real(var) }
    }

    /// Whether evaluating an expression may change something or depend on when it happens.
    fn has_effects(&self, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if self.tree.exprs[expr].kind.has_effect() {
                return true;
            }
            pending.extend(self.tree.operands(expr));
        }
        false
    }

    /// Statements that give variables the values of operands. Their order is open where it may matter: they are operands of
    /// one operator then.
    pub(super) fn hold(&mut self, held: Vec<(VarId, ExprId)>, span: Span) -> Vec<StmtId> {
        let open = held.len() > 1 && held.iter().any(|&(_, value)| self.has_effects(value));
        let mut before = Vec::new();
        let mut all = None;
        let int = self.tree.types.int;
        for (var, value) in held {
            let first = if open { None } else { Some(Init::Whole(value)) };
            before.push(self.stmt_node(StmtKind::Declare(var, first), span));
            if !open {
                continue;
            }
            let ty = self.tree.variables[var].ty;
            let place = self.expr_node(ExprKind::Variable(var), ty, span);
            let assigned = self.expr_node(ExprKind::Assign(place, value), ty, span);
            let zero = self.int_node(0, int, span);
            let one = self.expr_node(ExprKind::Comma(assigned, zero), int, span);
            all = Some(match all {
                None => one,
                Some(others) => self.expr_node(ExprKind::Binary(BinaryOp::BitOr, others, one), int, span),
            });
        }
        before.extend(all.map(|all| self.stmt_node(StmtKind::Expr(all), span)));
        before
    }

    pub(super) fn variable_value(&mut self, var: VarId, span: Span) -> Check<ExprId> {
        let ty = self.tree.variables[var].ty;
        let place = self.expr_node(ExprKind::Variable(var), ty, span);
        self.value_of(place)
    }

    /// The real part of an operand, or the imaginary part, which real numbers do not have, in a type.
    fn part_of(&mut self, operand: Operand, part: u32, to: TypeId, span: Span) -> Check<Option<ExprId>> {
        let value = match operand {
            Operand::Real(_) | Operand::RealConstant(_) if part == IMAGINARY => return Ok(None),
            Operand::Real(var) => self.variable_value(var, span)?,
            Operand::RealConstant(value) => value,
            Operand::ComplexConstant(real, imaginary) => {
                if part == REAL {
                    real
                } else {
                    imaginary
                }
            }
            Operand::Complex(var) => {
                let ty = self.tree.variables[var].ty;
                let place = self.expr_node(ExprKind::Variable(var), ty, span);
                let member = self.member_at(place, part, span);
                self.value_of(member)?
            }
        };
        self.convert(value, to, span).map(Some)
    }

    /// Both parts of an operand; the imaginary part of a real number is zero.
    fn parts_of(&mut self, operand: Operand, to: TypeId, span: Span) -> Check<[ExprId; 2]> {
        let real = self.part_of(operand, REAL, to, span)?;
        let imaginary = self.part_of(operand, IMAGINARY, to, span)?;
        let zero = self.int_node(0, self.tree.types.int, span);
        let zero = self.convert(zero, to, span)?;
        Ok([real.unwrap_or(zero), imaginary.unwrap_or(zero)])
    }

    /// `__real__` or `__imag__`: a place if the operand is one.
    pub(super) fn complex_part(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Check<ExprId> {
        let part = if op == UnaryOp::Real { REAL } else { IMAGINARY };
        let ty = self.ty(operand);
        if self.complex_element(ty).is_some() {
            let place = match super::is_place(&self.tree.exprs[operand].kind) {
                true => operand,
                false => self.expr_node(ExprKind::Temporary(operand), ty, span),
            };
            return Ok(self.member_at(place, part, span));
        }
        let value = self.value_of(operand)?;
        if !self.tree.types.is_arithmetic(ty) {
            return Err(Problem::error(span, format!("`{}` is not a number here", self.show(ty))));
        }
        if part == REAL {
            return Ok(value);
        }
        let zero = self.int_node(0, self.tree.types.int, span);
        let zero = self.convert(zero, ty, span)?;
        let nothing = self.expr_node(ExprKind::Convert(value), self.tree.types.void, span);
        Ok(self.expr_node(ExprKind::Comma(nothing, zero), ty, span))
    }

    /// The number `value` times the imaginary unit.
    pub(super) fn imaginary_number(&mut self, value: ExprId, span: Span) -> Check<ExprId> {
        let zero = self.int_node(0, self.tree.types.int, span);
        let zero = self.convert(zero, self.ty(value), span)?;
        self.complex_value(Vec::new(), [zero, value], span)
    }

    /// `__builtin_complex(real, imaginary)`
    pub(super) fn complex_of_parts(&mut self, parts: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let [real, imaginary] = parts else {
            return Err(Problem::error(span, "two numbers are expected here"));
        };
        let (real, imaginary) = (self.value(*real)?, self.value(*imaginary)?);
        let ty = self.ty(real);
        if !matches!(self.tree.types[ty], Type::Float(_)) || ty != self.ty(imaginary) {
            return Err(Problem::error(span, "two floating numbers of one type are expected here"));
        }
        self.complex_value(Vec::new(), [real, imaginary], span)
    }

    /// Whether a complex number is not zero; nothing if the value is none.
    pub(super) fn complex_truth(&mut self, expr: ExprId, span: Span) -> Check<Option<ExprId>> {
        let Some(element) = self.complex_element(self.ty(expr)) else { return Ok(None) };
        let mut held = Vec::new();
        let operand = self.held(expr, &mut held, span);
        let before = self.hold(held, span);
        let int = self.tree.types.int;
        let mut sides = Vec::new();
        for part in self.parts_of(operand, element, span)? {
            let zero = self.int_node(0, int, span);
            sides.push(self.binary(BinaryOp::Ne, part, zero, span)?);
        }
        let truth = self.expr_node(ExprKind::Logical(LogicalOp::Or, sides[0], sides[1]), int, span);
        Ok(Some(self.behind(before, truth, span)))
    }

    /// A conversion to a complex type or from one; nothing if neither is one.
    pub(super) fn complex_convert(&mut self, expr: ExprId, to: TypeId, span: Span) -> Check<Option<ExprId>> {
        let from = self.ty(expr);
        let parts = (self.complex_element(from), self.complex_element(to));
        let arithmetic = |ty| self.tree.types.is_arithmetic(ty);
        match parts {
            (None, None) => return Ok(None),
            (None, Some(_)) if !arithmetic(from) => return Ok(None),
            (Some(_), None) if !arithmetic(to) => return Ok(None),
            (Some(_), None) if self.tree.types.int_kind(to) == Some(IntKind::Bool) => {
                let truth = self.complex_truth(expr, span)?;
                return truth.map(|truth| self.convert(truth, to, span)).transpose();
            }
            (Some(_), None) => {
                let part = self.complex_part(UnaryOp::Real, expr, span)?;
                let part = self.value_of(part)?;
                return self.convert(part, to, span).map(Some);
            }
            (_, Some(_)) => {}
        }
        let Some(element) = parts.1 else { return Ok(None) };
        let mut held = Vec::new();
        let operand = self.held(expr, &mut held, span);
        let before = self.hold(held, span);
        let both = self.parts_of(operand, element, span)?;
        self.complex_value(before, both, span).map(Some)
    }

    /// The common type of two operands of which one is complex; nothing if none is, or one is no number.
    pub(super) fn complex_common_type(&mut self, left: ExprId, right: ExprId) -> Check<Option<TypeId>> {
        let (a, b) = (self.ty(left), self.ty(right));
        if self.complex_element(a).is_none() && self.complex_element(b).is_none() {
            return Ok(None);
        }
        let mut elements = Vec::new();
        for operand in [left, right] {
            let element = match self.complex_element(self.ty(operand)) {
                Some(element) => element,
                None if self.tree.types.is_arithmetic(self.ty(operand)) => {
                    let promoted = self.promote(operand)?;
                    self.ty(promoted)
                }
                None => return Ok(None),
            };
            elements.push(element);
        }
        // Integer parts of one type are not promoted.
        let element =
            if elements[0] == elements[1] { elements[0] } else { self.common_type(elements[0], elements[1]) };
        Ok(Some(self.complex_type(element)))
    }

    /// A binary operator with a complex number among its operands; nothing if there is none.
    pub(super) fn complex_binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Check<Option<ExprId>> {
        let Some(ty) = self.complex_common_type(left, right)? else { return Ok(None) };
        let Some(element) = self.complex_element(ty) else { return Ok(None) };
        let mut held = Vec::new();
        let operands = [self.held(left, &mut held, span), self.held(right, &mut held, span)];
        let before = self.hold(held, span);
        if !before.is_empty() && self.function.is_none() {
            return Err(Problem::error(span, "the initialiser of a static variable must be constant"));
        }
        let both = match op {
            BinaryOp::Add | BinaryOp::Sub => self.complex_sum(op, operands, element, span)?,
            BinaryOp::Mul | BinaryOp::Div => {
                if let Some(product) = self.complex_product(op, operands, element, span)? {
                    let result = self.complex_product_result(product, span)?;
                    return Ok(Some(self.behind(before, result, span)));
                }
                self.complex_scaled(op, operands, element, span)?
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let [a, b] = self.parts_of(operands[0], element, span)?;
                let [c, d] = self.parts_of(operands[1], element, span)?;
                let real = self.binary(op, a, c, span)?;
                let imaginary = self.binary(op, b, d, span)?;
                let logical = if op == BinaryOp::Eq { LogicalOp::And } else { LogicalOp::Or };
                let int = self.tree.types.int;
                let result = self.expr_node(ExprKind::Logical(logical, real, imaginary), int, span);
                return Ok(Some(self.behind(before, result, span)));
            }
            _ => {
                return Err(Problem::error(
                    span,
                    format!("the operator {op:?} does not work on complex numbers"),
                ));
            }
        };
        let mut parts = [both[0]; 2];
        for (part, value) in parts.iter_mut().zip(both) {
            *part = self.convert(value, element, span)?;
        }
        self.complex_value(before, parts, span).map(Some)
    }

    /// A sum or a difference. A real operand leaves the imaginary part as it is, or negates it.
    fn complex_sum(
        &mut self,
        op: BinaryOp,
        [left, right]: [Operand; 2],
        element: TypeId,
        span: Span,
    ) -> Check<[ExprId; 2]> {
        let mut both = Vec::new();
        for part in [REAL, IMAGINARY] {
            let a = self.part_of(left, part, element, span)?;
            let b = self.part_of(right, part, element, span)?;
            both.push(match (a, b) {
                (Some(a), Some(b)) => self.binary(op, a, b, span)?,
                (Some(a), None) => a,
                (None, Some(b)) if op == BinaryOp::Sub => self.unary_value(UnaryOp::Minus, b, span)?,
                (None, Some(b)) => b,
                (None, None) => self.int_node(0, self.tree.types.int, span),
            });
        }
        Ok([both[0], both[1]])
    }

    /// A product with a real number, a quotient by one, or a product of integers.
    fn complex_scaled(
        &mut self,
        op: BinaryOp,
        [left, right]: [Operand; 2],
        element: TypeId,
        span: Span,
    ) -> Check<[ExprId; 2]> {
        let part = |this: &mut Self, operand, part| this.part_of(operand, part, element, span);
        let (a, b) = (part(self, left, REAL)?, part(self, left, IMAGINARY)?);
        let (c, d) = (part(self, right, REAL)?, part(self, right, IMAGINARY)?);
        let (Some(a), Some(c)) = (a, c) else { return Err(Problem::error(span, "a number is missing here")) };
        match (b, d) {
            (Some(b), None) => {
                let again = self.part_of(right, REAL, element, span)?.unwrap_or(c);
                Ok([self.binary(op, a, c, span)?, self.binary(op, b, again, span)?])
            }
            (None, Some(d)) if op == BinaryOp::Mul => {
                let again = self.part_of(left, REAL, element, span)?.unwrap_or(a);
                Ok([self.binary(op, a, c, span)?, self.binary(op, again, d, span)?])
            }
            (Some(b), Some(d)) if op == BinaryOp::Mul => {
                let [again_a, again_b] = self.parts_of(left, element, span)?;
                let [again_c, again_d] = self.parts_of(right, element, span)?;
                let ac = self.binary(op, a, c, span)?;
                let bd = self.binary(op, b, d, span)?;
                let ad = self.binary(op, again_a, again_d, span)?;
                let bc = self.binary(op, again_b, again_c, span)?;
                Ok([self.binary(BinaryOp::Sub, ac, bd, span)?, self.binary(BinaryOp::Add, ad, bc, span)?])
            }
            _ => Err(Problem::unsupported(span, "a quotient of complex integers")),
        }
    }

    /// A product or quotient of two complex floating numbers, or a real one by a complex one, as a call; nothing for others.
    fn complex_product(
        &mut self,
        op: BinaryOp,
        [left, right]: [Operand; 2],
        element: TypeId,
        span: Span,
    ) -> Check<Option<ExprId>> {
        let Type::Float(kind) = self.tree.types[element] else { return Ok(None) };
        let real = |operand| matches!(operand, Operand::Real(_) | Operand::RealConstant(_));
        if real(right) || (real(left) && op == BinaryOp::Mul) {
            return Ok(None);
        }
        let name = match (op, kind) {
            (BinaryOp::Mul, FloatKind::Float) => "__mulsc3",
            (BinaryOp::Mul, FloatKind::Double) => "__muldc3",
            (BinaryOp::Mul, FloatKind::LongDouble) => "__mulxc3",
            (_, FloatKind::Float) => "__divsc3",
            (_, FloatKind::Double) => "__divdc3",
            (_, FloatKind::LongDouble) => "__divxc3",
            (_, FloatKind::Float128) => {
                return Err(Problem::unsupported(span, "products of complex numbers of this type"));
            }
        };
        self.declare_product(name, element, span);
        let [a, b] = self.parts_of(left, element, span)?;
        let [c, d] = self.parts_of(right, element, span)?;
        self.helper_call(name, vec![a, b, c, d], span).map(Some)
    }

    /// Declares a function that takes four parts and gives a complex number. Its definition follows with the models.
    fn declare_product(&mut self, name: &str, element: TypeId, span: Span) {
        let name = self.symbols.intern(name);
        if self.linked.contains_key(&name) {
            return;
        }
        let result = self.complex_type(element);
        let parameters = vec![element; 4];
        let ty = FunctionType { result, parameters, variadic: false, unspecified: false };
        let ty = self.tree.types.intern(Type::Function(Box::new(ty)));
        let function = self.new_function(name, ty, span);
        self.linked.insert(name, Entity::Function(function));
    }

    /// The result of a call as a value; there are no calls outside of functions.
    fn complex_product_result(&mut self, call: ExprId, span: Span) -> Check<ExprId> {
        match self.function {
            Some(_) => Ok(call),
            None => Err(Problem::unsupported(span, "a product of complex numbers outside of a function")),
        }
    }

    /// `-`, `+`, `~` (the conjugate) and `!` on a complex number; nothing if it is none.
    pub(super) fn complex_unary(&mut self, op: UnaryOp, expr: ExprId, span: Span) -> Check<Option<ExprId>> {
        let Some(element) = self.complex_element(self.ty(expr)) else { return Ok(None) };
        if op == UnaryOp::Not {
            let truth = self.complex_truth(expr, span)?;
            return truth.map(|truth| self.unary_value(op, truth, span)).transpose();
        }
        if op == UnaryOp::Plus {
            return Ok(Some(expr));
        }
        let mut held = Vec::new();
        let operand = self.held(expr, &mut held, span);
        let before = self.hold(held, span);
        let [mut real, mut imaginary] = self.parts_of(operand, element, span)?;
        imaginary = self.unary_value(UnaryOp::Minus, imaginary, span)?;
        if op == UnaryOp::Minus {
            real = self.unary_value(UnaryOp::Minus, real, span)?;
        }
        let both = [self.convert(real, element, span)?, self.convert(imaginary, element, span)?];
        self.complex_value(before, both, span).map(Some)
    }

    /// `place op= value` with a complex number on one side; nothing if there is none.
    pub(super) fn complex_assign(
        &mut self,
        op: BinaryOp,
        place: ExprId,
        value: ExprId,
        span: Span,
    ) -> Check<Option<ExprId>> {
        let ty = self.ty(place);
        if self.complex_element(ty).is_none() && self.complex_element(self.ty(value)).is_none() {
            return Ok(None);
        }
        let (mut before, place) = self.place_once(place, span)?;
        let old = self.again(place, span)?;
        let new = self.binary(op, old, value, span)?;
        let new = self.convert(new, ty, span)?;
        let assigned = self.expr_node(ExprKind::Assign(place, new), ty, span);
        Ok(Some(self.behind(std::mem::take(&mut before), assigned, span)))
    }

    /// `++` and `--` on a complex number count its real part; nothing if the place holds none.
    pub(super) fn complex_increment(
        &mut self,
        place: ExprId,
        Count { up, prefix }: Count,
        span: Span,
    ) -> Check<Option<ExprId>> {
        if self.complex_element(self.ty(place)).is_none() {
            return Ok(None);
        }
        let ty = self.ty(place);
        let one = self.int_node(1, self.tree.types.int, span);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        if prefix {
            return self.complex_assign(op, place, one, span);
        }
        let (mut before, place) = self.place_once(place, span)?;
        let old = self.again(place, span)?;
        let var = self.hidden_variable("complex", ty, span);
        before.push(self.stmt_node(StmtKind::Declare(var, Some(Init::Whole(old))), span));
        let held = self.variable_value(var, span)?;
        let new = self.binary(op, held, one, span)?;
        let new = self.convert(new, ty, span)?;
        let assigned = self.expr_node(ExprKind::Assign(place, new), ty, span);
        before.push(self.stmt_node(StmtKind::Expr(assigned), span));
        let held = self.variable_value(var, span)?;
        Ok(Some(self.behind(before, held, span)))
    }

    /// A place that is evaluated once, however often it is looked at: a variable, or what a held pointer points to.
    fn place_once(&mut self, place: ExprId, span: Span) -> Check<(Vec<StmtId>, ExprId)> {
        if matches!(self.tree.exprs[place].kind, ExprKind::Variable(_)) {
            return Ok((Vec::new(), place));
        }
        let ty = self.ty(place);
        let pointer = self.tree.types.pointer(ty);
        let address = self.address(place, pointer, span);
        let var = self.hidden_variable("place", pointer, span);
        let held = self.stmt_node(StmtKind::Declare(var, Some(Init::Whole(address))), span);
        let value = self.variable_value(var, span)?;
        let place = self.expr_node(ExprKind::Deref(value), ty, span);
        Ok((vec![held], place))
    }

    /// The value of a place that is evaluated once, by nodes of its own.
    fn again(&mut self, place: ExprId, span: Span) -> Check<ExprId> {
        let ty = self.ty(place);
        let copy = match self.tree.exprs[place].kind {
            ExprKind::Variable(var) => self.expr_node(ExprKind::Variable(var), ty, span),
            ExprKind::Deref(pointer) => self.expr_node(ExprKind::Deref(pointer), ty, span),
            _ => place,
        };
        self.value_of(copy)
    }
}
