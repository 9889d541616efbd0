//! The strings that `printf` and its relatives print (C11 7.21.6.1): each has to end.
//!
//! Where the format is a literal, an argument of a conversion `%s` without a precision that is no literal itself is handed to a model
//! that looks for the end of the text, if accesses to memory are checked. A null pointer is let through, for which libraries print a text of their own.
//!
//! The arguments of the program end when it begins. Where nobody can have changed them, as in a program that prints how it is called, nothing is looked for.

use super::{Check, Checker, Entity};
use crate::ast::{self, Ast, DeclaratorPart, Item};
use crate::symbols::{Symbol, Symbols};
use crate::tree::{ExprId, ExprKind, Init};
use rustc_hash::FxHashSet;

/// Functions of the library that read the texts among their arguments, do not change them, and keep and return no pointer to them.
const READING: &[&str] = &[
    "access",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "dprintf",
    "fopen",
    "fprintf",
    "fputs",
    "open",
    "perror",
    "printf",
    "puts",
    "remove",
    "strcasecmp",
    "strcmp",
    "strlen",
    "strncasecmp",
    "strncmp",
    "unlink",
];

/// The name of the second parameter of `main`, if the texts that it leads to are as they were when the program began: each mention of the
/// name, in whatever function, is that of an element that is handed to one of [`READING`], and nobody calls `main` or has its address.
pub(super) fn untouched_arguments(
    units: &[Ast],
    symbols: &Symbols,
    defined: &FxHashSet<Symbol>,
) -> Option<Symbol> {
    let main = symbols.get("main")?;
    let own = || units.iter().filter(|unit| !unit.models);
    let definition = |item: &Item| match item {
        Item::Function(function) if function.declarator.name == Some(main) => {
            let Some(DeclaratorPart::Function(part)) = function.declarator.parts.first() else { return None };
            part.parameters.get(1)?.declarator.name
        }
        _ => None,
    };
    let name = own().flat_map(|unit| &unit.items).find_map(definition)?;
    own().all(|unit| only_reads(unit, symbols, defined, (main, name))).then_some(name)
}

fn only_reads(
    unit: &Ast,
    symbols: &Symbols,
    defined: &FxHashSet<Symbol>,
    (main, name): (Symbol, Symbol),
) -> bool {
    let mut read: FxHashSet<ast::ExprId> = FxHashSet::default();
    for expr in unit.exprs.values() {
        let ast::ExprKind::Call(callee, given) = &expr.kind else { continue };
        let ast::ExprKind::Name(function) = unit.exprs[*callee].kind else { continue };
        if defined.contains(&function) || !READING.contains(&symbols.text(function)) {
            continue;
        }
        read.extend(given.iter().filter_map(|&argument| match unit.exprs[argument].kind {
            ast::ExprKind::Index(array, _) => Some(array),
            _ => None,
        }));
    }
    unit.exprs.iter().all(|(id, expr)| match expr.kind {
        ast::ExprKind::Name(mentioned) => mentioned != main && (mentioned != name || read.contains(&id)),
        _ => true,
    })
}

/// The numbers of the arguments behind a format that are printed up to their end.
fn whole_texts(units: &[u32]) -> Vec<usize> {
    let mut rest =
        units.iter().map_while(|&unit| char::from_u32(unit).filter(|&unit| unit != '\0')).peekable();
    let (mut found, mut number) = (Vec::new(), 0);
    while let Some(character) = rest.next() {
        if character != '%' {
            continue;
        }
        let (mut precise, mut wide) = (false, false);
        for letter in rest.by_ref() {
            match letter {
                '*' => number += 1,
                '.' => precise = true,
                'l' | 'h' | 'L' | 'q' | 'j' | 'z' | 't' => wide = true,
                '$' => return Vec::new(),
                '%' | 'm' => break,
                _ if letter.is_ascii_digit() || "-+ #'I".contains(letter) => {}
                _ => {
                    if letter == 's' && !precise && !wide {
                        found.push(number);
                    }
                    number += 1;
                    break;
                }
            }
        }
    }
    found
}

impl Checker<'_> {
    /// The arguments of a call of a function that prints, with a look at the texts among them.
    pub(super) fn look_at_texts(
        &mut self,
        callee: ast::ExprId,
        given: &[ast::ExprId],
        arguments: &mut [ExprId],
    ) -> Check<()> {
        let ast::ExprKind::Name(name) = self.ast.exprs[callee].kind else { return Ok(()) };
        let text = self.symbols.text(name);
        let at = match text.strip_prefix("__builtin_").unwrap_or(text) {
            "printf" => 0,
            "fprintf" | "dprintf" => 1,
            _ => return Ok(()),
        };
        if self.defined.contains(&name) || self.function.is_none() || self.ast.models {
            return Ok(());
        }
        let Some(units) = arguments.get(at).and_then(|&format| self.literal_units(format)) else {
            return Ok(());
        };
        for number in whole_texts(&units) {
            let index = at + 1 + number;
            let (Some(&argument), Some(&written)) = (arguments.get(index), given.get(index)) else {
                continue;
            };
            let ty = self.ty(argument);
            let character = self.tree.types.pointee(ty).and_then(|to| self.tree.types.int_kind(to));
            let is_text = character.is_some_and(|kind| kind.is_character());
            let ends = matches!(self.ast.exprs[written].kind, ast::ExprKind::Text(_));
            if !is_text || ends || self.is_untouched_argument(written) {
                continue;
            }
            let span = self.span(argument);
            let held = self.hidden_variable("printed", ty, span);
            let literal = ExprKind::CompoundLiteral(held, Box::new(Init::Whole(argument)));
            let literal = self.expr_node(literal, ty, span);
            let first = self.value_of(literal)?;
            let char_pointer = self.tree.types.pointer(self.tree.types.char);
            let first = self.convert(first, char_pointer, span)?;
            let looks = self.helper_call("__unreach_printed_ends", vec![first], span)?;
            let place = self.expr_node(ExprKind::Variable(held), ty, span);
            let again = self.value_of(place)?;
            arguments[index] = self.expr_node(ExprKind::Comma(looks, again), ty, span);
        }
        Ok(())
    }

    /// Whether an expression is an argument of the program that nobody has changed.
    fn is_untouched_argument(&self, written: ast::ExprId) -> bool {
        let ast::ExprKind::Index(array, _) = self.ast.exprs[written].kind else { return false };
        let ast::ExprKind::Name(name) = self.ast.exprs[array].kind else { return false };
        let Some(function) = self.function.filter(|_| self.untouched == Some(name)) else { return false };
        let data = &self.tree.functions[function];
        let parameter = data.parameters.get(1).filter(|_| self.symbols.text(data.name) == "main");
        matches!((self.names.get(&name), parameter), (Some(Entity::Variable(var)), Some(parameter)) if var == parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let of = |text: &str| whole_texts(&text.chars().map(u32::from).collect::<Vec<_>>());
        assert_eq!(of("%s %5.2f%% %-8s"), [0, 2]);
        assert_eq!(of("%.3s %*d %ls %s"), [4]);
        assert_eq!(of("100%"), [] as [usize; 0]);
    }
}
