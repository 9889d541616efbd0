//! Where the source reaches an error, for tests that are made of counterexamples.

use super::statements::ERROR_LABEL;
use crate::harness::Site;
use crate::options::Property;
use crate::symbols::Symbols;
use crate::tree::{StmtKind, Tree};

/// The places where a program reaches an error of a property and does not call a function of the verifier for it.
pub fn sites(tree: &Tree, symbols: &Symbols, property: Property) -> Vec<Site> {
    let mut sites = Vec::new();
    for data in tree.functions.values() {
        let Some(body) = data.body else { continue };
        let span = tree.stmts[body].span;
        match (symbols.text(data.name), property, &data.parameters[..]) {
            ("reach_error" | "__VERIFIER_error", Property::UnreachCall, _) => sites.push(Site::Body(span)),
            ("assert" | "__VERIFIER_assert", Property::Assert, [condition]) => {
                let name = symbols.text(tree.variables[*condition].name).to_owned();
                sites.push(Site::Condition(span, name));
            }
            _ => {}
        }
    }
    for stmt in tree.stmts.values() {
        match (&stmt.kind, property) {
            (StmtKind::Label(label, _), Property::UnreachLabel) if symbols.text(*label) == ERROR_LABEL => {
                sites.push(Site::Label(stmt.span));
            }
            (StmtKind::Assert(condition), Property::Assert) => {
                sites.push(Site::Annotation(tree.exprs[*condition].span));
            }
            _ => {}
        }
    }
    sites
}
