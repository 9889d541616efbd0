//! Where the source reaches an error, for tests that are made of counterexamples.

use crate::harness::Site;
use crate::options::{Letter, Property};
use crate::symbols::Symbols;
use crate::tree::{StmtKind, Tree};

/// The places where a program reaches an error of a property and does not call a function of the verifier for it.
pub fn sites(tree: &Tree, symbols: &Symbols, property: Property) -> Vec<Site> {
    let mut sites = Vec::new();
    for data in tree.functions.values() {
        let Some(body) = data.body else { continue };
        let span = tree.stmts[body].span;
        match (symbols.text(data.name), &data.parameters[..]) {
            (name, _) if property.errs_at_call(name) => sites.push(Site::Body(span)),
            ("assert" | "__VERIFIER_assert", [condition]) if property.errs_at(Letter::Assertion) => {
                let name = symbols.text(tree.variables[*condition].name).to_owned();
                sites.push(Site::Condition(span, name));
            }
            _ => {}
        }
    }
    for stmt in tree.stmts.values() {
        match &stmt.kind {
            StmtKind::Label(label, _) if property.errs_at_label(symbols.text(*label)) => {
                sites.push(Site::Label(stmt.span));
            }
            StmtKind::Assert(condition) if property.errs_at(Letter::Assertion) => {
                sites.push(Site::Annotation(tree.exprs[*condition].span));
            }
            _ => {}
        }
    }
    sites
}
