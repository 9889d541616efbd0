//! What properties add to a body.
//!
//! A loop with an invariant is abstracted by it, as Section 6.2 asks: the invariant is checked where the loop is entered,
//! then what the loop changes becomes arbitrary but for the invariant, one round is made, and the invariant is checked
//! again. A procedure with a postcondition is abstracted by its contract (Section 6.3): its body begins with arbitrary values of
//! the globals that it changes, and its callers know no more of the outcome than the postcondition. So a proof
//! about the program that is made here is a modular one, and an execution of it may leap.
//!
//! For questions about infinite executions nothing is abstracted and nothing is checked, as these questions come
//! after the others.

use crate::back::{StepMark, Violated};
use crate::body::{Changed, Slot};
use crate::builder::Builder;
use crate::lower::{Lowering, has_label};
use crate::problem::{Problem, unsupported};
use crate::properties::{Attributes, Claim, Property};
use crate::question::{Question, Ranks};
use crate::symbols::{KeptAt, Scope};
use crate::syntax::Node;
use base::Span;
use ir::{AssertKind, BinaryOp, Block, Expr, Statement, StatementKind, Type, Variable, VariableKind};

/// What was decided at the head of a loop.
pub(crate) struct Plan {
    /// Whether only one round is made.
    pub(crate) is_cut: bool,
    /// Whether the body can be entered from elsewhere.
    has_label: bool,
    /// Where the variables that the loop changes become arbitrary.
    forgets: Vec<(Block, usize)>,
    /// Ranking functions with the variables that keep their values.
    ranks: Vec<Rank>,
}

/// A ranking function.
pub(crate) struct Rank {
    property: Property,
    entries: Vec<Node>,
    kept: Vec<Variable>,
}

/// A statement that is abstracted by its contract.
pub(crate) struct Contract {
    first: Block,
    forget: (Block, usize),
}

impl Lowering<'_, '_> {
    /// Whether a property is checked: all safety properties are, or the one that a trace claims to violate.
    fn wants(&self, property: &Property, attributes: &Attributes) -> bool {
        let builder = &self.builder;
        builder.question.is_safety()
            && builder
                .trace
                .as_ref()
                .is_none_or(|trace| trace.claims(builder.document, property, &attributes.tags))
    }

    /// Whether loops and procedures are abstracted by their annotations.
    fn is_modular(&self) -> bool {
        self.builder.question.is_safety() && self.builder.trace.is_none()
    }

    /// The formula of a property, with what `old` means.
    fn claimed(&mut self, node: Node, property: &Property, old: KeptAt) -> Result<Expr, Problem> {
        let command = property.command.max(self.command);
        let mut scope = Scope { command, relational: Some(old), ..self.scope.clone() };
        self.builder.formula(node, &mut scope)
    }

    fn check(&mut self, condition: Expr, property: &Property, attributes: &Attributes, kind: AssertKind) {
        if self.wants(property, attributes) {
            let attribute = self.builder.attribute_text(property);
            let violated = Violated { tag: attributes.tags.first().cloned(), attribute };
            self.draft.marked(
                StatementKind::Assert(kind, condition),
                property.span,
                StepMark::Check(violated),
            );
        }
    }

    /// Checks or assumes the formulas that a function picks from the properties.
    fn check_all(
        &mut self,
        attributes: &Attributes,
        pick: fn(&Claim) -> Option<Node>,
        old: &KeptAt,
    ) -> Result<(), Problem> {
        for property in &attributes.properties {
            if let Some(node) = pick(&property.claim) {
                let condition = self.claimed(node, property, old.clone())?;
                let kind = match property.claim {
                    Claim::Invariant(_) => AssertKind::Invariant,
                    _ => AssertKind::Assert,
                };
                self.check(condition, property, attributes, kind);
            }
        }
        Ok(())
    }

    fn assume_all(
        &mut self,
        attributes: &Attributes,
        pick: fn(&Claim) -> Option<Node>,
        old: &KeptAt,
    ) -> Result<(), Problem> {
        for property in &attributes.properties {
            if let Some(node) = pick(&property.claim) {
                let condition = self.claimed(node, property, old.clone())?;
                self.draft.assume(condition, property.span);
            }
        }
        Ok(())
    }

