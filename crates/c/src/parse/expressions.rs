//! Expressions (C11 6.5) by precedence climbing.

use super::keywords::Keyword;
use super::{Parse, Parser, Word};
use crate::ast::{Alignment, BinaryOp, Designator, ExprId, ExprKind, LogicalOp, UnaryOp};
use crate::lex::token::{Punct, TokenKind};
use base::Span;

/// A binary operator as the climbing sees it.
#[derive(Clone, Copy)]
enum Operator {
    Binary(BinaryOp),
    Logical(LogicalOp),
}

fn operator(punct: Punct) -> Option<(u8, Operator)> {
    use Operator::{Binary, Logical};
    Some(match punct {
        Punct::Iff => (1, Logical(LogicalOp::Iff)),
        Punct::Implies => (2, Logical(LogicalOp::Implies)),
        Punct::OrOr => (3, Logical(LogicalOp::Or)),
        Punct::AndAnd => (4, Logical(LogicalOp::And)),
        Punct::Or => (5, Binary(BinaryOp::BitOr)),
        Punct::Caret => (6, Binary(BinaryOp::BitXor)),
        Punct::And => (7, Binary(BinaryOp::BitAnd)),
        Punct::EqualEqual => (8, Binary(BinaryOp::Eq)),
        Punct::NotEqual => (8, Binary(BinaryOp::Ne)),
        Punct::Less => (9, Binary(BinaryOp::Lt)),
        Punct::Greater => (9, Binary(BinaryOp::Gt)),
        Punct::LessEqual => (9, Binary(BinaryOp::Le)),
        Punct::GreaterEqual => (9, Binary(BinaryOp::Ge)),
        Punct::ShiftLeft => (10, Binary(BinaryOp::Shl)),
        Punct::ShiftRight => (10, Binary(BinaryOp::Shr)),
        Punct::Plus => (11, Binary(BinaryOp::Add)),
        Punct::Minus => (11, Binary(BinaryOp::Sub)),
        Punct::Star => (12, Binary(BinaryOp::Mul)),
        Punct::Slash => (12, Binary(BinaryOp::Div)),
        Punct::Percent => (12, Binary(BinaryOp::Rem)),
        _ => return None,
    })
}

/// Whether an operator compares by order.
fn is_order(operator: Operator) -> bool {
    matches!(operator, Operator::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge))
}

