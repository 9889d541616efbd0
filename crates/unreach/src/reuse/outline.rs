//! What a program consists of, statement by statement, in a form that outlives the program.
//!
//! Every statement and every end of a block is an [`Item`]. It is known by four fingerprints, from strict to loose: its text
//! with all names; its shape, in which variables are told apart but not named; its shape without numbers; its kind. So
//! items of two versions of a program can be found to be the same after something was renamed, moved or changed nearby.
//! Places in files play no part.
//!
//! Cost: linear in the program.

use ir::{
    Block, Expr, ExprData, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind,
};
use program::steps::StatementPlace;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// A fingerprint: FNV-1a with 64 bits, which means the same in all versions and on all machines.
#[derive(Clone, Copy)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) fn new() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        // The length keeps texts apart.
        for &byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(super) fn number(self) -> u64 {
        self.0
    }
}

/// A statement, or the end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item {
    /// With all names and numbers.
    pub(super) text: u64,
    /// Without names.
    pub(super) shape: u64,
    /// Without names and numbers.
    pub(super) loose: u64,
    /// The kind of statement alone.
    pub(super) kind: u64,
    /// The variables that occur in it, in order, each as often as it occurs.
    pub(super) variables: Vec<usize>,
    /// The numbers that occur in it, in order.
    pub(super) numbers: Vec<String>,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ProcedureOutline {
    pub(super) name: String,
    /// Its items: from the first to before the last.
    pub(super) items: (usize, usize),
    /// Its parameters and results, in order.
    pub(super) interface: Vec<usize>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct VariableOutline {
    pub(super) name: String,
    /// What kind of variable it is; variables of different kinds are never the same.
    pub(super) kind: String,
    /// The procedure that it belongs to.
    pub(super) owner: Option<usize>,
}

/// A program, without what it means.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Outline {
    pub(super) procedures: Vec<ProcedureOutline>,
    pub(super) items: Vec<Item>,
    pub(super) variables: Vec<VariableOutline>,
}

/// Where the items of a program are.
pub(super) struct Places {
    blocks: FxHashMap<(Procedure, Block), (usize, usize)>,
}

impl Places {
    /// The item of a statement.
    pub(super) fn statement(&self, place: StatementPlace) -> usize {
        self.blocks[&(place.procedure, place.block)].0 + place.index
    }

    /// The item of the end of a block.
    pub(super) fn end(&self, procedure: Procedure, block: Block) -> usize {
        self.blocks[&(procedure, block)].1
    }
}

impl Outline {
    /// The outline of a program.
    pub(super) fn of(program: &Program) -> (Outline, Places) {
        use base::EntityRef as _;
        let mut outline = Outline::default();
        let mut blocks = FxHashMap::default();
        for (procedure, data) in &program.procedures {
            let first = outline.items.len();
            for (block, body) in data.body.iter().flat_map(|body| &body.blocks) {
                let begin = outline.items.len();
                outline.items.extend(body.statements.iter().map(|statement| item(program, statement)));
                blocks.insert((procedure, block), (begin, outline.items.len()));
                outline.items.push(end(program, &body.transfer));
            }
            let interface = data.parameters.iter().chain(&data.results).map(|variable| variable.index());
            outline.procedures.push(ProcedureOutline {
                name: data.name.clone(),
                items: (first, outline.items.len()),
                interface: interface.collect(),
            });
        }
        for data in program.variables.values() {
            let (kind, owner) = match data.kind {
                VariableKind::Global => ("global", None),
                VariableKind::Constant { .. } => ("constant", None),
                VariableKind::Parameter(procedure) => ("parameter", Some(procedure)),
                VariableKind::Result(procedure) => ("result", Some(procedure)),
                VariableKind::Local(procedure) => ("local", Some(procedure)),
                VariableKind::FunctionParameter(_) | VariableKind::Bound => ("bound", None),
            };
            let (name, kind) = (data.name.clone(), kind.to_owned());
            outline.variables.push(VariableOutline { name, kind, owner: owner.map(|it| it.index()) });
        }
        (outline, Places { blocks })
    }