    /// A slot for what becomes arbitrary; where it is.
    fn forget_slot(&mut self, changed: Changed, span: Span, mark: StepMark) -> (Block, usize) {
        self.draft.push(Slot::Forget(changed, span, mark));
        self.draft.last_slot()
    }

    /// The beginning of a procedure.
    pub(crate) fn entered(&mut self, contract: &Attributes, span: Span) -> Result<(), Problem> {
        let symbol = self.builder.procedures[self.procedure].symbol.clone();
        self.keep(KeptAt::Call, span);
        self.check_all(contract, requires, &KeptAt::Call)?;
        if self.is_modular() && has(contract, ensures) {
            let mark = contract.tags.first().map_or(StepMark::Silent, |tag| StepMark::Leap(tag.clone()));
            self.draft.push(Slot::Forget(Changed::Globals(Vec::new()), span, mark));
            self.assume_all(contract, requires, &KeptAt::Call)?;
        }
        let declared = &self.builder.procedures[self.procedure];
        let variables: Vec<Variable> = declared.outputs.iter().chain(&declared.locals).copied().collect();
        let first_values = match variables[..] {
            [] => StatementKind::Assume(self.builder.program.bool(true, span)),
            _ => StatementKind::Havoc(variables.clone()),
        };
        self.draft.marked(first_values, span, StepMark::InitProcedure(symbol.clone()));
        self.follow_entry(&symbol, &variables, span)?;
        self.keep(KeptAt::Body, span);
        self.leap_here(&contract.tags, &[Changed::Globals(Vec::new())], span)?;
        if self.builder.procedures[self.procedure].is_recursive {
            self.cycle_point(false, span);
        }
        let rank = self.ranks(contract, span)?;
        for rank in &rank {
            self.keep_rank(rank, span)?;
            self.not_negative(rank, contract)?;
        }
        self.builder.procedure_ranks.insert(self.procedure, rank);
        Ok(())
    }

    /// The end of a procedure.
    pub(crate) fn left(&mut self, contract: &Attributes, span: Span) -> Result<(), Problem> {
        self.check_all(contract, ensures, &KeptAt::Body)?;
        if self.is_modular() && has(contract, ensures) {
            let outputs = self.builder.procedures[self.procedure].outputs.clone();
            self.draft.push(Slot::Forget(Changed::Globals(outputs), span, StepMark::Silent));
            self.assume_all(contract, ensures, &KeptAt::Call)?;
        }
        Ok(())
    }

    /// A statement other than a loop or a label is about to be executed.
    pub(crate) fn visited(&mut self, attributes: &Attributes, span: Span) {
        for tag in &attributes.tags {
            self.keep(KeptAt::Tag(tag.clone()), span);
        }
        if self.is_meant(attributes) {
            self.visit(span);
        }
    }

    /// Whether the question is about visits of statements with these attributes.
    fn is_meant(&self, attributes: &Attributes) -> bool {
        attributes.properties.iter().any(|property| match (self.builder.question, &property.claim) {
            (Question::NotRecurring, Claim::NotRecurring) => true,
            (Question::Recurring(meant), Claim::Recurring) => meant.0 == property.keyword,
            _ => false,
        })
    }

    /// What is checked before a statement; its contract if it is abstracted by it.
    pub(crate) fn before(
        &mut self,
        attributes: &Attributes,
        node: Node,
    ) -> Result<Option<Contract>, Problem> {
        let (document, span) = (self.builder.document, self.builder.document.span(node));
        for property in &attributes.properties {
            if matches!(property.claim, Claim::Invariant(_) | Claim::Decreases(_)) {
                let what = "an invariant or a ranking function of a statement that is no loop";
                return Err(unsupported(property.span, what));
            }
        }
        self.check_all(attributes, check_true, &KeptAt::Body)?;
        self.check_all(attributes, requires, &KeptAt::Body)?;
        if !has(attributes, ensures) {
            return Ok(None);
        }
        if has_label(document, node) {
            return Err(unsupported(span, "a contract of a statement with labels"));
        }
        let mark = attributes.tags.first().map_or(StepMark::Silent, |tag| StepMark::Leap(tag.clone()));
        let nothing = Changed::Blocks(Block::from_u32(0), Block::from_u32(0));
        let forget = self.forget_slot(nothing, span, mark);
        if self.is_modular() {
            self.assume_all(attributes, requires, &KeptAt::Body)?;
        }
        let first = self.draft.begin(span);
        Ok(Some(Contract { first, forget }))
    }

