//! Declarations, their specifiers and initialisers, and the top level (C11 6.7, 6.9).

use super::declarators::{Naming, merge};
use super::keywords::Keyword;
use super::{MAX_LISTS, Parse, Parser, Word};
use crate::ast::{
    Aligned, Attributes, BaseWord, BasicWords, Declaration, Declarator, DeclaratorPart, Designator,
    EnumSpecifier, ExprId, FunctionDefinition, Init, InitDeclarator, InitItem, Item, MemberDeclaration,
    RecordSpecifier, Specifiers, SpecifiersId, Storage, TypeSpecifier,
};
use crate::lex::token::{Punct, TokenKind};
use base::{Diagnostic, Span};

/// A declaration, or the function that it turned out to be.
pub enum Declared {
    /// A declaration.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> Parse<()> {
        loop {
            let span = self.span();
            if self.token().kind == TokenKind::End {
                return Ok(());
            }
            if self.eat(Punct::Semicolon) {
                continue;
            }
            if self.is(Punct::AnnotationBegin) {
                self.global_annotation()?;
                continue;
            }
            let item = match self.keyword() {
                Some(Keyword::Asm) => {
                    self.advance();
                    self.skip_parentheses()?;
                    self.expect(Punct::Semicolon)?;
                    Item::Asm(span)
                }
                Some(Keyword::StaticAssert) => Item::StaticAssert(self.static_assert()?),
                Some(Keyword::PragmaPack) => {
                    self.pragma_pack()?;
                    continue;
                }
                _ => {
                    let mut contract = std::mem::take(&mut self.contract);
                    match self.declaration()? {
                        Declared::Declaration(mut declaration) => {
                            match declaration.declarators.first_mut() {
                                Some(first) => first.declarator.contract.append(&mut contract),
                                None => self.contract = contract,
                            }
                            Item::Declaration(declaration)
                        }
                        Declared::Function(mut function) => {
                            function.declarator.contract.append(&mut contract);
                            Item::Function(function)
                        }
                    }
                }
            };
            self.ast.items.push(item);
        }
    }

    /// Skips an annotation that is not an assertion, and remembers ghost code.
    pub(super) fn skip_annotation(&mut self) {
        let is_ghost =
            matches!(self.token_at(1).kind, TokenKind::Name(name) if self.symbols.text(name) == "ghost");
        if is_ghost {
            let span = self.span();
            self.ast.ghosts.push(span);
        }
        while self.token().kind != TokenKind::End && !self.eat(Punct::AnnotationEnd) {
            self.advance();
        }
    }

    /// The condition of a static assertion; its text need not be there.
    pub(super) fn static_assert(&mut self) -> Parse<ExprId> {
        self.advance();
        self.expect(Punct::OpenParen)?;
        let condition = self.conditional()?;
        if self.eat(Punct::Comma) {
            self.assignment()?;
        }
        self.expect(Punct::CloseParen)?;
        self.expect(Punct::Semicolon)?;
        Ok(condition)
    }

    /// `#pragma pack(…)`, as the preprocessor hands it on: `push`, `pop`, a number, or nothing.
    pub(super) fn pragma_pack(&mut self) -> Parse<()> {
        self.advance();
        let inside = self.skip_parentheses()?;
        let mut words = Vec::new();
        for token in inside {
            match token.kind {
                TokenKind::Name(text) | TokenKind::Number(text) => words.push(self.symbols.text(text)),
                _ => {}
            }
        }
        if words.is_empty() {
            self.pack = None;
        }
        for word in words {
            match word {
                "push" => self.packs.push(self.pack),
                "pop" => self.pack = self.packs.pop().flatten(),
                _ => {
                    if let Ok(size @ (0 | 1 | 2 | 4 | 8 | 16)) = word.parse() {
                        self.pack = Some(size).filter(|&size| size > 0);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the token `ahead` places further starts a type or a declaration.
    pub(super) fn starts_type_at(&self, ahead: usize) -> bool {
        match self.word_of(self.token_at(ahead)) {
            Word::Name(name) => self.typedefs[name],
            Word::Keyword(keyword) => starts_declaration(keyword),
            Word::Other => false,
        }
    }

    /// A declaration with its `;`, or a function with its body.
    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let specifiers = self.specifiers()?;
        let is_typedef = self.ast.specifiers[specifiers].storage == Storage::Typedef;
        let mut declarators = Vec::new();
        let mut more = !self.is(Punct::Semicolon);
        while more {
            let declarator = self.declarator(Naming::Named)?;
            if declarators.is_empty() && self.function_body_follows(&declarator) {
                return Ok(Declared::Function(self.function(specifiers, declarator)?));
            }
            if let Some(name) = declarator.name {
                self.declare(name, is_typedef);
            }
            let init = if self.eat(Punct::Assign) { Some(self.initialiser()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            more = self.eat(Punct::Comma);
        }
        self.expect(Punct::Semicolon)?;
        Ok(Declared::Declaration(Declaration { specifiers, declarators }))
    }

    fn function_body_follows(&self, declarator: &Declarator) -> bool {
        let Some(DeclaratorPart::Function(part)) = declarator.parts.first() else { return false };
        self.is(Punct::OpenBrace) || (!part.names.is_empty() && self.starts_type_at(0))
    }

    fn function(&mut self, specifiers: SpecifiersId, declarator: Declarator) -> Parse<FunctionDefinition> {
        if let Some(name) = declarator.name {
            self.declare(name, false);
        }
        self.open_scope();
        let mut old_style = Vec::new();
        if let Some(DeclaratorPart::Function(part)) = declarator.parts.first() {
            for parameter in &part.parameters {
                if let Some(name) = parameter.declarator.name {
                    self.declare(name, false);
                }
            }
            for &(name, _) in &part.names {
                self.declare(name, false);
            }
        }
        while !self.is(Punct::OpenBrace) {
            match self.declaration()? {
                Declared::Declaration(declaration) => old_style.push(declaration),
                Declared::Function(_) => return Err(self.unexpected("`{`")),
            }
        }
        let body = self.block()?;
        self.close_scope();
        Ok(FunctionDefinition { specifiers, declarator, old_style, body })
    }

    /// Declaration specifiers; possibly none, which means `int` in the old style.
    pub(super) fn specifiers(&mut self) -> Parse<SpecifiersId> {
        let start = self.span();
        let mut storage = Storage::None;
        let mut attributes = Attributes::default();
        let mut noreturn = false;
        let mut inline = false;
        let mut qualified = false;
        let mut constant = false;
        let mut volatile = false;
        let mut words = BasicWords::default();
        let mut other: Option<TypeSpecifier> = None;
        loop {
            let span = self.span();
            let keyword = match self.word() {
                Word::Name(name)
                    if self.typedefs[name] && other.is_none() && words == BasicWords::default() =>
                {
                    self.advance();
                    other = Some(TypeSpecifier::Named(name, span));
                    continue;
                }
                Word::Keyword(keyword) => keyword,
                _ if self.attributes(&mut attributes)? => continue,
                _ => break,
            };
            match keyword {
                Keyword::Typedef => storage = Storage::Typedef,
                Keyword::Extern => storage = Storage::Extern,
                Keyword::Static => storage = Storage::Static,
                Keyword::Auto => storage = Storage::Auto,
                Keyword::Inline => inline = true,
                Keyword::Const => (qualified, constant) = (true, true),
                Keyword::Volatile => (qualified, volatile) = (true, true),
                Keyword::Restrict | Keyword::Extension => {}
                Keyword::ThreadLocal => attributes.thread_local = true,
                Keyword::Noreturn => noreturn = true,
                Keyword::Atomic if !self.is_at(1, Punct::OpenParen) => {
                    attributes.atomic = true;
                    self.ast.atomics = true;
                }
                Keyword::Attribute => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                Keyword::Alignas => {
                    self.alignas(&mut attributes)?;
                    continue;
                }
                Keyword::Struct | Keyword::Union => {
                    other = Some(TypeSpecifier::Record(self.nested(Self::record)?));
                    continue;
                }
                Keyword::Enum => {
                    other = Some(TypeSpecifier::Enum(self.enumeration()?));
                    continue;
                }
                Keyword::Typeof | Keyword::Atomic => {
                    attributes.atomic |= keyword == Keyword::Atomic;
                    self.ast.atomics |= attributes.atomic;
                    other = Some(self.typeof_specifier()?);
                    continue;
                }
                Keyword::AutoType => other = Some(TypeSpecifier::Auto),
                _ => match add_word(words, keyword) {
                    Some(Ok(more)) => words = more,
                    Some(Err(message)) => return Err(Diagnostic::error(span, message)),
                    None => break,
                },
            }
            self.advance();
        }
        if other.is_some() && words != BasicWords::default() {
            return Err(Diagnostic::error(self.since(start), "two types in one declaration"));
        }
        let ty = other.unwrap_or(TypeSpecifier::Basic(words));
        let span = if self.span() == start { start } else { self.since(start) };
        let node =
            Specifiers { storage, ty, attributes, noreturn, qualified, constant, volatile, inline, span };
        Ok(self.ast.specifiers.push(node))
    }

    fn alignas(&mut self, attributes: &mut Attributes) -> Parse<()> {
        self.advance();
        self.expect(Punct::OpenParen)?;
        attributes.aligned = Some(if self.starts_type_at(0) {
            Aligned::Like(self.type_name()?)
        } else {
            Aligned::To(self.conditional()?)
        });
        self.expect(Punct::CloseParen)?;
        Ok(())
    }

    fn typeof_specifier(&mut self) -> Parse<TypeSpecifier> {
        self.advance();
        self.expect(Punct::OpenParen)?;
        let specifier = if self.starts_type_at(0) {
            TypeSpecifier::TypeofType(self.type_name()?)
        } else {
            TypeSpecifier::TypeofExpr(self.expression()?)
        };
        self.expect(Punct::CloseParen)?;
        Ok(specifier)
    }

    fn record(&mut self) -> Parse<RecordSpecifier> {
        let start = self.span();
        let is_union = self.keyword() == Some(Keyword::Union);
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = match self.word() {
            Word::Name(tag) => {
                self.advance();
                Some(tag)
            }
            _ => None,
        };
        let span = self.since(start);
        self.attributes(&mut attributes)?;
        let mut assertions = Vec::new();
        let mut members = None;
        if self.eat(Punct::OpenBrace) {
            members = Some(self.members(&mut assertions)?);
            self.attributes(&mut attributes)?;
            attributes.pack = self.pack;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(RecordSpecifier { is_union, tag, members, attributes, assertions, span })
    }

    fn members(&mut self, assertions: &mut Vec<ExprId>) -> Parse<Vec<MemberDeclaration>> {
        let mut members = Vec::new();
        while !self.eat(Punct::CloseBrace) {
            if self.eat(Punct::Semicolon) {
                continue;
            }
            if self.keyword() == Some(Keyword::StaticAssert) {
                assertions.push(self.static_assert()?);
                continue;
            }
            if self.keyword() == Some(Keyword::PragmaPack) {
                self.pragma_pack()?;
                continue;
            }
            let specifiers = self.specifiers()?;
            let mut declarators = Vec::new();
            while !self.is(Punct::Semicolon) && !self.is(Punct::CloseBrace) {
                if !declarators.is_empty() {
                    self.expect(Punct::Comma)?;
                }
                let mut declarator = if self.is(Punct::Colon) {
                    let span = self.span();
                    Declarator {
                        name: None,
                        parts: Vec::new(),
                        attributes: Attributes::default(),
                        contract: Vec::new(),
                        span,
                    }
                } else {
                    self.declarator(Naming::Named)?
                };
                let width = if self.eat(Punct::Colon) { Some(self.conditional()?) } else { None };
                let mut attributes = Attributes::default();
                self.attributes(&mut attributes)?;
                merge(&mut declarator.attributes, attributes);
                declarators.push((declarator, width));
            }
            if !self.is(Punct::CloseBrace) {
                self.expect(Punct::Semicolon)?;
            }
            members.push(MemberDeclaration { specifiers, declarators });
        }
        Ok(members)
    }

    fn enumeration(&mut self) -> Parse<EnumSpecifier> {
        let start = self.span();
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = match self.word() {
            Word::Name(tag) => {
                self.advance();
                Some(tag)
            }
            _ => None,
        };
        let span: Span = self.since(start);
        let mut constants = None;
        if self.eat(Punct::OpenBrace) {
            let mut list = Vec::new();
            while !self.eat(Punct::CloseBrace) {
                let (name, span) = self.name()?;
                let mut ignored = Attributes::default();
                self.attributes(&mut ignored)?;
                let value = if self.eat(Punct::Assign) { Some(self.conditional()?) } else { None };
                self.declare(name, false);
                list.push((name, span, value));
                if !self.eat(Punct::Comma) && !self.is(Punct::CloseBrace) {
                    return Err(self.unexpected("`,` or `}`"));
                }
            }
            self.attributes(&mut attributes)?;
            constants = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(EnumSpecifier { tag, constants, attributes, span })
    }

    /// An initialiser: an expression or a list.
    pub(super) fn initialiser(&mut self) -> Parse<Init> {
        if !self.is(Punct::OpenBrace) {
            return Ok(Init::Expr(self.assignment()?));
        }
        if self.lists >= MAX_LISTS {
            let message = format!("initialisers are nested more than {MAX_LISTS} levels deep here");
            return Err(Diagnostic::error(self.span(), message));
        }
        self.lists += 1;
        let list = self.nested(|this| {
            let start = this.expect(Punct::OpenBrace)?;
            let mut items = Vec::new();
            while !this.eat(Punct::CloseBrace) {
                let designators = this.designators()?;
                let init = this.initialiser()?;
                items.push(InitItem { designators, init });
                if !this.eat(Punct::Comma) && !this.is(Punct::CloseBrace) {
                    return Err(this.unexpected("`,` or `}`"));
                }
            }
            Ok(Init::List(items, this.since(start)))
        });
        self.lists -= 1;
        list
    }

    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        // The old GNU form `name: value`.
        if let Word::Name(name) = self.word()
            && self.is_at(1, Punct::Colon)
        {
            let span = self.span();
            self.advance();
            self.advance();
            return Ok(vec![Designator::Field(name, span)]);
        }
        loop {
            if self.eat(Punct::Dot) {
                let (name, span) = self.name()?;
                designators.push(Designator::Field(name, span));
            } else if self.eat(Punct::OpenBracket) {
                let first = self.conditional()?;
                let designator = if self.eat(Punct::Ellipsis) {
                    Designator::Range(first, self.conditional()?)
                } else {
                    Designator::Index(first)
                };
                designators.push(designator);
                self.expect(Punct::CloseBracket)?;
            } else {
                break;
            }
        }
        // `[3] value` without `=` is an old GNU form.
        if !designators.is_empty() {
            self.eat(Punct::Assign);
        }
        Ok(designators)
    }
}

fn starts_declaration(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(
        keyword,
        Alignas
            | Atomic
            | Attribute
            | Auto
            | AutoType
            | Bool
            | Char
            | Complex
            | Const
            | Double
            | Enum
            | Extern
            | Float
            | Float128
            | Inline
            | Int
            | Int128
            | Long
            | Noreturn
            | Restrict
            | Short
            | Signed
            | Static
            | Struct
            | ThreadLocal
            | Typedef
            | Typeof
            | Uint128
            | Union
            | Unsigned
            | VaList
            | Void
            | Volatile
    )
}

/// Adds a basic type word. `None` if the keyword is not one.
fn add_word(mut words: BasicWords, keyword: Keyword) -> Option<Result<BasicWords, &'static str>> {
    let base = match keyword {
        Keyword::Signed => {
            words.signed = true;
            None
        }
        Keyword::Unsigned => {
            words.unsigned = true;
            None
        }
        Keyword::Short => {
            words.short = true;
            None
        }
        Keyword::Long => {
            words.long += 1;
            if words.long > 2 {
                return Some(Err("`long long long` is too long"));
            }
            None
        }
        Keyword::Complex => {
            words.complex = true;
            None
        }
        Keyword::Void => Some(BaseWord::Void),
        Keyword::Char => Some(BaseWord::Char),
        Keyword::Int => Some(BaseWord::Int),
        Keyword::Int128 => Some(BaseWord::Int128),
        Keyword::Uint128 => {
            words.unsigned = true;
            Some(BaseWord::Int128)
        }
        Keyword::Bool => Some(BaseWord::Bool),
        Keyword::Float => Some(BaseWord::Float),
        Keyword::Double => Some(BaseWord::Double),
        Keyword::Float128 => Some(BaseWord::Float128),
        Keyword::VaList => Some(BaseWord::VaList),
        _ => return None,
    };
    if let Some(base) = base {
        if words.base.is_some() {
            return Some(Err("two types in one declaration"));
        }
        words.base = Some(base);
    }
    Some(Ok(words))
}