    /// The outline for machines.
    pub(super) fn json(&self) -> Value {
        let item = |it: &Item| json!([it.text, it.shape, it.loose, it.kind, it.variables, it.numbers]);
        let procedure = |it: &ProcedureOutline| json!([it.name, it.items.0, it.items.1, it.interface]);
        let variable = |it: &VariableOutline| json!([it.name, it.kind, it.owner]);
        json!({
            "procedures": self.procedures.iter().map(procedure).collect::<Vec<_>>(),
            "items": self.items.iter().map(item).collect::<Vec<_>>(),
            "variables": self.variables.iter().map(variable).collect::<Vec<_>>(),
        })
    }

    /// The outline that a value describes; nothing if it describes none.
    pub(super) fn of_json(value: &Value) -> Option<Outline> {
        let list = |name: &str| value[name].as_array();
        let mut outline = Outline::default();
        for it in list("items")? {
            let number = |index: usize| it[index].as_u64();
            let variables = it[4].as_array()?.iter().map(index).collect::<Option<_>>()?;
            let numbers = it[5].as_array()?.iter().map(text).collect::<Option<_>>()?;
            let (text, shape, loose, kind) = (number(0)?, number(1)?, number(2)?, number(3)?);
            outline.items.push(Item { text, shape, loose, kind, variables, numbers });
        }
        for it in list("variables")? {
            let owner = if it[2].is_null() { None } else { Some(index(&it[2])?) };
            outline.variables.push(VariableOutline { name: text(&it[0])?, kind: text(&it[1])?, owner });
        }
        for it in list("procedures")? {
            let interface = it[3].as_array()?.iter().map(index).collect::<Option<_>>()?;
            let items = (index(&it[1])?, index(&it[2])?);
            outline.procedures.push(ProcedureOutline { name: text(&it[0])?, items, interface });
        }
        outline.is_closed().then_some(outline)
    }

    /// Do all numbers point to something?
    fn is_closed(&self) -> bool {
        let is_variable = |index: &usize| *index < self.variables.len();
        let fits = |it: &ProcedureOutline| {
            it.items.0 <= it.items.1 && it.items.1 <= self.items.len() && it.interface.iter().all(is_variable)
        };
        self.procedures.iter().all(fits)
            && self.items.iter().all(|item| item.variables.iter().all(is_variable))
            && self.variables.iter().all(|it| it.owner.is_none_or(|owner| owner < self.procedures.len()))
    }
}

pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Takes the fingerprints of an item while it is walked through.
struct Walk<'p> {
    program: &'p Program,
    text: Fingerprint,
    shape: Fingerprint,
    loose: Fingerprint,
    kind: Fingerprint,
    /// The variables met so far, bound ones too, in the order in which they are met.
    met: Vec<Variable>,
    variables: Vec<usize>,
    numbers: Vec<String>,
}

fn item(program: &Program, statement: &Statement) -> Item {
    let mut walk = Walk::new(program);
    match &statement.kind {
        StatementKind::Assign(assignments) => {
            walk.begin("assign");
            for &(variable, value) in assignments {
                walk.variable(variable);
                walk.expression(value);
            }
        }
        StatementKind::Havoc(variables) => {
            walk.begin("havoc");
            variables.iter().for_each(|&variable| walk.variable(variable));
        }
        StatementKind::Assume(condition) => {
            walk.begin("assume");
            walk.expression(*condition);
        }
        StatementKind::Assert(_, condition) => {
            walk.begin("assert");
            walk.expression(*condition);
        }
        StatementKind::Call { procedure, arguments, results } => {
            walk.begin("call");
            walk.name(&program.procedures[*procedure].name);
            arguments.iter().for_each(|&argument| walk.expression(argument));
            walk.token("results");
            results.iter().for_each(|&variable| walk.variable(variable));
        }
        StatementKind::Fork { thread, procedure, arguments } => {
            walk.begin("fork");
            walk.name(&program.procedures[*procedure].name);
            thread.iter().chain(arguments).for_each(|&argument| walk.expression(argument));
        }
        StatementKind::Join { thread, results } => {
            walk.begin("join");
            thread.iter().for_each(|&argument| walk.expression(argument));
            results.iter().for_each(|&variable| walk.variable(variable));
        }
        StatementKind::Atomic(boundary) => walk.begin(&format!("{boundary:?}")),
    }
    walk.end()
}

