//! Nodes of the syntax tree that contracts become.

use crate::ast::{
    Ast, Attributes, BaseWord, BasicWords, BinaryOp, Declaration, Declarator, Expr, ExprId, ExprKind, Init,
    InitDeclarator, LogicalOp, Specifiers, SpecifiersId, Stmt, StmtId, StmtKind, Storage, TypeSpecifier,
    UnaryOp,
};
use crate::symbols::{Symbol, Symbols};
use base::Span;

/// Makes nodes; all stand where [`span`](Builder::span) says.
pub(super) struct Builder<'a> {
    pub(super) ast: &'a mut Ast,
    pub(super) symbols: &'a mut Symbols,
    /// The place of what is made.
    pub(super) span: Span,
    /// How many names were invented.
    pub(super) invented: &'a mut u32,
}

impl Builder<'_> {
    pub(super) fn expr(&mut self, kind: ExprKind) -> ExprId {
        self.ast.exprs.push(Expr { kind, span: self.span })
    }

    pub(super) fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span: self.span })
    }

    /// A name that nothing else has.
    pub(super) fn invent(&mut self, what: &str) -> Symbol {
        *self.invented += 1;
        self.symbols.intern(&format!("__unreach_{what}_{}", self.invented))
    }

    pub(super) fn name(&mut self, name: Symbol) -> ExprId {
        self.expr(ExprKind::Name(name))
    }

    pub(super) fn int(&mut self, value: u64) -> ExprId {
        let text = self.symbols.intern(&value.to_string());
        self.expr(ExprKind::Number(text))
    }

    pub(super) fn text(&mut self, text: &str) -> ExprId {
        let literal = self.symbols.intern(&format!("\"{text}\""));
        self.expr(ExprKind::Text(vec![literal]))
    }

    pub(super) fn call(&mut self, function: &str, arguments: Vec<ExprId>) -> ExprId {
        let function = self.symbols.intern(function);
        let function = self.name(function);
        self.expr(ExprKind::Call(function, arguments))
    }

    pub(super) fn call_stmt(&mut self, function: &str, arguments: Vec<ExprId>) -> StmtId {
        let call = self.call(function, arguments);
        self.stmt(StmtKind::Expr(call))
    }

    pub(super) fn not(&mut self, operand: ExprId) -> ExprId {
        self.expr(ExprKind::Unary(UnaryOp::Not, operand))
    }

    pub(super) fn address(&mut self, place: ExprId) -> ExprId {
        self.expr(ExprKind::Unary(UnaryOp::AddressOf, place))
    }

    pub(super) fn deref(&mut self, pointer: ExprId) -> ExprId {
        self.expr(ExprKind::Unary(UnaryOp::Deref, pointer))
    }

    pub(super) fn logical(&mut self, op: LogicalOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Logical(op, left, right))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(op, left, right))
    }

    pub(super) fn assign(&mut self, place: ExprId, value: ExprId) -> ExprId {
        self.expr(ExprKind::Assign(None, place, value))
    }

    pub(super) fn assign_stmt(&mut self, name: Symbol, value: ExprId) -> StmtId {
        let place = self.name(name);
        let assign = self.assign(place, value);
        self.stmt(StmtKind::Expr(assign))
    }

    pub(super) fn block(&mut self, statements: Vec<StmtId>) -> StmtId {
        self.stmt(StmtKind::Block(statements))
    }

    pub(super) fn when(&mut self, condition: Option<ExprId>, statement: StmtId) -> StmtId {
        match condition {
            Some(condition) => self.stmt(StmtKind::If(condition, statement, None)),
            None => statement,
        }
    }

    /// Specifiers that say nothing but a type.
    pub(super) fn specifiers(&mut self, ty: TypeSpecifier) -> SpecifiersId {
        self.ast.specifiers.push(Specifiers::of_type(ty, self.span))
    }

    /// A variable, declared here.
    pub(super) fn declaration(
        &mut self,
        name: Symbol,
        specifiers: SpecifiersId,
        init: Option<ExprId>,
    ) -> Declaration {
        let declarator = Declarator {
            name: Some(name),
            parts: Vec::new(),
            attributes: Attributes::default(),
            contract: Vec::new(),
            span: self.span,
        };
        let init = init.map(Init::Expr);
        Declaration { specifiers, declarators: vec![InitDeclarator { declarator, init }] }
    }

    /// `typeof(value) name = value;`
    pub(super) fn declare_value(&mut self, name: Symbol, value: ExprId) -> StmtId {
        self.declare_like(name, value, Some(value))
    }

    /// A variable that holds a pointer, to which an array decays.
    pub(super) fn declare_pointer(&mut self, name: Symbol, value: ExprId) -> StmtId {
        let zero = self.int(0);
        let moved = self.binary(BinaryOp::Add, value, zero);
        self.declare_like(name, moved, Some(value))
    }

    /// `typeof(like) name = value;`
    pub(super) fn declare_like(&mut self, name: Symbol, like: ExprId, value: Option<ExprId>) -> StmtId {
        let specifiers = self.specifiers(TypeSpecifier::TypeofExpr(like));
        let declaration = self.declaration(name, specifiers, value);
        self.stmt(StmtKind::Declaration(declaration))
    }

    /// `static int name;`
    pub(super) fn declare_flag(&mut self, name: Symbol) -> StmtId {
        let words = BasicWords { base: Some(BaseWord::Int), ..BasicWords::default() };
        let specifiers = self.specifiers(TypeSpecifier::Basic(words));
        self.ast.specifiers[specifiers].storage = Storage::Static;
        let declaration = self.declaration(name, specifiers, None);
        self.stmt(StmtKind::Declaration(declaration))
    }

    /// The name that a call calls, and its arguments.
    pub(super) fn called(&self, expr: ExprId) -> Option<(&str, Vec<ExprId>)> {
        let ExprKind::Call(function, arguments) = &self.ast.exprs[expr].kind else { return None };
        let ExprKind::Name(name) = self.ast.exprs[*function].kind else { return None };
        Some((self.symbols.text(name), arguments.clone()))
    }
}
