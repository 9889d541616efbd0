//! Types and expressions, from a stack of things still to be written.

use super::Printer;
use crate::ast::{
    Attribute, AttributeArgument, BinderId, Binding, BindingKind, ExprId, ExprKind, Ident, TypeId, TypeKind,
    UnaryOp,
};
use crate::symbols::Symbol;
use base::Span;

#[derive(Clone, Copy)]
enum Item<'a> {
    Text(&'static str),
    Source(Span),
    Name(Symbol),
    /// An expression; operators get parentheses.
    Expr(ExprId),
    /// A type; the flag says that it is an argument of a constructor.
    Type(TypeId, bool),
    Binder(BinderId),
    Attribute(&'a Attribute),
}

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, expr: ExprId) {
        self.write(Item::Expr(expr));
    }

    pub(super) fn ty(&mut self, ty: TypeId) {
        self.write(Item::Type(ty, false));
    }

    fn write(&mut self, item: Item<'a>) {
        let mut stack = vec![item];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => self.text(text),
                Item::Source(span) => self.text(self.ast.text(span)),
                Item::Name(symbol) => self.name(symbol),
                Item::Expr(expr) => self.expr_node(expr, &mut stack),
                Item::Type(ty, argument) => self.type_node(ty, argument, &mut stack),
                Item::Binder(binder) => {
                    let binder = &self.ast.binders[binder];
                    self.name(binder.name.symbol);
                    self.text(": ");
                    stack.extend(binder.ty.map(|ty| Item::Type(ty, false)));
                }
                Item::Attribute(attribute) => {
                    self.text("{:");
                    self.text(self.ast.name(attribute.name.symbol));
                    stack.push(Item::Text("} "));
                    for (index, argument) in attribute.arguments.iter().enumerate().rev() {
                        stack.push(match argument {
                            AttributeArgument::Text(span) => Item::Source(*span),
                            AttributeArgument::Expr(expr) => Item::Expr(*expr),
                        });
                        stack.push(Item::Text(if index == 0 { " " } else { ", " }));
                    }
                }
            }
        }
    }

    fn type_node(&mut self, ty: TypeId, argument: bool, stack: &mut Vec<Item<'a>>) {
        match &self.ast.types[ty].kind {
            TypeKind::Int => self.text("int"),
            TypeKind::Bool => self.text("bool"),
            TypeKind::Real => self.text("real"),
            TypeKind::Named(name, arguments) => {
                let wrapped = argument && !arguments.is_empty();
                if wrapped {
                    self.text("(");
                    stack.push(Item::Text(")"));
                }
                self.name(*name);
                for &argument in arguments.iter().rev() {
                    stack.extend([Item::Type(argument, true), Item::Text(" ")]);
                }
            }
            TypeKind::Map { variables, domain, range } => {
                // A map type swallows what follows it, so as an argument it needs parentheses too.
                if argument {
                    self.text("(");
                    stack.push(Item::Text(")"));
                }
                self.type_variables(variables);
                stack.extend([Item::Type(*range, false), Item::Text("]")]);
                push_list(stack, domain.iter().map(|&ty| Item::Type(ty, false)));
                self.text("[");
            }
            TypeKind::Struct(fields) => {
                self.text("{ ");
                stack.push(Item::Text(" }"));
                for (index, &(name, ty)) in fields.iter().enumerate().rev() {
                    stack.extend([Item::Type(ty, false), Item::Text(": "), Item::Name(name.symbol)]);
                    stack.extend((index > 0).then_some(Item::Text(", ")));
                }
            }
        }
    }

    pub(super) fn type_variables(&mut self, variables: &[Ident]) {
        if !variables.is_empty() {
            self.text("<");
            self.list(variables, |printer, variable| printer.name(variable.symbol));
            self.text(">");
        }
    }

    fn expr_node(&mut self, expr: ExprId, stack: &mut Vec<Item<'a>>) {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        // Pushes what is to be written, last things first.
        let mut then = |items: &[Item<'a>]| stack.extend(items.iter().rev().copied());
        match &node.kind {
            ExprKind::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::Natural | ExprKind::Decimal | ExprKind::BitVector | ExprKind::Float => {
                self.text(ast.text(node.span));
            }
            ExprKind::Name { symbol, .. } => self.name(*symbol),
            ExprKind::Bound(binder) => self.name(ast.binders[*binder].name.symbol),
            ExprKind::Apply(function, arguments) => {
                self.name(function.symbol);
                self.text("(");
                then(&[Item::Text(")")]);
                push_list(stack, arguments.iter().map(|&argument| Item::Expr(argument)));
            }
            ExprKind::Unary(op, operand) => {
                let op = if *op == UnaryOp::Not { "(!" } else { "(-" };
                then(&[Item::Text(op), Item::Expr(*operand), Item::Text(")")]);
            }
            ExprKind::Binary(op, left, right) => then(&[
                Item::Text("("),
                Item::Expr(*left),
                Item::Text(" "),
                Item::Text(op.text()),
                Item::Text(" "),
                Item::Expr(*right),
                Item::Text(")"),
            ]),
            ExprKind::If(condition, yes, no) => then(&[
                Item::Text("(if "),
                Item::Expr(*condition),
                Item::Text(" then "),
                Item::Expr(*yes),
                Item::Text(" else "),
                Item::Expr(*no),
                Item::Text(")"),
            ]),
            ExprKind::Select(map, arguments) => {
                then(&[Item::Text("]")]);
                push_list(stack, arguments.iter().map(|&argument| Item::Expr(argument)));
                stack.extend([Item::Text("["), Item::Expr(*map)]);
            }
            ExprKind::Store(map, arguments, value) => {
                then(&[Item::Text(" := "), Item::Expr(*value), Item::Text("]")]);
                push_list(stack, arguments.iter().map(|&argument| Item::Expr(argument)));
                stack.extend([Item::Text("["), Item::Expr(*map)]);
            }
            ExprKind::Extract(operand, high, low) => then(&[
                Item::Expr(*operand),
                Item::Text("["),
                Item::Source(*high),
                Item::Text(":"),
                Item::Source(*low),
                Item::Text("]"),
            ]),
            ExprKind::Old(operand) => then(&[Item::Text("old("), Item::Expr(*operand), Item::Text(")")]),
            ExprKind::ToInt(operand) => then(&[Item::Text("int("), Item::Expr(*operand), Item::Text(")")]),
            ExprKind::ToReal(operand) => then(&[Item::Text("real("), Item::Expr(*operand), Item::Text(")")]),
            ExprKind::Typed(operand, ty) => then(&[
                Item::Text("("),
                Item::Expr(*operand),
                Item::Text(": "),
                Item::Type(*ty, false),
                Item::Text(")"),
            ]),
            ExprKind::Field(operand, field) => {
                then(&[Item::Expr(*operand), Item::Text("!"), Item::Name(field.symbol)]);
            }
            ExprKind::Struct(fields) => {
                self.text("{ ");
                then(&[Item::Text(" }")]);
                for (index, &(name, value)) in fields.iter().enumerate().rev() {
                    stack.extend([Item::Expr(value), Item::Text(": "), Item::Name(name.symbol)]);
                    stack.extend((index > 0).then_some(Item::Text(", ")));
                }
            }
            ExprKind::Is(operand, constructor) => then(&[
                Item::Text("("),
                Item::Expr(*operand),
                Item::Text(" is "),
                Item::Name(constructor.symbol),
                Item::Text(")"),
            ]),
            ExprKind::Arrow(operand, field) => {
                then(&[Item::Expr(*operand), Item::Text("->"), Item::Name(field.symbol)]);
            }
            ExprKind::ArrowUpdate(operand, field, value) => then(&[
                Item::Expr(*operand),
                Item::Text("->("),
                Item::Name(field.symbol),
                Item::Text(" := "),
                Item::Expr(*value),
                Item::Text(")"),
            ]),
            ExprKind::Binding(binding) => self.binding(binding, stack),
            ExprKind::Let(binding) => {
                then(&[Item::Text("; "), Item::Expr(binding.body), Item::Text(")")]);
                push_list(stack, binding.values.iter().map(|&value| Item::Expr(value)));
                stack.push(Item::Text(" := "));
                let name = |binder: &BinderId| Item::Name(ast.binders[*binder].name.symbol);
                push_list(stack, binding.binders.iter().map(name));
                stack.push(Item::Text("(var "));
            }
            ExprKind::Wildcard => self.text("*"),
        }
    }

    fn binding(&mut self, binding: &'a Binding, stack: &mut Vec<Item<'a>>) {
        self.text(match binding.kind {
            BindingKind::Forall => "(forall",
            BindingKind::Exists => "(exists",
            BindingKind::Lambda => "(lambda",
        });
        self.type_variables(&binding.variables);
        self.text(" ");
        stack.extend([Item::Text(")"), Item::Expr(binding.body)]);
        for trigger in binding.triggers.iter().rev() {
            stack.push(Item::Text(" } "));
            push_list(stack, trigger.iter().map(|&term| Item::Expr(term)));
            stack.push(Item::Text("{ "));
        }
        stack.extend(binding.attributes.iter().rev().map(Item::Attribute));
        stack.push(Item::Text(" :: "));
        push_list(stack, binding.binders.iter().map(|&binder| Item::Binder(binder)));
    }
}

fn push_list<'a>(stack: &mut Vec<Item<'a>>, items: impl DoubleEndedIterator<Item = Item<'a>>) {
    for (index, item) in items.rev().enumerate() {
        if index > 0 {
            stack.push(Item::Text(", "));
        }
        stack.push(item);
    }
}