    /// What is checked after a statement, and what is known of it from then on.
    pub(crate) fn after(
        &mut self,
        attributes: &Attributes,
        contract: &Contract,
        span: Span,
    ) -> Result<(), Problem> {
        self.check_all(attributes, ensures, &KeptAt::Body)?;
        if !self.is_modular() {
            return Ok(());
        }
        let last = self.draft.next_block();
        let changed = Changed::Blocks(contract.first, last);
        self.draft.begin(span);
        self.draft.set_forget(contract.forget, changed.clone());
        self.draft.push(Slot::Forget(changed, span, StepMark::Silent));
        self.assume_all(attributes, ensures, &KeptAt::Body)
    }

    /// What is checked at a label.
    pub(crate) fn at_label(
        &mut self,
        attributes: &Attributes,
        block: Block,
        span: Span,
    ) -> Result<(), Problem> {
        self.builder.tag_head(attributes, span);
        self.no_contract(attributes)?;
        if let Some(rank) =
            attributes.properties.iter().find(|property| matches!(property.claim, Claim::Decreases(_)))
        {
            return Err(unsupported(rank.span, "a ranking function at a label"));
        }
        let meant = self.is_meant(attributes);
        self.cycle_point(meant, span);
        if meant {
            self.visit(span);
        }
        self.abstracted(attributes, &[Changed::Cycles(block)], span)?;
        self.check_all(attributes, check_true, &KeptAt::Body)
    }

    /// What is checked at the head of a loop.
    pub(crate) fn at_head(
        &mut self,
        attributes: &Attributes,
        head: Block,
        body: Node,
        span: Span,
    ) -> Result<Plan, Problem> {
        self.builder.tag_head(attributes, span);
        self.no_contract(attributes)?;
        let has_label = has_label(self.builder.document, body);
        let meant = self.is_meant(attributes);
        self.cycle_point(meant, span);
        if meant {
            self.visit(span);
        }
        let forgets = self.abstracted(attributes, &[Changed::Cycles(head)], span)?;
        self.check_all(attributes, check_true, &KeptAt::Body)?;
        let ranks = self.ranks(attributes, span)?;
        for rank in &ranks {
            self.not_negative(rank, attributes)?;
        }
        let is_cut = self.is_modular() && has(attributes, invariant) && !has_label;
        Ok(Plan { is_cut, has_label, forgets, ranks })
    }

    /// A loop or a cycle of jumps is abstracted by its invariants, if it has any; where variables become arbitrary.
    fn abstracted(
        &mut self,
        attributes: &Attributes,
        changed: &[Changed],
        span: Span,
    ) -> Result<Vec<(Block, usize)>, Problem> {
        self.check_all(attributes, invariant, &KeptAt::Body)?;
        self.lasso_here(&attributes.tags, span)?;
        if !self.is_modular() {
            let forgets = self.leap_here(&attributes.tags, changed, span)?;
            if !forgets.is_empty() {
                self.assume_all(attributes, invariant, &KeptAt::Body)?;
            }
            return Ok(forgets);
        }
        if !has(attributes, invariant) {
            return Ok(Vec::new());
        }
        let mark = attributes.tags.first().map_or(StepMark::Silent, |tag| StepMark::Leap(tag.clone()));
        let mut forgets = Vec::new();
        for changed in changed {
            forgets.push(self.forget_slot(changed.clone(), span, mark.clone()));
        }
        self.assume_all(attributes, invariant, &KeptAt::Body)?;
        Ok(forgets)
    }

    /// The blocks of a loop are known: what they change becomes arbitrary at its head.
    pub(crate) fn forgotten(&mut self, plan: &Plan, head: Block, inside: Block) {
        // A body that is entered through its head only consists of the blocks that began since then.
        let last = self.draft.next_block();
        for &slot in &plan.forgets {
            let changed = if plan.has_label { Changed::Cycles(head) } else { Changed::Blocks(inside, last) };
            self.draft.set_forget(slot, changed);
        }
    }

