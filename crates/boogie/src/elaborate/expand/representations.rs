//! Values of which there are several representations: which of them stands for a value, and when two are equal.
//!
//! Two structs stand for one value of a datatype if they differ in the fields of other constructors only, and two bit
//! patterns for NaN. Where values are compared, are arguments of functions or indices of maps, they are brought into one
//! form. Maps with such elements have no form of their own: they are compared element by element, and refused as
//! arguments and indices.

use super::super::structs::Normal;
use super::Expansion;
use crate::features::{Feature, Unsupported};
use crate::symbols::Symbol;
use base::Span;
use float::Format;
use ir::{BinaryOp, Expr, ExprData, Quantifier, QuantifierKind, Type, TypeData, VariableKind};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;

/// Two values of one type, by their parts.
struct Pair {
    left: Vec<Expr>,
    right: Vec<Expr>,
}

impl Expansion<'_> {
    /// `left == right`, or `left != right`
    pub(super) fn equality(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = self.source.ty(left);
        if !self.formless.contains(ty) {
            let (left, right) = (self.normal_expr(left, span), self.normal_expr(right, span));
            let pairs = left.into_iter().zip(right);
            let parts = pairs.map(|(left, right)| self.target.binary(op, left, right, span));
            let parts: Vec<Expr> = parts.collect();
            return if op == BinaryOp::Equal {
                self.target.and(parts, span)
            } else {
                self.target.or(parts, span)
            };
        }
        let pair = Pair { left: self.exprs[left].clone(), right: self.exprs[right].clone() };
        let equal = self.equal(ty, pair, span);
        if op == BinaryOp::Equal { equal } else { self.target.not(equal, span) }
    }

    /// Whether two values are equal, by what can be seen of them.
    fn equal(&mut self, ty: Type, pair: Pair, span: Span) -> Expr {
        if !self.formless.contains(ty) {
            let left = self.normal(ty, pair.left, span);
            let right = self.normal(ty, pair.right, span);
            let pairs = left.into_iter().zip(right);
            let parts: Vec<Expr> = pairs.map(|(left, right)| self.target.equal(left, right, span)).collect();
            return self.target.and(parts, span);
        }
        match (self.structs.get(ty), &self.source.types[ty]) {
            (Some(data), _) => {
                let fields = self.fields(&data.fields, &pair);
                match &data.normal {
                    Some(Normal::Datatype { constructors, owners }) => {
                        self.equal_datatypes((*constructors, owners), fields, span)
                    }
                    _ => {
                        let parts = fields.into_iter().map(|(ty, pair)| self.equal(ty, pair, span));
                        let parts: Vec<Expr> = parts.collect();
                        self.target.and(parts, span)
                    }
                }
            }
            (None, TypeData::Map { domain, range }) => self.equal_maps((domain, *range), &pair, span),
            (None, _) => {
                self.unsupported.push(Unsupported { feature: Feature::DatatypeMap, span });
                self.target.bool(true, span)
            }
        }
    }

    /// The fields of two structs, side by side.
    fn fields(&self, fields: &[(Symbol, Type)], pair: &Pair) -> Vec<(Type, Pair)> {
        let mut first = 0;
        let field = |&(_, ty): &(Symbol, Type)| {
            let behind = first + self.types[ty].len();
            let pair =
                Pair { left: pair.left[first..behind].to_vec(), right: pair.right[first..behind].to_vec() };
            first = behind;
            (ty, pair)
        };
        fields.iter().map(field).collect()
    }

    /// Made by one constructor, from equal values.
    fn equal_datatypes(
        &mut self,
        (constructors, owners): (usize, &[usize]),
        fields: Vec<(Type, Pair)>,
        span: Span,
    ) -> Expr {
        let mut fields = fields.into_iter();
        let Some((_, tags)) = fields.next() else { unreachable!("the first field tells the constructor") };
        let (left, right) =
            (self.tag(tags.left[0], constructors, span), self.tag(tags.right[0], constructors, span));
        let mut parts = vec![self.target.equal(left, right, span)];
        for ((ty, pair), &owner) in fields.zip(owners) {
            let number = self.target.int(owner, span);
            let is_owner = self.target.equal(left, number, span);
            let same = self.equal(ty, pair, span);
            parts.push(self.target.binary(BinaryOp::Implies, is_owner, same, span));
        }
        self.target.and(parts, span)
    }

    /// Equal at all indices.
    fn equal_maps(&mut self, (domain, range): (&[Type], Type), maps: &Pair, span: Span) -> Expr {
        let (mut bound, mut indices) = (Vec::new(), Vec::new());
        for &ty in domain {
            let mut parts = Vec::new();
            for part in self.types[ty].clone() {
                let name = self.fresh("index".to_owned(), None);
                let variable = self.target.new_variable(name, part, VariableKind::Bound, span);
                parts.push(self.target.variable(variable, span));
                bound.push(variable);
            }
            // Only these are read and written.
            indices.extend(self.normal(ty, parts, span));
        }
        let mut at = |maps: &[Expr]| -> Vec<Expr> {
            maps.iter().map(|&map| self.target.select(map, indices.clone(), span)).collect()
        };
        let elements = Pair { left: at(&maps.left), right: at(&maps.right) };
        let body = self.equal(range, elements, span);
        let kind = QuantifierKind::Forall;
        let quantifier = Quantifier { kind, bound, triggers: Vec::new(), attributes: Vec::new(), body };
        match self.target.expr(ExprData::Quantified(Box::new(quantifier)), span) {
            Ok(expr) => expr,
            Err(error) => unreachable!("elements of one type can be compared: {error}"),
        }
    }

    pub(super) fn normal_exprs(&mut self, exprs: &[Expr], span: Span) -> Vec<Expr> {
        exprs.iter().flat_map(|&expr| self.normal_expr(expr, span)).collect()
    }

    /// The parts of an expression, in the one representation of its value.
    fn normal_expr(&mut self, expr: Expr, span: Span) -> Vec<Expr> {
        let parts = self.exprs[expr].clone();
        // What a constructor has made of literals is so already, which saves the solver much work.
        self.normal(self.source.ty(expr), parts, span)
    }

    pub(super) fn normal(&mut self, ty: Type, parts: Vec<Expr>, span: Span) -> Vec<Expr> {
        if !self.ambiguous.contains(ty) {
            return parts;
        }
        let Some(data) = self.structs.get(ty) else {
            // Two maps that differ only in the representations of their elements would have to be one.
            self.unsupported.push(Unsupported { feature: Feature::DatatypeMap, span });
            return parts;
        };
        let mut rest = parts.as_slice();
        let mut fields = Vec::with_capacity(data.fields.len());
        for &(_, field) in &data.fields {
            let (first, behind) = rest.split_at(self.types[field].len());
            fields.push(self.normal(field, first.to_vec(), span));
            rest = behind;
        }
        match &data.normal {
            None => fields.into_iter().flatten().collect(),
            Some(Normal::Datatype { constructors, owners }) => {
                self.normal_datatype((*constructors, owners), &data.fields, fields, span)
            }
            Some(Normal::Float(format)) => {
                let bits = fields[0][0];
                vec![self.normal_float(*format, bits, span)]
            }
        }
    }

    fn normal_datatype(
        &mut self,
        (constructors, owners): (usize, &[usize]),
        types: &[(Symbol, Type)],
        fields: Vec<Vec<Expr>>,
        span: Span,
    ) -> Vec<Expr> {
        let tag = fields[0][0];
        // The tag of what a constructor has made is a literal, and all fields are as they should be.
        if matches!(self.target.expressions[tag], ExprData::Int(_)) {
            return fields.into_iter().flatten().collect();
        }
        let mut is_other = Vec::with_capacity(constructors);
        for number in 1..constructors {
            let number = self.target.int(number, span);
            is_other.push(self.target.equal(tag, number, span));
        }
        let tag = self.tag(tag, constructors, span);
        let zero = self.target.int(0, span);
        let mut normal = vec![tag];
        for ((parts, &owner), &(_, ty)) in fields.into_iter().skip(1).zip(owners).zip(&types[1..]) {
            let is = match owner {
                0 => self.target.equal(tag, zero, span),
                _ => is_other[owner - 1],
            };
            let defaults = self.default_parts(ty, span);
            for (part, default) in parts.into_iter().zip(defaults) {
                normal.push(match constructors {
                    1 => part,
                    _ => self.target.ite(is, part, default, span),
                });
            }
        }
        normal
    }

    /// The number of a constructor; the first one for numbers that belong to none.
    fn tag(&mut self, tag: Expr, constructors: usize, span: Span) -> Expr {
        let zero = self.target.int(0, span);
        if constructors == 1 {
            return zero;
        }
        let one = self.target.int(1, span);
        let behind = self.target.int(constructors, span);
        let low = self.target.binary(BinaryOp::LessEqual, one, tag, span);
        let high = self.target.binary(BinaryOp::Less, tag, behind, span);
        let known = self.target.and([low, high], span);
        self.target.ite(known, tag, zero, span)
    }

    /// The parts of the value that fills fields of a type that do not matter.
    fn default_parts(&mut self, ty: Type, span: Span) -> Vec<Expr> {
        if let Some(constant) = self.structs.defaults.get(&ty) {
            let parts = self.variables[*constant].clone();
            let parts = parts.into_iter().map(|part| self.target.variable(part, span)).collect();
            return self.normal(ty, parts, span);
        }
        vec![match self.source.types[ty] {
            TypeData::Bool => self.target.bool(false, span),
            TypeData::Real => self.target.real(Ratio::from(BigInt::from(0)), span),
            TypeData::BitVec(width) => self.target.bit_vector(0u32, width, span),
            _ => self.target.int(0, span),
        }]
    }

    /// One pattern for all that mean NaN: the exponent is all ones, and the rest is not zero.
    fn normal_float(&mut self, format: Format, bits: Expr, span: Span) -> Expr {
        if matches!(self.target.expressions[bits], ExprData::BitVec { .. }) {
            return bits;
        }
        let (width, rest) = (format.width(), format.significand() - 1);
        let exponent = self.target.extract(bits, width - 1, rest, span);
        let rest_bits = self.target.extract(bits, rest, 0, span);
        let ones = (BigUint::from(1u32) << format.exponent()) - 1u32;
        let ones = self.target.bit_vector(ones, format.exponent(), span);
        let zeros = self.target.bit_vector(0u32, rest, span);
        let special = self.target.equal(exponent, ones, span);
        let other = self.target.binary(BinaryOp::NotEqual, rest_bits, zeros, span);
        let is_nan = self.target.and([special, other], span);
        let nan = self.target.bit_vector(format.nan(), width, span);
        self.target.ite(is_nan, nan, bits, span)
    }
}
