//! What a Boogie file declares and where: for symbols, definitions, folding, and where annotations are inserted.
//!
//! Declarations with mistakes are missing, the others are there, so the outline is useful while one types. Linear.

use base::{EntityRef, FileId, SourceMap, Span};
use boogie::ast::{Ast, Body, Declaration, Signature, StatementKind, VariableDeclaration};
use boogie::lexer::Lexer;
use boogie::tokens::TokenKind;

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Symbol {
    pub(super) name: String,
    /// The number that the protocol has for its kind.
    pub(super) kind: u32,
    /// The bytes of the name.
    pub(super) place: (usize, usize),
    /// Where it can be seen; everywhere if nothing is said.
    pub(super) scope: Option<(usize, usize)>,
    /// All of it, from its name on.
    pub(super) extent: (usize, usize),
}

const FUNCTION: u32 = 12;
const METHOD: u32 = 6;
const VARIABLE: u32 = 13;
const CONSTANT: u32 = 14;
const CLASS: u32 = 5;
const CONSTRUCTOR: u32 = 9;

/// What a file declares.
#[derive(Clone, Default, Debug)]
pub(super) struct Outline {
    pub(super) symbols: Vec<Symbol>,
    /// The heads of loops, up to where an invariant may follow.
    pub(super) loops: Vec<(usize, usize)>,
}

impl Outline {
    pub(super) fn of_boogie(text: &str) -> Outline {
        let mut sources = SourceMap::new();
        let file = sources.add("", "");
        debug_assert_eq!(file, FileId::new(0));
        let parsed = boogie::parse(file, text);
        let mut outline = Outline::default();
        for declaration in &parsed.ast.declarations {
            outline.declaration(&parsed.ast, declaration);
        }
        let heads =
            parsed.ast.statements.values().filter(|it| matches!(it.kind, StatementKind::While { .. }));
        outline.loops = heads.map(|statement| bytes(statement.span)).collect();
        outline
    }

    fn add(&mut self, ast: &Ast<'_>, ident: boogie::ast::Ident, kind: u32, scope: Option<(usize, usize)>) {
        let place = bytes(ident.span);
        let name = ast.name(ident.symbol).to_owned();
        self.symbols.push(Symbol { name, kind, place, scope, extent: place });
    }

    fn declaration(&mut self, ast: &Ast<'_>, declaration: &Declaration) {
        match declaration {
            Declaration::Type(data) => {
                self.add(ast, data.name, CLASS, None);
                for constructor in data.constructors.iter().flatten() {
                    self.add(ast, constructor.name, CONSTRUCTOR, None);
                }
            }
            Declaration::Constant(data) => {
                for &name in &data.names {
                    self.add(ast, name, CONSTANT, None);
                }
            }
            Declaration::Function(data) => {
                self.add(ast, data.name, FUNCTION, None);
                let end = data.body.map_or(bytes(data.result.span).1, |body| bytes(ast.exprs[body].span).1);
                let scope = (bytes(data.name.span).0, end);
                self.variables(ast, &data.parameters, scope);
            }
            Declaration::Axiom(_) => {}
            Declaration::Variable(data) => {
                if let Some(name) = data.name {
                    self.add(ast, name, VARIABLE, None);
                }
            }
            Declaration::Procedure(data) => self.procedure(ast, &data.signature, data.body.as_ref()),
            Declaration::Implementation(signature, body) => self.procedure(ast, signature, Some(body)),
        }
    }

    fn procedure(&mut self, ast: &Ast<'_>, signature: &Signature, body: Option<&Body>) {
        let start = bytes(signature.name.span);
        let end = body.map_or(start.1, |body| bytes(body.end).1);
        let scope = (start.0, end);
        self.add(ast, signature.name, METHOD, None);
        if let Some(symbol) = self.symbols.last_mut() {
            symbol.extent = scope;
        }
        self.variables(ast, &signature.parameters, scope);
        self.variables(ast, &signature.results, scope);
        if let Some(body) = body {
            self.variables(ast, &body.locals, scope);
        }
    }

    fn variables(&mut self, ast: &Ast<'_>, variables: &[VariableDeclaration], scope: (usize, usize)) {
        for name in variables.iter().filter_map(|variable| variable.name) {
            self.add(ast, name, VARIABLE, Some(scope));
        }
    }

    /// The declaration that a name means at a place: the innermost in whose scope the place is; of several, one with a body.
    pub(super) fn find(&self, name: &str, offset: usize) -> Option<&Symbol> {
        let named = || self.symbols.iter().filter(|symbol| symbol.name == name);
        let local =
            named().find(|symbol| symbol.scope.is_some_and(|(start, end)| start <= offset && offset < end));
        local.or_else(|| {
            named()
                .filter(|symbol| symbol.scope.is_none())
                .max_by_key(|symbol| symbol.extent.1 - symbol.extent.0)
        })
    }

    /// The names of procedures, with their places.
    pub(super) fn procedures(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(|symbol| symbol.kind == METHOD)
    }
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

/// The bytes of braces that belong together, for folding.
pub(super) fn braces(text: &str) -> Vec<(usize, usize)> {
    let mut lexer = Lexer::new(text);
    let (mut open, mut found) = (Vec::new(), Vec::new());
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End => return found,
            TokenKind::LeftBrace => open.push(token.start as usize),
            TokenKind::RightBrace => found.extend(open.pop().map(|start| (start, token.start as usize))),
            _ => {}
        }
    }
}

/// Behind which byte the clauses of a procedure begin, if its name is at `start`: behind its parameters and results.
pub(super) fn behind_signature(text: &str, start: usize) -> Option<usize> {
    let mut lexer = Lexer::new(text.get(start..)?);
    let mut depth = 0usize;
    let mut end = None;
    let mut more = true;
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::LeftParen => depth += 1,
            TokenKind::RightParen => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    end = Some(start + token.end as usize);
                    more = false;
                }
            }
            TokenKind::Returns if depth == 0 => more = true,
            TokenKind::End => return None,
            _ if depth == 0 && !more => return end,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "var g: int;\nprocedure p(x: int) returns (r: int)\n  modifies g;\n{\n  var g2: int;\n  while (x > 0) { call r := p(g); }\n}\n";

    #[test]
    fn names_mean_the_innermost_declaration() {
        let outline = Outline::of_boogie(TEXT);
        let at = TEXT.find("x > 0").expect("there");
        assert_eq!(outline.find("x", at).expect("x").place.0, TEXT.find("x: int").expect("there"));
        assert_eq!(outline.find("g", at).expect("g").place.0, 4);
        assert!(outline.find("x", 0).is_none());
        assert_eq!(outline.procedures().count(), 1);
        assert_eq!(&TEXT[outline.loops[0].0..outline.loops[0].1], "while (x > 0)");
    }

    #[test]
    fn clauses_follow_the_signature() {
        let end = behind_signature(TEXT, TEXT.find("p(x").expect("there")).expect("a place");
        assert!(TEXT[..end].ends_with("returns (r: int)"));
        assert_eq!(braces(TEXT).len(), 2);
    }
}
