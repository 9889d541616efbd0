//! Types, expressions and attributes, from a stack of things still to be written.

use super::{Name, Printer};
use crate::expressions::{BinaryOp, Expr, ExprData, Quantifier, QuantifierKind, UnaryOp};
use crate::program::{Attribute, AttributeArgument};
use crate::types::{Type, TypeData};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use std::fmt;

/// Something still to be written.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Text(&'static str),
    /// An expression, in parentheses if it binds looser than the level.
    Expr(Expr, Level),
    /// A type, in parentheses if it takes arguments and the flag is set.
    Type(Type, bool),
    /// `[high:low]`
    Bounds(u32, u32),
    Attribute(&'a Attribute),
    /// A string in quotes.
    Quoted(&'a str),
}

/// How tight an expression must bind to stand without parentheses; the levels of the grammar.
type Level = u8;
const ANY: Level = 0;
const PREFIX: Level = 9;
const POSTFIX: Level = 10;

struct Infix {
    text: &'static str,
    level: Level,
    left: Level,
    right: Level,
}

fn infix(op: BinaryOp) -> Infix {
    let (text, level, left, right) = match op {
        BinaryOp::Iff => (" <==> ", 1, 1, 2),
        BinaryOp::Implies => (" ==> ", 2, 3, 2),
        // `&&` and `||` cannot be mixed: only an operand with the same operator goes without parentheses.
        BinaryOp::And => (" && ", 3, 4, 4),
        BinaryOp::Or => (" || ", 3, 4, 4),
        BinaryOp::Equal => (" == ", 4, 5, 5),
        BinaryOp::NotEqual => (" != ", 4, 5, 5),
        BinaryOp::Less => (" < ", 4, 5, 5),
        BinaryOp::LessEqual => (" <= ", 4, 5, 5),
        BinaryOp::Greater => (" > ", 4, 5, 5),
        BinaryOp::GreaterEqual => (" >= ", 4, 5, 5),
        BinaryOp::Concat => (" ++ ", 5, 5, 6),
        BinaryOp::Add => (" + ", 6, 6, 7),
        BinaryOp::Subtract => (" - ", 6, 6, 7),
        BinaryOp::Multiply => (" * ", 7, 7, 8),
        BinaryOp::IntDivide => (" div ", 7, 7, 8),
        BinaryOp::Modulo => (" mod ", 7, 7, 8),
        BinaryOp::RealDivide => (" / ", 7, 7, 8),
    };
    Infix { text, level, left, right }
}

impl<'a> Printer<'a, '_> {
    pub(super) fn expr(&mut self, expr: Expr) -> fmt::Result {
        self.write(Item::Expr(expr, ANY))
    }

    pub(super) fn ty(&mut self, ty: Type) -> fmt::Result {
        self.write(Item::Type(ty, false))
    }

    /// Each with a space behind it.
    pub(super) fn attributes(&mut self, attributes: &'a [Attribute]) -> fmt::Result {
        attributes.iter().try_for_each(|attribute| self.write(Item::Attribute(attribute)))
    }

    fn write(&mut self, item: Item<'a>) -> fmt::Result {
        let bottom = self.stack.len();
        self.stack.push(item);
        while self.stack.len() > bottom {
            let Some(item) = self.stack.pop() else { break };
            match item {
                Item::Text(text) => self.out.write_str(text)?,
                Item::Expr(expr, level) => self.node(expr, level)?,
                Item::Type(ty, parentheses) => self.type_node(ty, parentheses)?,
                Item::Bounds(high, low) => write!(self.out, "[{high}:{low}]")?,
                Item::Attribute(attribute) => self.attribute(attribute)?,
                Item::Quoted(text) => write!(self.out, "\"{}\"", text.replace('"', "\\\""))?,
            }
        }
        Ok(())
    }

    /// Puts items on the stack so that they are written in the given order.
    fn then<const N: usize>(&mut self, items: [Item<'a>; N]) {
        self.stack.extend(items.into_iter().rev());
    }

    fn then_list(&mut self, items: impl DoubleEndedIterator<Item = Item<'a>>) {
        for (index, item) in items.rev().enumerate() {
            if index > 0 {
                self.stack.push(Item::Text(", "));
            }
            self.stack.push(item);
        }
    }

    fn type_node(&mut self, ty: Type, parentheses: bool) -> fmt::Result {
        match &self.program.types[ty] {
            TypeData::Bool => self.out.write_str("bool"),
            TypeData::Int => self.out.write_str("int"),
            TypeData::Real => self.out.write_str("real"),
            TypeData::BitVec(width) => write!(self.out, "bv{width}"),
            TypeData::Map { domain, range } => {
                self.out.write_str("[")?;
                self.then([Item::Text("]"), Item::Type(*range, false)]);
                self.then_list(domain.iter().map(|&ty| Item::Type(ty, false)));
                Ok(())
            }
            TypeData::Named { constructor, arguments } => {
                let wrapped = parentheses && !arguments.is_empty();
                let open = if wrapped { "(" } else { "" };
                write!(self.out, "{open}{}", Name(&self.program.constructors[*constructor].name))?;
                if wrapped {
                    self.stack.push(Item::Text(")"));
                }
                for &argument in arguments.iter().rev() {
                    // A map type swallows what follows it, so it needs parentheses too.
                    if self.program.types.as_map(argument).is_some() {
                        self.then([Item::Text(" ("), Item::Type(argument, false), Item::Text(")")]);
                    } else {
                        self.then([Item::Text(" "), Item::Type(argument, true)]);
                    }
                }
                Ok(())
            }
        }
    }

    fn node(&mut self, expr: Expr, level: Level) -> fmt::Result {
        let own = self.level(expr);
        if own < level {
            self.out.write_str("(")?;
            self.then([Item::Expr(expr, ANY), Item::Text(")")]);
            return Ok(());
        }
        let program = self.program;
        match &program.expressions[expr] {
            ExprData::Bool(value) => write!(self.out, "{value}")?,
            ExprData::Int(value) => write!(self.out, "{value}")?,
            ExprData::Real(value) => self.real(value)?,
            ExprData::BitVec { value, width } => write!(self.out, "{value}bv{width}")?,
            ExprData::Variable(variable) => {
                write!(self.out, "{}", Name(&program.variables[*variable].name))?;
            }
            ExprData::Old(variable) => {
                write!(self.out, "old({})", Name(&program.variables[*variable].name))?;
            }
            ExprData::Apply(function, arguments) => {
                write!(self.out, "{}(", Name(&program.functions[*function].name))?;
                self.stack.push(Item::Text(")"));
                self.then_list(arguments.iter().map(|&argument| Item::Expr(argument, ANY)));
            }
            ExprData::Unary(op, operand) => match op {
                UnaryOp::Not => self.then([Item::Text("!"), Item::Expr(*operand, PREFIX)]),
                UnaryOp::Negate => self.then([Item::Text("-"), Item::Expr(*operand, PREFIX)]),
                UnaryOp::IntToReal => self.wrap("real(", *operand),
                UnaryOp::RealToInt => self.wrap("int(", *operand),
            },
            ExprData::Binary(op, left, right) => {
                let infix = infix(*op);
                let same = |operand: Expr| match &program.expressions[operand] {
                    ExprData::Binary(inner, ..) => inner == op,
                    _ => false,
                };
                let joins = infix.level == 3;
                let left_level = if joins && same(*left) { 3 } else { infix.left };
                self.then([
                    Item::Expr(*left, left_level),
                    Item::Text(infix.text),
                    Item::Expr(*right, infix.right),
                ]);
            }
            ExprData::Ite(condition, then, otherwise) => self.then([
                Item::Text("if "),
                Item::Expr(*condition, ANY),
                Item::Text(" then "),
                Item::Expr(*then, ANY),
                Item::Text(" else "),
                Item::Expr(*otherwise, ANY),
            ]),
            ExprData::Select(map, arguments) => {
                self.stack.push(Item::Text("]"));
                self.then_list(arguments.iter().map(|&argument| Item::Expr(argument, ANY)));
                self.then([Item::Expr(*map, POSTFIX), Item::Text("[")]);
            }
            ExprData::Store(map, arguments, value) => {
                self.then([Item::Text(" := "), Item::Expr(*value, ANY), Item::Text("]")]);
                self.then_list(arguments.iter().map(|&argument| Item::Expr(argument, ANY)));
                self.then([Item::Expr(*map, POSTFIX), Item::Text("[")]);
            }
            ExprData::Extract { operand, high, low } => {
                self.then([Item::Expr(*operand, POSTFIX), Item::Bounds(*high, *low)]);
            }
            ExprData::Quantified(quantifier) => self.quantifier(quantifier)?,
        }
        Ok(())
    }

    fn wrap(&mut self, open: &'static str, operand: Expr) {
        self.then([Item::Text(open), Item::Expr(operand, ANY), Item::Text(")")]);
    }

    /// How tight an expression binds.
    fn level(&self, expr: Expr) -> Level {
        match &self.program.expressions[expr] {
            ExprData::Binary(op, ..) => infix(*op).level,
            ExprData::Unary(UnaryOp::Not | UnaryOp::Negate, _) => PREFIX,
            ExprData::Int(value) if value.is_negative() => PREFIX,
            ExprData::Real(value) if decimal_places(value.denom()).is_none() => {
                infix(BinaryOp::RealDivide).level
            }
            ExprData::Real(value) if value.is_negative() => PREFIX,
            ExprData::Ite(..) => ANY,
            _ => POSTFIX,
        }
    }

    fn real(&mut self, value: &Ratio<BigInt>) -> fmt::Result {
        match decimal_places(value.denom()) {
            Some(places) => self.out.write_str(&decimal(value, places)),
            None => write!(self.out, "{}.0 / {}.0", value.numer(), value.denom()),
        }
    }

    fn quantifier(&mut self, quantifier: &'a Quantifier) -> fmt::Result {
        self.out.write_str(match quantifier.kind {
            QuantifierKind::Forall => "(forall ",
            QuantifierKind::Exists => "(exists ",
        })?;
        self.list(&quantifier.bound, |printer, &variable| {
            let data = &printer.program.variables[variable];
            write!(printer.out, "{}: ", Name(&data.name))?;
            printer.ty(data.ty)
        })?;
        self.then([Item::Expr(quantifier.body, ANY), Item::Text(")")]);
        for trigger in quantifier.triggers.iter().rev() {
            self.stack.push(Item::Text(" } "));
            self.then_list(trigger.iter().map(|&term| Item::Expr(term, ANY)));
            self.stack.push(Item::Text("{ "));
        }
        self.stack.extend(quantifier.attributes.iter().rev().map(Item::Attribute));
        self.stack.push(Item::Text(" :: "));
        Ok(())
    }

    fn attribute(&mut self, attribute: &'a Attribute) -> fmt::Result {
        write!(self.out, "{{:{}", attribute.name)?;
        self.stack.push(Item::Text("} "));
        for (index, argument) in attribute.arguments.iter().enumerate().rev() {
            let item = match argument {
                AttributeArgument::Expr(expr) => Item::Expr(*expr, ANY),
                AttributeArgument::Text(text) => Item::Quoted(text),
            };
            self.then([Item::Text(if index == 0 { " " } else { ", " }), item]);
        }
        Ok(())
    }
}

/// How many digits behind the point a fraction with this denominator needs, if finitely many.
fn decimal_places(denominator: &BigInt) -> Option<u32> {
    let mut rest = denominator.clone();
    let mut places = [0_u32; 2];
    for (prime, count) in [2, 5].into_iter().zip(&mut places) {
        loop {
            let (quotient, remainder) = rest.div_rem(&BigInt::from(prime));
            if !remainder.is_zero() {
                break;
            }
            rest = quotient;
            *count += 1;
        }
    }
    rest.is_one().then_some(places[0].max(places[1]))
}

fn decimal(value: &Ratio<BigInt>, places: u32) -> String {
    let scaled = (value * Ratio::from(BigInt::from(10).pow(places))).to_integer();
    let digits = scaled.magnitude().to_string();
    let sign = if scaled.is_negative() { "-" } else { "" };
    let places = places as usize;
    if places == 0 {
        return format!("{sign}{digits}.0");
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{fraction}")
}
