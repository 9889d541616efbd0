//! Expressions, by operator precedence with an explicit stack.
//!
//! The parser alternates between two states: an operand is expected, or an operand was read and whatever
//! follows decides. What is still open (operators that wait for their right side, parentheses, argument
//! lists, quantifiers, …) lies on the stack as [`Frame`]s. From the loosest to the tightest:
//!
//! ```text
//! <==>            left
//! ==>  <==        right, left; not mixed without parentheses
//! &&   ||         left;        not mixed without parentheses
//! == != < <= > >= <:           not chained
//! ++              left
//! +  -            left
//! *  /  %  div mod   left
//! **              right
//! !  -            prefix
//! [] ! -> is :    postfix: selection, field, constructor, type
//! ```

use super::{Parse, Parser};
use crate::ast::{
    Attribute, AttributeArgument, BinaryOp, Binder, BinderId, Binding, BindingKind, ExprId, ExprKind, Ident,
    LetBinding, UnaryOp,
};
use crate::features::Feature;
use crate::symbols::Symbol;
use crate::tokens::{Token, TokenKind};
use base::Diagnostic;
use base::ids::PackedOption;

/// Something that waits for an operand.
pub(super) enum Frame {
    Prefix { op: UnaryOp, start: u32 },
    Infix { op: BinaryOp, left: ExprId },
    Paren { open: Token },
    Wrapped { wrapper: fn(ExprId) -> ExprKind, open: Token },
    Arguments { function: Ident, arguments: Vec<ExprId> },
    Index { map: ExprId, arguments: Vec<ExprId> },
    StoreValue { map: ExprId, arguments: Vec<ExprId> },
    ArrowValue { operand: ExprId, field: Ident },
    Condition { start: u32 },
    Then { start: u32, condition: ExprId },
    Else { start: u32, condition: ExprId, then: ExprId },
    Field { start: u32, fields: Vec<(Ident, ExprId)>, name: Ident },
    Trigger(Box<OpenBinding>, Vec<ExprId>),
    AttributeArgument(Box<OpenBinding>, Attribute),
    Body(Box<OpenBinding>),
    LetValue(Box<OpenLet>),
    LetBody(Box<OpenLet>, Vec<BinderId>, Vec<Hidden>),
}

/// What a bound name meant outside.
type Hidden = (Symbol, PackedOption<BinderId>);

/// A `let` whose values or body are not read yet.
pub(super) struct OpenLet {
    open: Token,
    names: Vec<Ident>,
    values: Vec<ExprId>,
}

/// A quantifier or lambda whose body is not read yet.
pub(super) struct OpenBinding {
    kind: BindingKind,
    variables: Vec<Ident>,
    binders: Vec<BinderId>,
    triggers: Vec<Vec<ExprId>>,
    attributes: Vec<Attribute>,
    start: u32,
    /// The parenthesis to be closed, if there is one.
    open: Option<Token>,
    /// What the bound names meant outside.
    hidden: Vec<Hidden>,
}

/// What follows an operand.
enum Next {
    /// It is part of a larger operand, which is complete.
    Value(ExprId),
    /// Something that needs another operand.
    Operand,
    /// The whole expression is complete.
    Done(ExprId),
}

#[derive(PartialEq)]
enum Associates {
    Left,
    Right,
    Never,
}

fn infix(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Iff => BinaryOp::Iff,
        TokenKind::Implies => BinaryOp::Implies,
        TokenKind::Explies => BinaryOp::Explies,
        TokenKind::And => BinaryOp::And,
        TokenKind::Or => BinaryOp::Or,
        TokenKind::EqualEqual => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::Extends => BinaryOp::Extends,
        TokenKind::PlusPlus => BinaryOp::Concat,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Subtract,
        TokenKind::Star => BinaryOp::Multiply,
        TokenKind::Slash => BinaryOp::Slash,
        TokenKind::Percent => BinaryOp::Percent,
        TokenKind::Div => BinaryOp::Div,
        TokenKind::Mod => BinaryOp::Mod,
        TokenKind::StarStar => BinaryOp::Power,
        _ => return None,
    })
}