fn end(program: &Program, transfer: &Transfer) -> Item {
    let mut walk = Walk::new(program);
    match transfer {
        Transfer::Goto(targets) => walk.begin(&format!("goto {}", targets.len())),
        Transfer::Branch { condition, .. } => {
            walk.begin("branch");
            walk.expression(*condition);
        }
        Transfer::Return => walk.begin("return"),
    }
    walk.end()
}

impl Walk<'_> {
    fn new(program: &Program) -> Walk<'_> {
        let none = Fingerprint::new();
        let (text, shape, loose, kind) = (none, none, none, none);
        let (met, variables, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Walk { program, text, shape, loose, kind, met, variables, numbers }
    }

    fn end(self) -> Item {
        Item {
            text: self.text.number(),
            shape: self.shape.number(),
            loose: self.loose.number(),
            kind: self.kind.number(),
            variables: self.variables,
            numbers: self.numbers,
        }
    }

    fn begin(&mut self, kind: &str) {
        self.kind.add(kind.as_bytes());
        self.token(kind);
    }

    fn token(&mut self, token: &str) {
        self.text.add(token.as_bytes());
        self.shape.add(token.as_bytes());
        self.loose.add(token.as_bytes());
    }

    /// A name that may change.
    fn name(&mut self, name: &str) {
        self.text.add(name.as_bytes());
    }

    fn number(&mut self, number: String) {
        self.token("number");
        self.text.add(number.as_bytes());
        self.shape.add(number.as_bytes());
        self.numbers.push(number);
    }

    fn variable(&mut self, variable: Variable) {
        let position = self.met.iter().position(|&met| met == variable).unwrap_or(self.met.len());
        if position == self.met.len() {
            self.met.push(variable);
        }
        self.token(&format!("variable {position}"));
        let data = &self.program.variables[variable];
        self.name(&data.name);
        if !matches!(data.kind, VariableKind::Bound | VariableKind::FunctionParameter(_)) {
            self.variables.push(base::EntityRef::index(variable));
        }
    }

    /// In prefix order, with a stack of its own: sources may be nested deeply.
    fn expression(&mut self, root: Expr) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            let mut next: Vec<Expr> = Vec::new();
            match &self.program.expressions[expr] {
                ExprData::Bool(value) => self.token(if *value { "true" } else { "false" }),
                ExprData::Int(value) => self.number(value.to_string()),
                ExprData::Real(value) => self.number(value.to_string()),
                ExprData::BitVec { value, width } => {
                    self.token(&format!("bits {width}"));
                    self.number(value.to_string());
                }
                ExprData::Variable(variable) => self.variable(*variable),
                ExprData::Old(variable) => {
                    self.token("old");
                    self.variable(*variable);
                }
                ExprData::Apply(function, arguments) => {
                    self.token(&self.program.functions[*function].name);
                    next.extend(arguments);
                }
                ExprData::Unary(operator, operand) => {
                    self.token(&format!("{operator:?}"));
                    next.push(*operand);
                }
                ExprData::Binary(operator, left, right) => {
                    self.token(&format!("{operator:?}"));
                    next.extend([*left, *right]);
                }
                ExprData::Ite(condition, then, otherwise) => {
                    self.token("ite");
                    next.extend([*condition, *then, *otherwise]);
                }
                ExprData::Select(map, arguments) => {
                    self.token(&format!("select {}", arguments.len()));
                    next.push(*map);
                    next.extend(arguments);
                }
                ExprData::Store(map, arguments, value) => {
                    self.token(&format!("store {}", arguments.len()));
                    next.push(*map);
                    next.extend(arguments);
                    next.push(*value);
                }
                ExprData::Extract { operand, high, low } => {
                    self.token(&format!("extract {high} {low}"));
                    next.push(*operand);
                }
                ExprData::Quantified(quantifier) => {
                    self.token(&format!("{:?} {}", quantifier.kind, quantifier.bound.len()));
                    quantifier.bound.iter().for_each(|&bound| self.variable(bound));
                    next.push(quantifier.body);
                }
            }
            pending.extend(next.into_iter().rev());
        }
    }
}
