//! Declarators, parameters and type names (C11 6.7.6, 6.7.7).

use super::keywords::Keyword;
use super::{Parse, Parser, Word};
use crate::ast::{
    Aligned, Attributes, Declarator, DeclaratorPart, FunctionPart, Parameter, Priority, TypeName, TypeNameId,
};
use crate::lex::token::{Punct, TokenKind};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// It must have one.
    Named,
    /// It may have one: parameters.
    Optional,
    /// It has none: type names.
    Abstract,
}

impl Parser<'_> {
    /// A type name, as in casts.
    pub(super) fn type_name(&mut self) -> Parse<TypeNameId> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(Naming::Abstract)?;
        Ok(self.ast.type_names.push(TypeName { specifiers, declarator }))
    }

    /// A declarator with its attributes.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        self.nested(|this| this.declarator_inside(naming))
    }

    fn declarator_inside(&mut self, naming: Naming) -> Parse<Declarator> {
        let mut attributes = Attributes::default();
        let mut pointers = Vec::new();
        loop {
            self.attributes(&mut attributes)?;
            if self.eat(Punct::Star) || self.eat(Punct::Caret) {
                let from = self.next;
                self.qualifiers(&mut attributes)?;
                let said = |word| (from..self.next).any(|at| self.keyword_at(at) == Some(word));
                let (constant, volatile) = (said(Keyword::Const), said(Keyword::Volatile));
                let atomic = said(Keyword::Atomic);
                pointers.push(DeclaratorPart::Pointer { constant, volatile, atomic });
            } else {
                break;
            }
        }
        let mut span = self.span();
        let mut name = None;
        let mut parts = Vec::new();
        match self.word() {
            Word::Name(found) if naming != Naming::Abstract => {
                self.advance();
                name = Some(found);
            }
            _ if self.is(Punct::OpenParen)
                && (naming == Naming::Named || self.nested_declarator_follows()) =>
            {
                self.advance();
                let inner = self.declarator(naming)?;
                self.expect(Punct::CloseParen)?;
                (name, parts, span) = (inner.name, inner.parts, inner.span);
                merge(&mut attributes, inner.attributes);
            }
            _ if naming == Naming::Named => return Err(self.unexpected("a name")),
            _ => {}
        }
        loop {
            if self.eat(Punct::OpenBracket) {
                parts.push(self.array_part()?);
            } else if self.eat(Punct::OpenParen) {
                parts.push(DeclaratorPart::Function(self.function_part()?));
            } else {
                break;
            }
        }
        parts.extend(pointers.into_iter().rev());
        let mut contract = Vec::new();
        loop {
            if naming == Naming::Named && self.starts_clause() {
                contract.push(self.cprover_clause()?);
            } else if self.is(Punct::AnnotationBegin)
                && matches!(parts.first(), Some(DeclaratorPart::Function(_)))
            {
                // ACSL has its contracts before the function; here other tools have theirs.
                self.ast.foreign_annotations.push(self.span());
                self.skip_annotation();
            } else if self.keyword() == Some(Keyword::Asm) {
                self.advance();
                let inside = self.skip_parentheses()?;
                // In pieces it is a matter of macros, and the last one is the name.
                if let Some(TokenKind::Text(label)) = inside.last().map(|token| token.kind) {
                    attributes.label = Some(label);
                }
            } else if !self.attributes(&mut attributes)? {
                break;
            }
        }
        Ok(Declarator { name, parts, attributes, contract, span })
    }

    /// Behind an optional name: does `(` open a nested declarator, or parameters?
    fn nested_declarator_follows(&self) -> bool {
        let next = self.token_at(1);
        match next.kind {
            TokenKind::Punct(Punct::Star | Punct::OpenParen | Punct::OpenBracket | Punct::Caret) => true,
            TokenKind::Name(_) => match self.word_of(next) {
                Word::Keyword(keyword) => keyword == Keyword::Attribute,
                Word::Name(name) => !self.typedefs[name],
                Word::Other => false,
            },
            _ => false,
        }
    }

    fn array_part(&mut self) -> Parse<DeclaratorPart> {
        let mut ignored = Attributes::default();
        while self.eat_keyword(Keyword::Static) || self.qualifiers(&mut ignored)? {}
        let unspecified =
            self.is(Punct::CloseBracket) || (self.is(Punct::Star) && self.is_at(1, Punct::CloseBracket));
        if unspecified {
            self.eat(Punct::Star);
        }
        let size = if unspecified { None } else { Some(self.assignment()?) };
        self.expect(Punct::CloseBracket)?;
        Ok(DeclaratorPart::Array(size))
    }

    /// Parameters behind the `(`, with the `)`.
    fn function_part(&mut self) -> Parse<FunctionPart> {
        let mut part =
            FunctionPart { parameters: Vec::new(), variadic: false, unspecified: false, names: Vec::new() };
        if self.eat(Punct::CloseParen) {
            part.unspecified = true;
            return Ok(part);
        }
        let old_style = matches!(self.word(), Word::Name(name) if !self.typedefs[name])
            && (self.is_at(1, Punct::Comma) || self.is_at(1, Punct::CloseParen));
        if old_style {
            part.unspecified = true;
            loop {
                part.names.push(self.name()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::CloseParen)?;
            return Ok(part);
        }
        if self.keyword() == Some(Keyword::Void) && self.is_at(1, Punct::CloseParen) {
            self.advance();
            self.advance();
            return Ok(part);
        }
        self.open_scope();
        loop {
            if self.eat(Punct::Ellipsis) {
                part.variadic = true;
                break;
            }
            let specifiers = self.specifiers()?;
            let declarator = self.declarator(Naming::Optional)?;
            if let Some(name) = declarator.name {
                self.declare(name, false);
            }
            part.parameters.push(Parameter { specifiers, declarator });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close_scope();
        self.expect(Punct::CloseParen)?;
        Ok(part)
    }

    /// Skips qualifiers, and reads attributes, behind a `*`. True if there was something.
    fn qualifiers(&mut self, attributes: &mut Attributes) -> Parse<bool> {
        let mut found = false;
        loop {
            match self.keyword() {
                Some(Keyword::Const | Keyword::Volatile | Keyword::Restrict | Keyword::Extension) => {
                    self.advance();
                }
                Some(Keyword::Atomic) => {
                    self.ast.atomics = true;
                    self.advance();
                }
                _ if self.attributes(attributes)? => {}
                _ => return Ok(found),
            }
            found = true;
        }
    }

    /// Whether attributes are next.
    pub(super) fn starts_attributes(&self) -> bool {
        self.keyword() == Some(Keyword::Attribute) || self.starts_c23_attributes()
    }

    fn starts_c23_attributes(&self) -> bool {
        self.is(Punct::OpenBracket) && self.is_at(1, Punct::OpenBracket)
    }

    /// Reads `__attribute__((…))` and `[[…]]` if some are there.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Parse<bool> {
        let mut found = false;
        while self.starts_attributes() {
            found = true;
            if self.starts_c23_attributes() {
                self.c23_attributes(into)?;
                continue;
            }
            self.advance();
            self.expect(Punct::OpenParen)?;
            self.expect(Punct::OpenParen)?;
            while !self.eat(Punct::CloseParen) {
                if !self.eat(Punct::Comma) {
                    self.attribute(into)?;
                }
            }
            self.expect(Punct::CloseParen)?;
        }
        Ok(found)
    }

    /// Attributes in brackets (C23 6.7.13). Of the standard ones `noreturn` means something to us; those with the prefix `gnu` are gcc's
    /// own; all others compilers may ignore.
    fn c23_attributes(&mut self, into: &mut Attributes) -> Parse<()> {
        self.expect(Punct::OpenBracket)?;
        self.expect(Punct::OpenBracket)?;
        while !self.eat(Punct::CloseBracket) {
            if self.eat(Punct::Comma) {
                continue;
            }
            let TokenKind::Name(name) = self.token().kind else {
                return Err(self.unexpected("an attribute"));
            };
            let text = self.symbols.text(name).trim_matches('_').to_owned();
            let prefixed = self.is_at(1, Punct::Colon) && self.is_at(2, Punct::Colon);
            if prefixed {
                self.advance();
                self.advance();
                self.advance();
            }
            if text == "gnu" && prefixed || text.eq_ignore_ascii_case("noreturn") {
                self.attribute(into)?;
                continue;
            }
            self.advance();
            if self.is(Punct::OpenParen) {
                self.skip_parentheses()?;
            }
        }
        self.expect(Punct::CloseBracket)?;
        Ok(())
    }

    fn attribute(&mut self, into: &mut Attributes) -> Parse<()> {
        let TokenKind::Name(name) = self.token().kind else { return Err(self.unexpected("an attribute")) };
        self.advance();
        let arguments = self.is(Punct::OpenParen);
        match self.symbols.text(name).trim_matches('_') {
            "packed" => into.packed = true,
            "noreturn" | "Noreturn" => into.noreturn = true,
            crate::entries::MADE => into.made = true,
            "vector_size" if arguments => {
                self.advance();
                into.vector = Some(self.assignment()?);
                self.expect(Punct::CloseParen)?;
                return Ok(());
            }
            kind @ ("constructor" | "destructor") => {
                let mut priority = Priority::Default;
                if arguments {
                    self.advance();
                    priority = Priority::Given(self.assignment()?);
                    self.expect(Punct::CloseParen)?;
                }
                *(if kind == "constructor" { &mut into.constructor } else { &mut into.destructor }) =
                    Some(priority);
                return Ok(());
            }
            "scalar_storage_order" | "ms_struct" | "cleanup" | "ifunc" | "weakref" | "ext_vector_type" => {
                into.refused.get_or_insert(name);
            }
            "aligned" if !arguments => into.aligned = Some(Aligned::Largest),
            "aligned" => {
                self.advance();
                into.aligned = Some(Aligned::To(self.assignment()?));
                self.expect(Punct::CloseParen)?;
                return Ok(());
            }
            "alias" if arguments => {
                if let TokenKind::Text(target) = self.token_at(1).kind {
                    into.alias = Some(target);
                }
            }
            "annotate" if arguments => {
                let TokenKind::Text(text) = self.token_at(1).kind else {
                    return self.skip_parentheses().map(|_| ());
                };
                into.contract |= self.symbols.text(text) == "\"__ESBMC_contract\"";
            }
            "mode" if arguments => {
                if let TokenKind::Name(mode) = self.token_at(1).kind {
                    into.mode = Some(mode);
                }
            }
            _ => {}
        }
        if arguments {
            self.skip_parentheses()?;
        }
        Ok(())
    }
}

/// Adds what other attributes said.
pub fn merge(into: &mut Attributes, other: Attributes) {
    into.packed |= other.packed;
    into.noreturn |= other.noreturn;
    into.made |= other.made;
    into.contract |= other.contract;
    into.vector = other.vector.or(into.vector);
    into.label = other.label.or(into.label);
    into.constructor = other.constructor.or(into.constructor);
    into.destructor = other.destructor.or(into.destructor);
    into.refused = other.refused.or(into.refused);
    into.aligned = other.aligned.or(into.aligned);
    into.mode = other.mode.or(into.mode);
    into.alias = other.alias.or(into.alias);
}