    fn no_contract(&self, attributes: &Attributes) -> Result<(), Problem> {
        let contract =
            |property: &&Property| matches!(property.claim, Claim::Requires(_) | Claim::Ensures(_));
        match attributes.properties.iter().find(contract) {
            Some(property) => Err(unsupported(property.span, "a contract of a loop or a label")),
            None => Ok(()),
        }
    }

    /// The ranking functions among properties, with variables for their values.
    fn ranks(&mut self, attributes: &Attributes, span: Span) -> Result<Vec<Rank>, Problem> {
        let mut ranks = Vec::new();
        for property in &attributes.properties {
            let Claim::Decreases(entries) = &property.claim else { continue };
            let id = self.builder.procedures[self.procedure].id;
            let mut kept = Vec::new();
            for &entry in entries {
                self.rank_term(entry, property)?;
                if self.wants(property, attributes) {
                    let name = format!("rank#{}", self.builder.fresh());
                    let kind = VariableKind::Local(id);
                    let variable = self.builder.program.new_variable(name, Type::INT, kind, span);
                    self.draft.locals.push(variable);
                    kept.push(variable);
                }
            }
            if !kept.is_empty() {
                ranks.push(Rank { property: property.clone(), entries: entries.clone(), kept });
            }
        }
        Ok(ranks)
    }

    fn rank_term(&mut self, node: Node, property: &Property) -> Result<Expr, Problem> {
        let command = property.command.max(self.command);
        let mut scope = Scope { command, relational: Some(KeptAt::Body), ..self.scope.clone() };
        self.builder.term_of(node, Type::INT, &mut scope)
    }

    fn keep_rank(&mut self, rank: &Rank, span: Span) -> Result<(), Problem> {
        let mut pairs = Vec::new();
        for (&entry, &kept) in rank.entries.iter().zip(&rank.kept) {
            pairs.push((kept, self.rank_term(entry, &rank.property)?));
        }
        self.draft.statement(StatementKind::Assign(pairs), span);
        Ok(())
    }

    /// In the strict reading a rank is never negative.
    fn not_negative(&mut self, rank: &Rank, attributes: &Attributes) -> Result<(), Problem> {
        if self.builder.question != Question::Safety(Ranks::Always) || self.builder.trace.is_some() {
            return Ok(());
        }
        for &entry in &rank.entries {
            let span = rank.property.span;
            let value = self.rank_term(entry, &rank.property)?;
            let zero = self.builder.program.int(0, span);
            let condition = self.builder.program.binary(BinaryOp::LessEqual, zero, value, span);
            self.check(condition, &rank.property, attributes, AssertKind::Assert);
        }
        Ok(())
    }

    pub(crate) fn round_begins(&mut self, plan: &Plan, span: Span) -> Result<(), Problem> {
        for rank in &plan.ranks {
            self.keep_rank(rank, span)?;
        }
        Ok(())
    }

    pub(crate) fn round_ends(&mut self, plan: &Plan, attributes: &Attributes) -> Result<(), Problem> {
        if plan.is_cut {
            self.check_all(attributes, invariant, &KeptAt::Body)?;
        }
        for rank in &plan.ranks {
            let mut values = Vec::new();
            for &entry in &rank.entries {
                values.push(self.rank_term(entry, &rank.property)?);
            }
            let smaller = self.builder.smaller(&values, &rank.kept, rank.property.span);
            self.check(smaller, &rank.property, attributes, AssertKind::Assert);
        }
        Ok(())
    }