/// How tight an operator binds, and with which of its level it associates.
fn precedence(op: BinaryOp) -> (u8, Associates) {
    use Associates::{Left, Never, Right};
    match op {
        BinaryOp::Iff => (1, Left),
        BinaryOp::Implies => (2, Right),
        BinaryOp::Explies => (2, Left),
        BinaryOp::And | BinaryOp::Or => (3, Left),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Extends => (4, Never),
        BinaryOp::Concat => (5, Left),
        BinaryOp::Add | BinaryOp::Subtract => (6, Left),
        BinaryOp::Multiply | BinaryOp::Div | BinaryOp::Mod | BinaryOp::Slash | BinaryOp::Percent => (7, Left),
        BinaryOp::Power => (8, Right),
    }
}

/// Operators of one level that Boogie does not mix without parentheses.
fn never_mixed(left: BinaryOp, right: BinaryOp) -> bool {
    left != right && matches!(precedence(left).0, 2 | 3)
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        let result = self.expression_on(&mut frames);
        self.frames = frames;
        result
    }

    fn expression_on(&mut self, frames: &mut Vec<Frame>) -> Parse<ExprId> {
        loop {
            let Some(mut value) = self.operand(frames)? else { continue };
            loop {
                match self.after_operand(value, frames)? {
                    Next::Value(larger) => value = larger,
                    Next::Operand => break,
                    Next::Done(whole) => return Ok(whole),
                }
            }
        }
    }

    fn leaf(&mut self, kind: ExprKind) -> Parse<Option<ExprId>> {
        let token = self.bump();
        let span = self.span(token);
        Ok(Some(self.push(kind, span)))
    }

    /// Reads an operand, or the beginning of something that contains operands.
    fn operand(&mut self, frames: &mut Vec<Frame>) -> Parse<Option<ExprId>> {
        let kind = self.token.kind;
        match kind {
            TokenKind::Identifier => return self.name(frames),
            TokenKind::Natural => return self.leaf(ExprKind::Natural),
            TokenKind::BitVector => return self.leaf(ExprKind::BitVector),
            TokenKind::True => return self.leaf(ExprKind::Bool(true)),
            TokenKind::False => return self.leaf(ExprKind::Bool(false)),
            TokenKind::Decimal => return self.leaf(ExprKind::Decimal),
            TokenKind::Float => return self.leaf(ExprKind::Float),
            TokenKind::Not => {
                let start = self.bump().start;
                frames.push(Frame::Prefix { op: UnaryOp::Not, start });
            }
            TokenKind::Minus => {
                let start = self.bump().start;
                frames.push(Frame::Prefix { op: UnaryOp::Negate, start });
            }
            TokenKind::LeftParen => {
                let open = self.bump();
                match binding_kind(self.token.kind) {
                    Some(kind) => self.binding(kind, Some(open), frames)?,
                    None if self.at(TokenKind::Var) => {
                        self.bump();
                        let names = self.idents()?;
                        self.expect(TokenKind::Assign)?;
                        frames.push(Frame::LetValue(Box::new(OpenLet { open, names, values: Vec::new() })));
                    }
                    None => frames.push(Frame::Paren { open }),
                }
            }
            TokenKind::Forall | TokenKind::Exists | TokenKind::Lambda => {
                if let Some(kind) = binding_kind(self.token.kind) {
                    self.binding(kind, None, frames)?;
                }
            }
            TokenKind::If => {
                let start = self.bump().start;
                frames.push(Frame::Condition { start });
            }
            TokenKind::Old | TokenKind::Int | TokenKind::Real => {
                let open = self.bump();
                self.expect(TokenKind::LeftParen)?;
                let wrapper = match open.kind {
                    TokenKind::Old => ExprKind::Old,
                    TokenKind::Int => ExprKind::ToInt,
                    _ => ExprKind::ToReal,
                };
                self.old_depth += u32::from(open.kind == TokenKind::Old);
                frames.push(Frame::Wrapped { wrapper, open });
            }
            TokenKind::LeftBrace => {
                let start = self.bump().start;
                let name = self.field_name()?;
                frames.push(Frame::Field { start, fields: Vec::new(), name });
            }
            TokenKind::Bar if self.peek() == TokenKind::LeftBrace => {
                self.unsupported(Feature::CodeExpression, self.span(self.token));
                return Err(super::Reported);
            }
            _ => return Err(self.unexpected("an expression")),
        }
        Ok(None)
    }

    fn name(&mut self, frames: &mut Vec<Frame>) -> Parse<Option<ExprId>> {
        let name = self.ident()?;
        if self.eat(TokenKind::LeftParen) {
            if self.eat(TokenKind::RightParen) {
                let span = self.span_from(name.span.start);
                return Ok(Some(self.push(ExprKind::Apply(name, [].into()), span)));
            }
            frames.push(Frame::Arguments { function: name, arguments: Vec::new() });
            return Ok(None);
        }
        let kind = match self.bound[name.symbol].expand() {
            Some(binder) => ExprKind::Bound(binder),
            None => ExprKind::Name { symbol: name.symbol, old: self.old_depth > 0 },
        };
        Ok(Some(self.push(kind, name.span)))
    }

    fn field_name(&mut self) -> Parse<Ident> {
        let name = self.ident()?;
        self.expect(TokenKind::Colon)?;
        Ok(name)
    }

    fn after_operand(&mut self, value: ExprId, frames: &mut Vec<Frame>) -> Parse<Next> {
        if self.at_word("is") && self.peek() == TokenKind::Identifier {
            self.bump();
            let constructor = self.ident()?;
            let span = self.ast.exprs[value].span.to(constructor.span);
            return Ok(Next::Value(self.push(ExprKind::Is(value, constructor), span)));
        }
        match self.token.kind {
            TokenKind::LeftBracket => {
                self.bump();
                if self.at(TokenKind::Natural) && self.peek() == TokenKind::Colon {
                    return self.extract(value).map(Next::Value);
                }
                frames.push(Frame::Index { map: value, arguments: Vec::new() });
                Ok(Next::Operand)
            }
            TokenKind::Not => {
                self.bump();
                let field = self.ident()?;
                let span = self.ast.exprs[value].span.to(field.span);
                Ok(Next::Value(self.push(ExprKind::Field(value, field), span)))
            }
            TokenKind::Arrow => {
                self.bump();
                if self.eat(TokenKind::LeftParen) {
                    let field = self.ident()?;
                    self.expect(TokenKind::Assign)?;
                    frames.push(Frame::ArrowValue { operand: value, field });
                    return Ok(Next::Operand);
                }
                let field = self.ident()?;
                let span = self.ast.exprs[value].span.to(field.span);
                Ok(Next::Value(self.push(ExprKind::Arrow(value, field), span)))
            }
            TokenKind::Colon => {
                self.bump();
                let ty = self.ty()?;
                let span = self.span_from(self.ast.exprs[value].span.start);
                Ok(Next::Value(self.push(ExprKind::Typed(value, ty), span)))
            }
            kind => match infix(kind) {
                Some(op) => {
                    let left = self.reduce_for(op, value, frames)?;
                    self.bump();
                    frames.push(Frame::Infix { op, left });
                    Ok(Next::Operand)
                }
                None => {
                    let value = self.reduce(value, frames);
                    self.close(value, frames)
                }
            },
        }
    }

    /// `operand[high:low]`, behind the bracket.
    fn extract(&mut self, operand: ExprId) -> Parse<ExprId> {
        let high = self.bump();
        self.expect(TokenKind::Colon)?;
        let low = self.expect(TokenKind::Natural)?;
        self.expect(TokenKind::RightBracket)?;
        let span = self.span_from(self.ast.exprs[operand].span.start);
        let (high, low) = (self.span(high), self.span(low));
        Ok(self.push(ExprKind::Extract(operand, high, low), span))
    }

    fn apply_operator(&mut self, frame: &Frame, value: ExprId) -> ExprId {
        let end = self.ast.exprs[value].span;
        match *frame {
            Frame::Prefix { op, start } => {
                let span = base::Span { start, ..end };
                self.push(ExprKind::Unary(op, value), span)
            }
            Frame::Infix { op, left } => {
                let span = self.ast.exprs[left].span.to(end);
                self.push(ExprKind::Binary(op, left, value), span)
            }
            _ => value,
        }
    }

    /// Completes all operators that wait for their right side.
    fn reduce(&mut self, mut value: ExprId, frames: &mut Vec<Frame>) -> ExprId {
        while let Some(frame) =
            frames.pop_if(|frame| matches!(frame, Frame::Prefix { .. } | Frame::Infix { .. }))
        {
            value = self.apply_operator(&frame, value);
        }
        value
    }

    /// Completes the operators that bind tighter than `op`, which stands behind `value`.
    fn reduce_for(&mut self, op: BinaryOp, mut value: ExprId, frames: &mut Vec<Frame>) -> Parse<ExprId> {
        let (level, associates) = precedence(op);
        while let Some(frame) = frames.last() {
            match *frame {
                Frame::Prefix { .. } => {}
                Frame::Infix { op: before, .. } => {
                    let (before_level, _) = precedence(before);
                    if before_level < level {
                        break;
                    }
                    if before_level == level {
                        if associates == Associates::Never || never_mixed(before, op) {
                            return Err(self.needs_parentheses(before, op));
                        }
                        if associates == Associates::Right {
                            break;
                        }
                    }
                }
                _ => break,
            }
            if let Some(frame) = frames.pop() {
                value = self.apply_operator(&frame, value);
            }
        }
        Ok(value)
    }

    fn needs_parentheses(&mut self, before: BinaryOp, op: BinaryOp) -> super::Reported {
        let span = self.span(self.token);
        let message = if before == op {
            format!("`{}` cannot be chained", op.text())
        } else {
            format!("`{}` and `{}` cannot be mixed without parentheses", before.text(), op.text())
        };
        self.report(Diagnostic::error(span, message).help("put parentheses around one of the two"))
    }

    /// The current token continues no operand: completes what was opened last.
    fn close(&mut self, value: ExprId, frames: &mut Vec<Frame>) -> Parse<Next> {
        let Some(frame) = frames.pop() else { return Ok(Next::Done(value)) };
        match frame {
            Frame::Paren { open } => {
                self.expect_closing(TokenKind::RightParen, open)?;
                self.widen(value, open.start);
                Ok(Next::Value(value))
            }
            Frame::Wrapped { wrapper, open } => {
                self.expect_closing(TokenKind::RightParen, open)?;
                self.old_depth -= u32::from(open.kind == TokenKind::Old);
                let span = self.span_from(open.start);
                Ok(Next::Value(self.push(wrapper(value), span)))
            }
            Frame::Arguments { function, mut arguments } => {
                arguments.push(value);
                if self.eat(TokenKind::Comma) {
                    frames.push(Frame::Arguments { function, arguments });
                    return Ok(Next::Operand);
                }
                self.expect(TokenKind::RightParen)?;
                let span = self.span_from(function.span.start);
                Ok(Next::Value(self.push(ExprKind::Apply(function, arguments.into()), span)))
            }
            Frame::Index { map, mut arguments } => {
                arguments.push(value);
                if self.eat(TokenKind::Comma) {
                    frames.push(Frame::Index { map, arguments });
                    return Ok(Next::Operand);
                }
                if self.eat(TokenKind::Assign) {
                    frames.push(Frame::StoreValue { map, arguments });
                    return Ok(Next::Operand);
                }
                self.expect(TokenKind::RightBracket)?;
                let span = self.span_from(self.ast.exprs[map].span.start);
                Ok(Next::Value(self.push(ExprKind::Select(map, arguments.into()), span)))
            }
            Frame::StoreValue { map, arguments } => {
                self.expect(TokenKind::RightBracket)?;
                let span = self.span_from(self.ast.exprs[map].span.start);
                Ok(Next::Value(self.push(ExprKind::Store(map, arguments.into(), value), span)))
            }
            Frame::ArrowValue { operand, field } => {
                self.expect(TokenKind::RightParen)?;
                let span = self.span_from(self.ast.exprs[operand].span.start);
                Ok(Next::Value(self.push(ExprKind::ArrowUpdate(operand, field, value), span)))
            }
            Frame::Condition { start } => {
                self.expect(TokenKind::Then)?;
                frames.push(Frame::Then { start, condition: value });
                Ok(Next::Operand)
            }
            Frame::Then { start, condition } => {
                self.expect(TokenKind::Else)?;
                frames.push(Frame::Else { start, condition, then: value });
                Ok(Next::Operand)
            }
            Frame::Else { start, condition, then } => {
                let span = self.span_from(start);
                Ok(Next::Value(self.push(ExprKind::If(condition, then, value), span)))
            }
            Frame::Field { start, mut fields, name } => {
                fields.push((name, value));
                if self.eat(TokenKind::Comma) {
                    let name = self.field_name()?;
                    frames.push(Frame::Field { start, fields, name });
                    return Ok(Next::Operand);
                }
                self.expect(TokenKind::RightBrace)?;
                let span = self.span_from(start);
                Ok(Next::Value(self.push(ExprKind::Struct(fields.into()), span)))
            }
            frame => self.close_binding_part(frame, value, frames),
        }
    }

    fn close_binding_part(&mut self, frame: Frame, value: ExprId, frames: &mut Vec<Frame>) -> Parse<Next> {
        match frame {
            Frame::Trigger(mut binding, mut terms) => {
                terms.push(value);
                if self.eat(TokenKind::Comma) {
                    frames.push(Frame::Trigger(binding, terms));
                    return Ok(Next::Operand);
                }
                self.expect(TokenKind::RightBrace)?;
                binding.triggers.push(terms);
                self.binding_parts(binding, frames)?;
                Ok(Next::Operand)
            }
            Frame::AttributeArgument(mut binding, mut attribute) => {
                attribute.arguments.push(AttributeArgument::Expr(value));
                if self.eat(TokenKind::Comma) {
                    if !self.text_arguments(&mut attribute)? {
                        frames.push(Frame::AttributeArgument(binding, attribute));
                        return Ok(Next::Operand);
                    }
                } else {
                    self.expect(TokenKind::RightBrace)?;
                }
                binding.attributes.push(attribute);
                self.binding_parts(binding, frames)?;
                Ok(Next::Operand)
            }
            Frame::Body(binding) => {
                if let Some(open) = binding.open {
                    self.expect_closing(TokenKind::RightParen, open)?;
                }
                // Names may be bound twice by one quantifier, so the first entry must be restored last.
                for &(symbol, outer) in binding.hidden.iter().rev() {
                    self.bound[symbol] = outer;
                }
                let OpenBinding { kind, variables, binders, triggers, attributes, start, .. } = *binding;
                let span = self.span_from(start);
                let binding = Binding { kind, variables, binders, triggers, attributes, body: value };
                Ok(Next::Value(self.push(ExprKind::Binding(Box::new(binding)), span)))
            }
            Frame::LetValue(binding) => self.let_value(binding, value, frames),
            Frame::LetBody(binding, binders, hidden) => {
                self.expect_closing(TokenKind::RightParen, binding.open)?;
                for &(symbol, outer) in hidden.iter().rev() {
                    self.bound[symbol] = outer;
                }
                let span = self.span_from(binding.open.start);
                let binding = LetBinding { binders, values: binding.values, body: value };
                Ok(Next::Value(self.push(ExprKind::Let(Box::new(binding)), span)))
            }
            // All other frames are closed by `close`.
            _ => Ok(Next::Value(value)),
        }
    }

    fn let_value(
        &mut self,
        mut binding: Box<OpenLet>,
        value: ExprId,
        frames: &mut Vec<Frame>,
    ) -> Parse<Next> {
        binding.values.push(value);
        if self.eat(TokenKind::Comma) {
            frames.push(Frame::LetValue(binding));
            return Ok(Next::Operand);
        }
        if binding.values.len() != binding.names.len() {
            let span = binding.names[0].span;
            let message = "a `let` expression has as many values as names";
            return Err(self.report(Diagnostic::error(span, message)));
        }
        self.expect(TokenKind::Semicolon)?;
        // The values do not see the names.
        let mut hidden = Vec::with_capacity(binding.names.len());
        let mut binders = Vec::with_capacity(binding.names.len());
        for &name in &binding.names {
            let binder = self.ast.binders.push(Binder { name, ty: None });
            hidden.push((name.symbol, self.bound[name.symbol]));
            self.bound[name.symbol] = binder.into();
            binders.push(binder);
        }
        frames.push(Frame::LetBody(binding, binders, hidden));
        Ok(Next::Operand)
    }

    /// The parentheses belong to the place of an expression, except of literals, which are read again.
    fn widen(&mut self, value: ExprId, start: u32) {
        let span = self.span_from(start);
        let expr = &mut self.ast.exprs[value];
        let literal = matches!(
            expr.kind,
            ExprKind::Natural | ExprKind::Decimal | ExprKind::BitVector | ExprKind::Float
        );
        if !literal {
            expr.span = span;
        }
    }

    fn expect_closing(&mut self, kind: TokenKind, open: Token) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        self.unexpected(kind.describe());
        let span = self.span(open);
        if let Some(error) = self.errors.last_mut() {
            error.related.push((span, "opened here".to_owned()));
        }
        Err(super::Reported)
    }

    /// `forall<variables> binders ::`
    fn binding(&mut self, kind: BindingKind, open: Option<Token>, frames: &mut Vec<Frame>) -> Parse<()> {
        let keyword = self.bump();
        let variables = self.type_variables()?;
        let mut binders = Vec::new();
        while !self.at(TokenKind::ColonColon) {
            let names = self.idents()?;
            self.expect(TokenKind::Colon)?;
            let ty = self.ty()?;
            let ty = Some(ty);
            binders.extend(names.into_iter().map(|name| self.ast.binders.push(Binder { name, ty })));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::ColonColon)?;
        let mut hidden = Vec::with_capacity(binders.len());
        for &binder in &binders {
            let symbol = self.ast.binders[binder].name.symbol;
            hidden.push((symbol, self.bound[symbol]));
            self.bound[symbol] = binder.into();
        }
        let start = open.unwrap_or(keyword).start;
        let binding = OpenBinding {
            kind,
            variables,
            binders,
            triggers: Vec::new(),
            attributes: Vec::new(),
            start,
            open,
            hidden,
        };
        self.binding_parts(Box::new(binding), frames)
    }

    /// Triggers and attributes, up to the next operand.
    fn binding_parts(&mut self, mut binding: Box<OpenBinding>, frames: &mut Vec<Frame>) -> Parse<()> {
        while self.eat(TokenKind::LeftBrace) {
            if !self.eat(TokenKind::Colon) {
                frames.push(Frame::Trigger(binding, Vec::new()));
                return Ok(());
            }
            let mut attribute = Attribute { name: self.attribute_name()?, arguments: Vec::new() };
            if !self.eat(TokenKind::RightBrace) && !self.text_arguments(&mut attribute)? {
                frames.push(Frame::AttributeArgument(binding, attribute));
                return Ok(());
            }
            binding.attributes.push(attribute);
        }
        frames.push(Frame::Body(binding));
        Ok(())
    }

    /// Takes arguments of an attribute as long as they are strings; whether that was all.
    fn text_arguments(&mut self, attribute: &mut Attribute) -> Parse<bool> {
        while self.at(TokenKind::Text) {
            let token = self.bump();
            attribute.arguments.push(AttributeArgument::Text(self.span(token)));
            if !self.eat(TokenKind::Comma) {
                self.expect(TokenKind::RightBrace)?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn binding_kind(kind: TokenKind) -> Option<BindingKind> {
    match kind {
        TokenKind::Forall => Some(BindingKind::Forall),
        TokenKind::Exists => Some(BindingKind::Exists),
        TokenKind::Lambda => Some(BindingKind::Lambda),
        _ => None,
    }
}
