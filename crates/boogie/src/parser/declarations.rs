//! Declarations, and where to go on after a mistake.

use super::{Parse, Parser};
use crate::ast::{
    Attribute, Body, ConstantDeclaration, ConstructorDeclaration, Declaration, FunctionDeclaration, Order,
    Parent, ProcedureDeclaration, Signature, TypeDeclaration, VariableDeclaration,
};
use crate::features::Feature;
use crate::tokens::TokenKind;

/// Words that begin declarations of layered concurrent programs, which are refused by name.
const CIVL: &[&str] = &["action", "async", "atomic", "both", "left", "link", "pure", "right", "yield"];

/// After this many mistakes the rest of the file is not read.
const MAX_ERRORS: usize = 100;

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while !self.at(TokenKind::End) && self.errors.len() < MAX_ERRORS {
            self.brace_depth = 0;
            if self.declaration().is_err() {
                self.recover();
            }
        }
    }

    /// Skips to the next declaration. `var` only counts outside of braces, since it also begins locals.
    fn recover(&mut self) {
        self.old_depth = 0;
        self.bound.clear();
        loop {
            match self.token.kind {
                TokenKind::End
                | TokenKind::Type
                | TokenKind::Const
                | TokenKind::Function
                | TokenKind::Axiom
                | TokenKind::Procedure
                | TokenKind::Implementation => return,
                TokenKind::Var if self.brace_depth <= 0 => return,
                _ => self.bump(),
            };
        }
    }

    fn declaration(&mut self) -> Parse<()> {
        match self.token.kind {
            TokenKind::Type => self.type_declarations(),
            TokenKind::Const => self.constants(),
            TokenKind::Function => self.function(),
            TokenKind::Axiom => {
                let start = self.bump().start;
                let axiom = self.clause(start, false)?;
                self.declare(Declaration::Axiom(axiom))
            }
            TokenKind::Var => {
                self.bump();
                for variable in self.variables()? {
                    self.ast.declarations.push(Declaration::Variable(variable));
                }
                Ok(())
            }
            TokenKind::Procedure => self.procedure(),
            TokenKind::Implementation => {
                self.bump();
                let signature = self.signature()?;
                let body = self.body()?;
                self.declare(Declaration::Implementation(signature, body))
            }
            TokenKind::Identifier if self.at_word("datatype") => self.datatype(),
            TokenKind::Identifier if CIVL.contains(&self.text(self.token)) => {
                let feature = Feature::Civl(self.text(self.token).to_owned());
                self.unsupported(feature, self.span(self.token));
                Err(super::Reported)
            }
            _ => Err(self.unexpected("a declaration")),
        }
    }

    fn declare(&mut self, declaration: Declaration) -> Parse<()> {
        self.ast.declarations.push(declaration);
        Ok(())
    }

    fn type_declarations(&mut self) -> Parse<()> {
        self.bump();
        let attributes = self.attributes()?;
        if self.at_word("finite") && self.peek() == TokenKind::Identifier {
            self.bump();
        }
        loop {
            let name = self.ident()?;
            let mut parameters = Vec::new();
            while self.at(TokenKind::Identifier) {
                parameters.push(self.ident()?);
            }
            let definition = if self.eat(TokenKind::Equals) { Some(self.ty()?) } else { None };
            let attributes = attributes.clone();
            let constructors = None;
            let declaration = TypeDeclaration { name, parameters, definition, constructors, attributes };
            self.declare(Declaration::Type(declaration))?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon)?;
        Ok(())
    }

    /// `datatype name<parameters> { constructor(fields), … }`
    fn datatype(&mut self) -> Parse<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let parameters = self.type_variables()?;
        self.expect(TokenKind::LeftBrace)?;
        let mut constructors = Vec::new();
        loop {
            self.attributes()?;
            let name = self.ident()?;
            let fields = self.parameters()?;
            constructors.push(ConstructorDeclaration { name, fields });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace)?;
        self.eat(TokenKind::Semicolon);
        let (definition, constructors) = (None, Some(constructors));
        let declaration = TypeDeclaration { name, parameters, definition, constructors, attributes };
        self.declare(Declaration::Type(declaration))
    }

    fn constants(&mut self) -> Parse<()> {
        self.bump();
        let mut attributes = self.attributes()?;
        let unique = self.eat(TokenKind::Unique);
        attributes.extend(self.attributes()?);
        let names = self.idents()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        let order = self.partial_order()?;
        if self.eat_word("uses") {
            self.uses()?;
        } else {
            self.expect(TokenKind::Semicolon)?;
        }
        self.declare(Declaration::Constant(ConstantDeclaration { names, unique, ty, order, attributes }))
    }

    /// `extends unique a, b complete`
    fn partial_order(&mut self) -> Parse<Option<Order>> {
        let start = self.token.start;
        let mut parents = None;
        if self.eat(TokenKind::Extends) || self.eat_word("extends") {
            let mut listed = Vec::new();
            while !self.at(TokenKind::Semicolon) && !self.at_word("complete") && !self.at_word("uses") {
                let unique = self.eat(TokenKind::Unique);
                listed.push(Parent { name: self.ident()?, unique });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            parents = Some(listed);
        }
        let complete = self.eat_word("complete");
        let found = parents.is_some() || complete;
        Ok(found.then(|| Order { parents, complete, span: self.span_from(start) }))
    }

    /// `uses { axioms }`: the axioms belong to the program as any others do.
    fn uses(&mut self) -> Parse<()> {
        self.expect(TokenKind::LeftBrace)?;
        while self.at(TokenKind::Axiom) {
            let start = self.bump().start;
            let axiom = self.clause(start, false)?;
            self.declare(Declaration::Axiom(axiom))?;
        }
        self.expect(TokenKind::RightBrace)?;
        Ok(())
    }

    fn function(&mut self) -> Parse<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let variables = self.type_variables()?;
        self.expect(TokenKind::LeftParen)?;
        let parameters = self.function_parameters()?;
        let result = if self.eat(TokenKind::Colon) {
            let start = self.token.start;
            let ty = self.ty()?;
            let span = self.span_from(start);
            VariableDeclaration { name: None, ty, where_clause: None, attributes: Vec::new(), span }
        } else {
            self.expect(TokenKind::Returns)?;
            self.expect(TokenKind::LeftParen)?;
            let result = self.function_parameter()?;
            self.expect(TokenKind::RightParen)?;
            result
        };
        let mut body = None;
        if self.eat(TokenKind::LeftBrace) {
            body = Some(self.expression()?);
            self.expect(TokenKind::RightBrace)?;
            if self.eat_word("uses") {
                self.uses()?;
            }
        } else if self.eat_word("uses") {
            self.uses()?;
        } else {
            self.expect(TokenKind::Semicolon)?;
        }
        let function = FunctionDeclaration { name, variables, parameters, result, body, attributes };
        self.declare(Declaration::Function(function))
    }

    /// Behind the opening parenthesis, with the closing one.
    fn function_parameters(&mut self) -> Parse<Vec<VariableDeclaration>> {
        let mut parameters: Vec<VariableDeclaration> = Vec::new();
        while !self.at(TokenKind::RightParen) {
            parameters.push(self.function_parameter()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        Ok(parameters)
    }

    /// `name: type` or `type`
    fn function_parameter(&mut self) -> Parse<VariableDeclaration> {
        let attributes = self.attributes()?;
        let start = self.token.start;
        let mut name = None;
        if self.at(TokenKind::Identifier) && self.peek() == TokenKind::Colon {
            name = Some(self.ident()?);
            self.bump();
        }
        let ty = self.ty()?;
        let span = self.span_from(start);
        Ok(VariableDeclaration { name, ty, where_clause: None, attributes, span })
    }

    /// Behind `var`, with the semicolon.
    fn variables(&mut self) -> Parse<Vec<VariableDeclaration>> {
        let mut variables = Vec::new();
        let attributes = self.attributes()?;
        loop {
            self.typed_names(&attributes, &mut variables)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon)?;
        Ok(variables)
    }

    /// `a, b: type where condition`
    fn typed_names(&mut self, outer: &[Attribute], variables: &mut Vec<VariableDeclaration>) -> Parse<()> {
        let mut attributes = outer.to_vec();
        attributes.extend(self.attributes()?);
        let names = self.idents()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        let where_clause = if self.eat(TokenKind::Where) { Some(self.expression()?) } else { None };
        variables.extend(names.into_iter().map(|name| VariableDeclaration {
            name: Some(name),
            ty,
            where_clause,
            attributes: attributes.clone(),
            span: name.span,
        }));
        Ok(())
    }

    /// `(a: type, …)`
    fn parameters(&mut self) -> Parse<Vec<VariableDeclaration>> {
        self.expect(TokenKind::LeftParen)?;
        let mut parameters = Vec::new();
        while !self.at(TokenKind::RightParen) {
            self.typed_names(&[], &mut parameters)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        Ok(parameters)
    }

    fn signature(&mut self) -> Parse<Signature> {
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let variables = self.type_variables()?;
        let parameters = self.parameters()?;
        let results = if self.eat(TokenKind::Returns) { self.parameters()? } else { Vec::new() };
        Ok(Signature { name, variables, parameters, results, attributes })
    }

    fn procedure(&mut self) -> Parse<()> {
        self.bump();
        let signature = self.signature()?;
        let without_body = self.eat(TokenKind::Semicolon);
        let mut procedure = ProcedureDeclaration {
            signature,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
        };
        self.specifications(&mut procedure)?;
        if !without_body {
            procedure.body = Some(self.body()?);
        }
        self.declare(Declaration::Procedure(procedure))
    }

    fn specifications(&mut self, procedure: &mut ProcedureDeclaration) -> Parse<()> {
        loop {
            let start = self.token.start;
            let free = self.eat(TokenKind::Free);
            match self.token.kind {
                TokenKind::Requires => {
                    self.bump();
                    let clause = self.clause(start, free)?;
                    procedure.requires.push(clause);
                }
                TokenKind::Ensures => {
                    self.bump();
                    let clause = self.clause(start, free)?;
                    procedure.ensures.push(clause);
                }
                TokenKind::Modifies => {
                    self.bump();
                    if !self.at(TokenKind::Semicolon) {
                        procedure.modifies.extend(self.idents()?);
                    }
                    self.expect(TokenKind::Semicolon)?;
                }
                _ if free => return Err(self.unexpected("`requires`, `ensures` or `modifies`")),
                _ => return Ok(()),
            }
        }
    }

    fn body(&mut self) -> Parse<Body> {
        self.expect(TokenKind::LeftBrace)?;
        let mut locals = Vec::new();
        while self.eat(TokenKind::Var) {
            locals.extend(self.variables()?);
        }
        let statements = self.statements()?;
        let end = self.span_from(self.last_end.saturating_sub(1));
        Ok(Body { locals, statements, end })
    }
}