fn assignment_operator(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Assign => None,
        Punct::PlusAssign => Some(BinaryOp::Add),
        Punct::MinusAssign => Some(BinaryOp::Sub),
        Punct::StarAssign => Some(BinaryOp::Mul),
        Punct::SlashAssign => Some(BinaryOp::Div),
        Punct::PercentAssign => Some(BinaryOp::Rem),
        Punct::ShiftLeftAssign => Some(BinaryOp::Shl),
        Punct::ShiftRightAssign => Some(BinaryOp::Shr),
        Punct::AndAssign => Some(BinaryOp::BitAnd),
        Punct::CaretAssign => Some(BinaryOp::BitXor),
        Punct::OrAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let mut left = self.assignment()?;
        while self.eat(Punct::Comma) {
            let right = self.assignment()?;
            left = self.expr_node(ExprKind::Comma(left, right), self.since(start));
        }
        Ok(left)
    }

    /// An expression without commas at its top.
    pub(super) fn assignment(&mut self) -> Parse<ExprId> {
        self.nested(|this| {
            let start = this.span();
            let left = this.conditional()?;
            let TokenKind::Punct(punct) = this.token().kind else { return Ok(left) };
            let Some(operator) = assignment_operator(punct) else { return Ok(left) };
            this.advance();
            let right = this.assignment()?;
            Ok(this.expr_node(ExprKind::Assign(operator, left, right), this.since(start)))
        })
    }

    /// A conditional expression, as constants in declarations are.
    pub(super) fn conditional(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let condition = self.binary(0)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let then = if self.is(Punct::Colon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Colon)?;
        let otherwise = self.nested(Self::conditional)?;
        Ok(self.expr_node(ExprKind::Conditional(condition, then, otherwise), self.since(start)))
    }

    fn binary(&mut self, least: u8) -> Parse<ExprId> {
        let start = self.span();
        let mut left = self.unary()?;
        while let TokenKind::Punct(punct) = self.token().kind {
            // Behind a C expression `== >` means nothing, so it is the `==>` of a contract that is no annotation.
            let implies = punct == Punct::EqualEqual && self.is_at(1, Punct::Greater);
            let punct = if implies { Punct::Implies } else { punct };
            let Some((precedence, operator)) = operator(punct) else { break };
            if precedence < least {
                break;
            }
            self.advance();
            if implies {
                self.advance();
            }
            if self.in_annotation && is_order(operator) {
                left = self.chain(left, operator, start)?;
                continue;
            }
            // `==>` groups to the right, all other operators to the left.
            let right = self.binary(if punct == Punct::Implies { precedence } else { precedence + 1 })?;
            let kind = match operator {
                Operator::Binary(operator) => ExprKind::Binary(operator, left, right),
                Operator::Logical(operator) => ExprKind::Logical(operator, left, right),
            };
            left = self.expr_node(kind, self.since(start));
        }
        Ok(left)
    }

    /// `a < b <= c` in an annotation means `a < b && b <= c`.
    fn chain(&mut self, left: ExprId, first: Operator, start: Span) -> Parse<ExprId> {
        let (mut left, mut operator_here, mut whole) = (left, first, None);
        loop {
            let right = self.binary(10)?;
            let Operator::Binary(op) = operator_here else { return Err(self.unexpected("a comparison")) };
            let compared = self.expr_node(ExprKind::Binary(op, left, right), self.since(start));
            let all = match whole {
                Some(before) => {
                    self.expr_node(ExprKind::Logical(LogicalOp::And, before, compared), self.since(start))
                }
                None => compared,
            };
            let TokenKind::Punct(punct) = self.token().kind else { return Ok(all) };
            match operator(punct) {
                Some((_, next)) if is_order(next) => {
                    self.advance();
                    (left, operator_here, whole) = (right, next, Some(all));
                }
                _ => return Ok(all),
            }
        }
    }

    fn unary(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let prefix = match self.token().kind {
            TokenKind::Punct(punct) => match punct {
                Punct::Minus => Some(UnaryOp::Minus),
                Punct::Plus => Some(UnaryOp::Plus),
                Punct::Tilde => Some(UnaryOp::Complement),
                Punct::Not => Some(UnaryOp::Not),
                Punct::Star => Some(UnaryOp::Deref),
                Punct::And => Some(UnaryOp::AddressOf),
                Punct::PlusPlus | Punct::MinusMinus => return self.nested(Self::prefix_increment),
                Punct::AndAnd => {
                    self.advance();
                    let (label, _) = self.name()?;
                    return Ok(self.expr_node(ExprKind::LabelAddress(label), self.since(start)));
                }
                Punct::OpenParen if self.starts_type_at(1) => return self.nested(Self::cast),
                _ => None,
            },
            _ => match self.keyword() {
                Some(Keyword::Real) => Some(UnaryOp::Real),
                Some(Keyword::Imaginary) => Some(UnaryOp::Imaginary),
                Some(Keyword::Extension) => {
                    self.advance();
                    return self.nested(Self::unary);
                }
                Some(Keyword::Sizeof) => return self.nested(|this| this.size_or_alignment(None)),
                Some(Keyword::Alignof) => {
                    return self.nested(|this| this.size_or_alignment(Some(Alignment::Least)));
                }
                Some(Keyword::PreferredAlignof) => {
                    return self.nested(|this| this.size_or_alignment(Some(Alignment::Preferred)));
                }
                _ => None,
            },
        };
        let Some(operator) = prefix else { return self.postfix() };
        self.advance();
        let operand = self.nested(Self::unary)?;
        Ok(self.expr_node(ExprKind::Unary(operator, operand), self.since(start)))
    }

    fn prefix_increment(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let up = self.is(Punct::PlusPlus);
        self.advance();
        let operand = self.unary()?;
        Ok(self.expr_node(ExprKind::Increment { up, prefix: true, operand }, self.since(start)))
    }

    /// `(T)e` or `(T){…}`.
    fn cast(&mut self) -> Parse<ExprId> {
        let start = self.expect(Punct::OpenParen)?;
        let type_name = self.type_name()?;
        self.expect(Punct::CloseParen)?;
        if self.is(Punct::OpenBrace) {
            let init = self.initialiser()?;
            let kind = ExprKind::CompoundLiteral(type_name, Box::new(init));
            let literal = self.expr_node(kind, self.since(start));
            return self.postfix_of(literal, start);
        }
        let operand = self.unary()?;
        Ok(self.expr_node(ExprKind::Cast(type_name, operand), self.since(start)))
    }

    /// `sizeof`, or with an alignment `_Alignof` and `__alignof__`.
    fn size_or_alignment(&mut self, alignment: Option<Alignment>) -> Parse<ExprId> {
        let start = self.span();
        self.advance();
        let kind = if self.is(Punct::OpenParen) && self.starts_type_at(1) {
            let open = self.expect(Punct::OpenParen)?;
            let type_name = self.type_name()?;
            self.expect(Punct::CloseParen)?;
            if self.is(Punct::OpenBrace) {
                let init = self.initialiser()?;
                let kind = ExprKind::CompoundLiteral(type_name, Box::new(init));
                let literal = self.expr_node(kind, self.since(open));
                ExprKind::SizeofExpr(self.postfix_of(literal, open)?)
            } else {
                match alignment {
                    None => ExprKind::SizeofType(type_name),
                    Some(alignment) => ExprKind::AlignofType(type_name, alignment),
                }
            }
        } else {
            let operand = self.unary()?;
            match alignment {
                None => ExprKind::SizeofExpr(operand),
                Some(alignment) => ExprKind::AlignofExpr(operand, alignment),
            }
        };
        Ok(self.expr_node(kind, self.since(start)))
    }

    fn postfix(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let primary = self.primary()?;
        self.postfix_of(primary, start)
    }

    fn postfix_of(&mut self, mut operand: ExprId, start: Span) -> Parse<ExprId> {
        loop {
            let TokenKind::Punct(punct) = self.token().kind else { return Ok(operand) };
            let kind = match punct {
                Punct::OpenBracket => {
                    self.advance();
                    let inside = self.span();
                    let index = self.expression()?;
                    let index = self.range_from(index, inside)?;
                    self.expect(Punct::CloseBracket)?;
                    ExprKind::Index(operand, index)
                }
                Punct::OpenParen => {
                    self.advance();
                    let mut arguments = Vec::new();
                    while !self.eat(Punct::CloseParen) {
                        if !arguments.is_empty() {
                            self.expect(Punct::Comma)?;
                        }
                        arguments.push(self.assignment()?);
                    }
                    ExprKind::Call(operand, arguments)
                }
                Punct::Dot => {
                    self.advance();
                    ExprKind::Member(operand, self.name()?.0)
                }
                Punct::Arrow => {
                    self.advance();
                    ExprKind::Arrow(operand, self.name()?.0)
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    self.advance();
                    ExprKind::Increment { up: punct == Punct::PlusPlus, prefix: false, operand }
                }
                _ => return Ok(operand),
            };
            operand = self.expr_node(kind, self.since(start));
        }
    }

    fn primary(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let kind = match self.token().kind {
            TokenKind::Name(_) => match self.word() {
                Word::Name(name) => {
                    if let Some(kind) = self.quantifier(name) {
                        return self.nested(|this| this.quantified(kind));
                    }
                    if let Some(used) = self.logic_use(name)? {
                        return Ok(used);
                    }
                    self.advance();
                    ExprKind::Name(name)
                }
                Word::Keyword(keyword) => return self.keyword_expression(keyword),
                Word::Other => return Err(self.unexpected("an expression")),
            },
            TokenKind::Number(text) => {
                self.advance();
                ExprKind::Number(text)
            }
            TokenKind::Char(text) => {
                self.advance();
                ExprKind::Char(text)
            }
            TokenKind::Text(_) => {
                let mut parts = Vec::new();
                while let TokenKind::Text(text) = self.token().kind {
                    parts.push(text);
                    self.advance();
                }
                ExprKind::Text(parts)
            }
            TokenKind::Punct(Punct::OpenParen) if self.is_at(1, Punct::OpenBrace) => {
                self.advance();
                let block = self.nested(Self::block)?;
                self.expect(Punct::CloseParen)?;
                ExprKind::StatementExpr(block)
            }
            TokenKind::Punct(Punct::OpenParen) => {
                self.advance();
                let inside = self.span();
                let inner = self.expression()?;
                let inner = self.range_from(inner, inside)?;
                self.expect(Punct::CloseParen)?;
                return Ok(inner);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(self.expr_node(kind, self.since(start)))
    }

    /// Expressions that start with a keyword and take types as arguments.
    fn keyword_expression(&mut self, keyword: Keyword) -> Parse<ExprId> {
        let start = self.span();
        let known = matches!(
            keyword,
            Keyword::Offsetof
                | Keyword::ConvertVector
                | Keyword::VaArg
                | Keyword::TypesCompatible
                | Keyword::ChooseExpr
                | Keyword::Generic
        );
        if !known {
            return Err(self.unexpected("an expression"));
        }
        self.advance();
        self.expect(Punct::OpenParen)?;
        let kind = match keyword {
            Keyword::Offsetof => {
                let type_name = self.type_name()?;
                self.expect(Punct::Comma)?;
                ExprKind::Offsetof(type_name, self.member_path()?)
            }
            Keyword::VaArg => {
                let list = self.assignment()?;
                self.expect(Punct::Comma)?;
                ExprKind::VaArg(list, self.type_name()?)
            }
            Keyword::ConvertVector => {
                let operand = self.assignment()?;
                self.expect(Punct::Comma)?;
                ExprKind::ConvertVector(operand, self.type_name()?)
            }
            Keyword::TypesCompatible => {
                let left = self.type_name()?;
                self.expect(Punct::Comma)?;
                ExprKind::TypesCompatible(left, self.type_name()?)
            }
            Keyword::ChooseExpr => {
                let condition = self.assignment()?;
                self.expect(Punct::Comma)?;
                let then = self.assignment()?;
                self.expect(Punct::Comma)?;
                ExprKind::ChooseExpr(condition, then, self.assignment()?)
            }
            _ => {
                let subject = self.assignment()?;
                let mut choices = Vec::new();
                while self.eat(Punct::Comma) {
                    let type_name =
                        if self.eat_keyword(Keyword::Default) { None } else { Some(self.type_name()?) };
                    self.expect(Punct::Colon)?;
                    choices.push((type_name, self.assignment()?));
                }
                ExprKind::Generic(subject, choices)
            }
        };
        self.expect(Punct::CloseParen)?;
        Ok(self.expr_node(kind, self.since(start)))
    }

    /// The `a.b[3]` of `offsetof`.
    fn member_path(&mut self) -> Parse<Vec<Designator>> {
        let (name, span) = self.name()?;
        let mut path = vec![Designator::Field(name, span)];
        loop {
            if self.eat(Punct::Dot) || self.eat(Punct::Arrow) {
                let (name, span) = self.name()?;
                path.push(Designator::Field(name, span));
            } else if self.eat(Punct::OpenBracket) {
                path.push(Designator::Index(self.expression()?));
                self.expect(Punct::CloseBracket)?;
            } else {
                return Ok(path);
            }
        }
    }
}
