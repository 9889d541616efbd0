//! Statements as blocks of the intermediate language (SV-LIB 1.0, Section 5).

use crate::back::StepMark;
use crate::body::{Draft, Slot};
use crate::builder::Builder;
use crate::problem::{Problem, mistake};
use crate::properties::{Attributes, Claim};
use crate::symbols::{KeptAt, Named, Scope};
use crate::syntax::{Document, Node};
use crate::terms::deep;
use base::Span;
use ir::{Block, Expr, StatementKind, Transfer, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where `continue` and `break` lead.
#[derive(Clone, Copy)]
struct Loop {
    next: Block,
    exit: Block,
}

/// The body of one procedure.
pub(crate) struct Lowering<'b, 'd> {
    pub(crate) builder: &'b mut Builder<'d>,
    /// The number of the procedure.
    pub(crate) procedure: usize,
    pub(crate) command: usize,
    pub(crate) scope: Scope,
    pub(crate) draft: Draft,
    labels: FxHashMap<String, Block>,
    placed: FxHashSet<String>,
    jumps: Vec<(String, Span)>,
    loops: Vec<Loop>,
    /// Where the procedure returns.
    pub(crate) exit: Block,
}

impl<'b, 'd> Lowering<'b, 'd> {
    /// Drafts the body of a procedure.
    pub(crate) fn lower(builder: &'b mut Builder<'d>, procedure: usize) -> Result<Draft, Problem> {
        let declared = &builder.procedures[procedure];
        let (command, body) = (declared.command, declared.body);
        let scope = Scope {
            command,
            locals: declared.scope.clone(),
            has_state: true,
            procedure: Some(declared.id),
            ..Scope::default()
        };
        let mut draft = Draft::default();
        let entry = draft.new_block();
        let exit = draft.new_block();
        draft.start(entry);
        let labels = labels(builder.document, body, &mut draft);
        let mut lowering = Lowering {
            builder,
            procedure,
            command,
            scope,
            draft,
            labels,
            placed: FxHashSet::default(),
            jumps: Vec::new(),
            loops: Vec::new(),
            exit,
        };
        lowering.whole(body)?;
        if let Some((label, span)) = lowering.jumps.iter().find(|(label, _)| !lowering.placed.contains(label))
        {
            return Err(mistake(*span, format!("there is no label `{label}` in this procedure")));
        }
        Ok(lowering.draft)
    }

    fn whole(&mut self, body: Node) -> Result<(), Problem> {
        let (base, attributes) = self.builder.annotated(body, self.command)?;
        let span = self.builder.document.span(base);
        // What the whole body requires and ensures is the contract of the procedure, and what it decreases its rank,
        // unless it is a loop.
        let is_head = self.is_head(base);
        let is_contract = |claim: &Claim| match claim {
            Claim::Requires(_) | Claim::Ensures(_) => true,
            Claim::Decreases(_) => !is_head,
            _ => false,
        };
        let (mut contract, mut others) = (attributes.clone(), attributes);
        contract.properties.retain(|property| is_contract(&property.claim));
        others.properties.retain(|property| !is_contract(&property.claim));
        self.entered(&contract, span)?;
        if !is_head {
            self.visited(&others, span);
        }
        self.base(base, &others)?;
        self.draft.jump(self.exit, span);
        self.draft.start(self.exit);
        self.left(&contract, span)?;
        self.draft.transfer(Transfer::Return, span);
        Ok(())
    }

    /// Whether a statement is visited by jumps to it, and not only from above.
    fn is_head(&self, base: Node) -> bool {
        matches!(self.builder.document.headed(base), Some(("while" | "label", _)))
    }

    fn statement(&mut self, node: Node) -> Result<(), Problem> {
        deep(|| {
            let (base, attributes) = self.builder.annotated(node, self.command)?;
            if !self.is_head(base) {
                self.visited(&attributes, self.builder.document.span(base));
            }
            self.base(base, &attributes)
        })
    }

    /// A statement with the properties that it has.
    fn base(&mut self, node: Node, attributes: &Attributes) -> Result<(), Problem> {
        let (document, span) = (self.builder.document, self.builder.document.span(node));
        let Some((name, arguments)) = document.headed(node) else {
            return Err(mistake(span, "a statement such as `(assign (x 1))` is expected here"));
        };
        let contract = match self.is_head(node) {
            true => None,
            false => self.before(attributes, node)?,
        };
        match (name, arguments) {
            ("assume", [formula]) => {
                let condition = self.builder.formula(*formula, &mut self.scope)?;
                self.draft.assume(condition, span);
            }
            ("assign", [_, ..]) => self.assign(arguments, span)?,
            ("sequence", _) => {
                for &statement in arguments {
                    self.statement(statement)?;
                }
            }
            ("call", [procedure, inputs, outputs]) => self.call(*procedure, *inputs, *outputs, span)?,
            ("return", []) => {
                self.draft.transfer(Transfer::Goto(vec![self.exit]), span);
            }
            ("label", [label]) => self.label(*label, attributes, span)?,
            ("goto", [label]) => {
                let Some(label) = document.symbol(*label) else {
                    return Err(mistake(span, "a label is a symbol"));
                };
                let target = self.label_block(label);
                self.jumps.push((label.to_owned(), span));
                self.draft.transfer(Transfer::Goto(vec![target]), span);
            }
            ("if", [condition, then]) => self.branch(*condition, *then, None, span)?,
            ("if", [condition, then, otherwise]) => {
                self.branch(*condition, *then, Some(*otherwise), span)?;
            }
            ("while", [condition, body]) => self.repeat(*condition, *body, attributes, span)?,
            ("break", []) => match self.loops.last() {
                Some(&Loop { exit, .. }) => self.draft.transfer(Transfer::Goto(vec![exit]), span),
                None => return Err(mistake(span, "`break` stands in no loop")),
            },
            ("continue", []) => match self.loops.last() {
                Some(&Loop { next, .. }) => self.draft.transfer(Transfer::Goto(vec![next]), span),
                None => return Err(mistake(span, "`continue` stands in no loop")),
            },
            ("havoc", [_, ..]) => {
                let mut variables = Vec::new();
                for &argument in arguments {
                    variables.push(self.target(argument, &variables)?);
                }
                self.draft.marked(StatementKind::Havoc(variables.clone()), span, StepMark::Havoc);
                self.follow_havoc(&variables, span)?;
            }
            ("choice", [_, ..]) => self.choice(arguments, span)?,
            (
                "assume" | "assign" | "call" | "return" | "label" | "goto" | "if" | "while" | "break"
                | "continue" | "havoc" | "choice",
                _,
            ) => return Err(mistake(span, format!("`{name}` is not used like that"))),
            _ => return Err(mistake(span, format!("there is no statement `{name}`"))),
        }
        match contract {
            Some(contract) => self.after(attributes, &contract, span),
            None => Ok(()),
        }
    }

    /// A variable that may be changed, and is not among others that are.
    fn target(&mut self, node: Node, others: &[Variable]) -> Result<Variable, Problem> {
        let span = self.builder.document.span(node);
        let Some(name) = self.builder.document.symbol(node) else {
            return Err(mistake(span, "the name of a variable is expected here"));
        };
        let variable = match self.scope.locals.get(name) {
            Some(&local) => local,
            None => match self.builder.names.find(name, self.command, span)? {
                Some(Named::Global(global)) => global,
                Some(_) => {
                    return Err(mistake(span, format!("`{name}` is not a variable and cannot be changed")));
                }
                None => return Err(mistake(span, format!("there is no variable `{name}` here"))),
            },
        };
        if !self.builder.program.variables[variable].kind.is_mutable() {
            return Err(mistake(
                span,
                format!("`{name}` is an input of the procedure and cannot be changed"),
            ));
        }
        if others.contains(&variable) {
            return Err(mistake(span, format!("`{name}` occurs twice")));
        }
        Ok(variable)
    }

    fn assign(&mut self, pairs: &[Node], span: Span) -> Result<(), Problem> {
        let document = self.builder.document;
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for &pair in pairs {
            let Some([variable, value]) = document.list(pair) else {
                return Err(mistake(document.span(pair), "a variable and a term are expected here"));
            };
            let target = self.target(*variable, &targets)?;
            let ty = self.builder.program.variables[target].ty;
            targets.push(target);
            values.push(self.builder.term_of(*value, ty, &mut self.scope)?);
        }
        let pairs: Vec<(Variable, Expr)> = targets.into_iter().zip(values).collect();
        self.draft.statement(StatementKind::Assign(pairs), span);
        Ok(())
    }

    fn call(&mut self, procedure: Node, inputs: Node, outputs: Node, span: Span) -> Result<(), Problem> {
        let callee = self.builder.callee(procedure, self.command)?;
        let (id, expected) = {
            let declared = &self.builder.procedures[callee];
            (declared.id, declared.outputs.clone())
        };
        let arguments = self.builder.arguments(callee, inputs, &mut self.scope)?;
        self.check_rank(callee, &arguments, span)?;
        let nodes = self.builder.list(outputs)?;
        if nodes.len() != expected.len() {
            let (wanted, found) = (expected.len(), nodes.len());
            let message =
                format!("the procedure has {wanted} outputs, and here are {found} variables for them");
            return Err(mistake(self.builder.document.span(outputs), message));
        }
        let mut results = Vec::new();
        for (&node, output) in nodes.iter().zip(expected) {
            let result = self.target(node, &results)?;
            let variables = &self.builder.program.variables;
            if variables[result].ty != variables[output].ty {
                let sort = self.builder.sort_text(variables[output].ty);
                let message = format!("a variable of sort {sort} is expected here");
                return Err(mistake(self.builder.document.span(node), message));
            }
            results.push(result);
        }
        self.draft.statement(StatementKind::Call { procedure: id, arguments, results }, span);
        Ok(())
    }

    fn branch(
        &mut self,
        condition: Node,
        then: Node,
        otherwise: Option<Node>,
        span: Span,
    ) -> Result<(), Problem> {
        let at = self.builder.document.span(condition);
        let condition = self.builder.formula(condition, &mut self.scope)?;
        let (yes, no, after) = (self.draft.new_block(), self.draft.new_block(), self.draft.new_block());
        self.draft.transfer(Transfer::Branch { condition, then: yes, otherwise: no }, at);
        self.draft.start(yes);
        self.statement(then)?;
        self.draft.jump(after, span);
        self.draft.start(no);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise)?;
        }
        self.draft.jump(after, span);
        self.draft.start(after);
        Ok(())
    }

    fn choice(&mut self, arguments: &[Node], span: Span) -> Result<(), Problem> {
        let document = self.builder.document;
        // The grammar of one tool puts the statements into a list of their own.
        let statements = match arguments {
            [only] if document.headed(*only).is_none() => document.list(*only).unwrap_or(arguments),
            _ => arguments,
        };
        let branches: Vec<Block> = statements.iter().map(|_| self.draft.new_block()).collect();
        let after = self.draft.new_block();
        self.draft.transfer(Transfer::Goto(branches.clone()), span);
        for (number, (&branch, &statement)) in branches.iter().zip(statements).enumerate() {
            self.draft.start(branch);
            let nothing = self.builder.program.bool(true, span);
            self.draft.marked(StatementKind::Assume(nothing), span, StepMark::Choice(number));
            self.follow_choice(number, span)?;
            self.statement(statement)?;
            self.draft.jump(after, span);
        }
        self.draft.start(after);
        Ok(())
    }

    fn label_block(&mut self, label: &str) -> Block {
        if let Some(&block) = self.labels.get(label) {
            return block;
        }
        let block = self.draft.new_block();
        self.labels.insert(label.to_owned(), block);
        block
    }

    fn label(&mut self, label: Node, attributes: &Attributes, span: Span) -> Result<(), Problem> {
        let Some(name) = self.builder.document.symbol(label) else {
            return Err(mistake(span, "a label is a symbol"));
        };
        if !self.placed.insert(name.to_owned()) {
            return Err(mistake(span, format!("the label `{name}` stands twice in this procedure")));
        }
        let block = self.label_block(name);
        self.draft.jump(block, span);
        self.draft.start(block);
        self.at_label(attributes, block, span)
    }

    fn repeat(
        &mut self,
        condition: Node,
        body: Node,
        attributes: &Attributes,
        span: Span,
    ) -> Result<(), Problem> {
        let head = self.draft.begin(span);
        let (exit, next) = (self.draft.new_block(), self.draft.new_block());
        let inside = self.draft.new_block();
        let plan = self.at_head(attributes, head, body, span)?;
        let at = self.builder.document.span(condition);
        // The head of a loop without further statements is at its condition.
        self.builder.tag_head(attributes, at);
        let condition = self.builder.formula(condition, &mut self.scope)?;
        self.draft.transfer(Transfer::Branch { condition, then: inside, otherwise: exit }, at);
        self.draft.start(inside);
        self.round_begins(&plan, span)?;
        self.loops.push(Loop { next, exit });
        let lowered = self.statement(body);
        self.loops.pop();
        lowered?;
        self.draft.jump(next, span);
        self.draft.start(next);
        self.forgotten(&plan, head, inside);
        self.round_ends(&plan, attributes)?;
        if plan.is_cut {
            let never = self.builder.program.bool(false, span);
            self.draft.assume(never, span);
        }
        self.draft.jump(head, span);
        self.draft.start(exit);
        Ok(())
    }

    /// The values of the moment when a tagged statement is about to be executed are kept, if anything asks for them.
    pub(crate) fn keep(&mut self, at: KeptAt, span: Span) {
        self.draft.push(Slot::Keep(at, span));
    }
}

/// A block for every label of a body. They come first, so that the blocks of a loop without labels are all that begin
/// while it is lowered.
fn labels(document: &Document, body: Node, draft: &mut Draft) -> FxHashMap<String, Block> {
    let mut labels = FxHashMap::default();
    let mut pending = vec![body];
    while let Some(node) = pending.pop() {
        match document.headed(node) {
            Some(("label", [label])) => {
                if let Some(name) = document.symbol(*label) {
                    labels.insert(name.to_owned(), draft.new_block());
                }
            }
            _ => pending.extend(document.list(node).unwrap_or_default()),
        }
    }
    labels
}

/// Whether a statement contains a label, so that it can be entered from elsewhere.
pub(crate) fn has_label(document: &Document, node: Node) -> bool {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if matches!(document.headed(node), Some(("label", [_]))) {
            return true;
        }
        pending.extend(document.list(node).unwrap_or_default());
    }
    false
}