    /// A call between procedures that call each other makes the rank smaller.
    pub(crate) fn check_rank(
        &mut self,
        callee: usize,
        arguments: &[Expr],
        span: Span,
    ) -> Result<(), Problem> {
        let (own, other) = (&self.builder.procedures[self.procedure], &self.builder.procedures[callee]);
        if own.component != other.component || !other.is_recursive {
            return Ok(());
        }
        let (body, command) = (other.body, other.command);
        let (_, attributes) = self.builder.annotated(body, command)?;
        let ranked = |attributes: &Attributes| {
            attributes.properties.iter().any(|property| matches!(property.claim, Claim::Decreases(_)))
        };
        let own_body = self.builder.procedures[self.procedure].body;
        let (_, own_attributes) = self.builder.annotated(own_body, self.command)?;
        if !self.builder.question.is_safety() || !ranked(&attributes) && !ranked(&own_attributes) {
            return Ok(());
        }
        let own_ranks = self.builder.procedure_ranks.remove(&self.procedure).unwrap_or_default();
        let mut checks = Vec::new();
        let mut fits = own_ranks.len() == 1;
        if let [rank] = &own_ranks[..] {
            for property in &attributes.properties {
                let Claim::Decreases(entries) = &property.claim else { continue };
                fits &= entries.len() == rank.kept.len() && checks.is_empty();
                let mut scope =
                    self.builder.call_scope(callee, arguments, property.command.max(self.command));
                let mut values = Vec::new();
                for &entry in entries {
                    values.push(self.builder.term_of(entry, Type::INT, &mut scope)?);
                }
                let kept: Vec<Variable> = rank.kept.iter().copied().take(values.len()).collect();
                checks.push((self.builder.smaller(&values, &kept, span), property.clone()));
            }
        }
        self.builder.procedure_ranks.insert(self.procedure, own_ranks);
        if !fits || checks.len() != 1 {
            return Err(unsupported(
                span,
                "ranking functions of procedures that call each other and differ in shape",
            ));
        }
        for (smaller, property) in checks {
            self.check(smaller, &property, &attributes, AssertKind::Assert);
        }
        Ok(())
    }

    /// A statement of the counting that questions about infinite executions need.
    pub(crate) fn counting(&mut self, kind: StatementKind, span: Span) {
        self.draft.push(Slot::Counting(Statement { kind, span, attributes: Vec::new() }));
    }
}

impl Builder<'_> {
    /// The attribute of a property as the script writes it.
    pub(crate) fn attribute_text(&self, property: &Property) -> String {
        let document = self.document;
        let text = |node: &Node| document.text(*node);
        match &property.claim {
            Claim::CheckTrue(node) => format!(":check-true {}", text(node)),
            Claim::Requires(node) => format!(":requires {}", text(node)),
            Claim::Ensures(node) => format!(":ensures {}", text(node)),
            Claim::Invariant(node) => format!(":invariant {}", text(node)),
            Claim::Recurring => ":recurring".to_owned(),
            Claim::NotRecurring => ":not-recurring".to_owned(),
            Claim::Decreases(entries) => {
                let entries: Vec<String> = entries.iter().map(text).collect();
                match text(&property.keyword).as_str() {
                    ":decreases" => format!(":decreases {}", entries.join(" ")),
                    _ => format!(":decreases-lex ({})", entries.join(" ")),
                }
            }
        }
    }

    /// The first value that differs from what was kept is smaller, and what was kept of it is not negative.
    fn smaller(&mut self, values: &[Expr], kept: &[Variable], span: Span) -> Expr {
        let program = &mut self.program;
        let zero = program.int(0, span);
        let mut same = Vec::new();
        let mut cases = Vec::new();
        for (&value, &variable) in values.iter().zip(kept) {
            let before = program.variable(variable, span);
            let less = program.binary(BinaryOp::Less, value, before, span);
            let bounded = program.binary(BinaryOp::LessEqual, zero, before, span);
            let parts: Vec<Expr> = same.iter().copied().chain([less, bounded]).collect();
            cases.push(program.and(parts, span));
            same.push(program.equal(value, before, span));
        }
        program.or(cases, span)
    }

    /// Remembers the tag of a loop or label.
    pub(crate) fn tag_head(&mut self, attributes: &Attributes, span: Span) {
        if let Some(tag) = attributes.tags.first() {
            self.back.heads.insert(span, tag.clone());
        }
    }
}

fn has(attributes: &Attributes, pick: fn(&Claim) -> Option<Node>) -> bool {
    attributes.properties.iter().any(|property| pick(&property.claim).is_some())
}

fn requires(claim: &Claim) -> Option<Node> {
    match claim {
        Claim::Requires(node) => Some(*node),
        _ => None,
    }
}

fn ensures(claim: &Claim) -> Option<Node> {
    match claim {
        Claim::Ensures(node) => Some(*node),
        _ => None,
    }
}

fn invariant(claim: &Claim) -> Option<Node> {
    match claim {
        Claim::Invariant(node) => Some(*node),
        _ => None,
    }
}

fn check_true(claim: &Claim) -> Option<Node> {
    match claim {
        Claim::CheckTrue(node) => Some(*node),
        _ => None,
    }
}
