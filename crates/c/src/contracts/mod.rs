//! Contracts of functions and loops, in three notations, as one: the program becomes one whose assertions and
//! assumptions say what the contracts say.
//!
//! The notations are those of CBMC (`__CPROVER_requires(…)` behind the declarator; see the pages "Function Contracts" and
//! "Loop Contracts" of its manual), of ESBMC (`__ESBMC_requires(…);` at the beginning of the body) and of ACSL
//! (`/*@ requires …; */` before the declaration). The parser has read the first and the last ([`crate::ast::Clause`]); the
//! second are found here. Everything happens on the syntax tree, before names are resolved, so that all analyses of the
//! program see what contracts do to it; what C cannot say are calls of functions whose names begin with [`INTRINSIC`].
//!
//! What a contract means is said in [`functions`] and [`loops`]; what an expression of a clause means, in [`reading`].
//! A part of a contract that is not modelled is [`Problem::Unsupported`], never left out.
//!
//! Cost: linear in the program, and in the number of functions with contracts times the number of variables at file
//! scope where a contract does not say what it assigns.

mod build;
mod functions;
mod inference;
mod logic;
mod loops;
mod options;
mod pointers;
mod ranges;
mod reading;
mod targets;

pub use options::{Contracts, Loops, Treatment};

use crate::ast::{
    Ast, Clause, ClauseKind, Declaration, Declarator, DeclaratorPart, ExprKind, FunctionDefinition,
    InitDeclarator, Item, Notation, QuantifierKind, StmtId, StmtKind, Storage, Target,
};
use crate::problem::Problem;
use crate::symbols::{Symbol, Symbols};
use base::{EntityRef, Span};
use build::Builder;
use functions::{Contracted, Wrapping, is_wrapped, name_parameters};
use inference::Changes;
use reading::Use;
use std::collections::{BTreeMap, BTreeSet};

/// How functions are called that only contracts call.
pub(crate) const INTRINSIC: &str = "__unreach_contract_";
/// What stands for the value at the entry.
pub(crate) const OLD: &str = "\\old";
/// What stands for the value at a state with a name.
pub(crate) const AT: &str = "\\at";
/// What stands for `a .. b`; nobody can write it so.
pub(crate) const RANGE: &str = "\\range of";
/// What is always true.
pub(crate) const TRUE: &str = "\\true";
/// What the names of functions begin with that are entered with arbitrary arguments.
pub(crate) const ENTRY: &str = "__unreach_entry_";

/// The declarations that a program with contracts begins with.
pub(crate) const PRELUDE: &str = "void *malloc(__SIZE_TYPE__); \
    int __unreach_contract_valid(const void *, __SIZE_TYPE__); int __unreach_contract_since(const void *, int); \
    int __unreach_contract_same(const void *, const void *); _Bool __unreach_contract_choice(void); \
    void __unreach_contract_assert(const char *, _Bool); void __unreach_contract_assume(_Bool); \
    void __unreach_contract_stop(void); void __unreach_contract_begin(int); \
    void __unreach_contract_begin_open(int); void __unreach_contract_begin_found(int); \
    void __unreach_contract_end(int); void __unreach_contract_place(int, ...); \
    void __unreach_contract_range(int, const void *, __SIZE_TYPE__); void __unreach_contract_from(int, const void *); \
    void __unreach_contract_object(int, const void *); void __unreach_contract_frees(int, const void *); \
    void __unreach_contract_leave(int); void __unreach_contract_begin_loop(int); \
    void __unreach_contract_round(int); void free(void *); void __unreach_contract_unknown(const char *); void __unreach_contract_begin_once(int); \
    int __unreach_contract_any(void); void __unreach_contract_quiet(int); \
    _Bool __unreach_contract_follows(const void *); _Bool __unreach_contract_never(void); __SIZE_TYPE__ __unreach_contract_size(const void *); \
    __SIZE_TYPE__ __unreach_contract_offset(const void *); void __unreach_contract_havoc_place(); void __unreach_contract_havoc(); void __unreach_contract_havoc_range(const void *, __SIZE_TYPE__); \
    void __unreach_contract_havoc_from(const void *); void __unreach_contract_havoc_object(const void *); \
    void __unreach_contract_havoc_reached(const void *);";

/// What the contracts of a program came to.
#[derive(Default)]
pub(crate) struct Applied {
    /// The functions whose contracts count, by their names.
    pub(crate) functions: BTreeSet<String>,
    /// Those that have a function of their own to be entered by.
    pub(crate) entries: BTreeSet<String>,
}

type Made<T> = Result<T, Problem>;

/// Takes the clauses that are statements out of the bodies of functions and from before loops, to where the other
/// notations have theirs. A program without contracts stays as it is.
pub(crate) fn gather(ast: &mut Ast, symbols: &Symbols) {
    if symbols.get("__ESBMC_requires").is_none()
        && symbols.get("__ESBMC_ensures").is_none()
        && symbols.get("__ESBMC_assigns").is_none()
        && symbols.get("__ESBMC_loop_invariant").is_none()
    {
        return;
    }
    for index in 0..ast.items.len() {
        let Item::Function(function) = &ast.items[index] else { continue };
        let body = function.body;
        let StmtKind::Block(statements) = &ast.stmts[body].kind else { continue };
        let (mut clauses, mut rest) = (Vec::new(), Vec::new());
        for &stmt in statements {
            match statement_clause(ast, symbols, stmt) {
                Some(clause) => clauses.push(clause),
                None => rest.push(stmt),
            }
        }
        if clauses.is_empty() {
            continue;
        }
        let conditions: Vec<crate::ast::ExprId> = clauses
            .iter()
            .filter_map(|clause| match clause.kind {
                ClauseKind::Requires(condition) | ClauseKind::Ensures(condition) => Some(condition),
                _ => None,
            })
            .collect();
        bind_locals(ast, symbols, &rest, conditions);
        ast.stmts[body].kind = StmtKind::Block(rest);
        if let Item::Function(function) = &mut ast.items[index] {
            function.declarator.contract.extend(clauses);
        }
    }
    for index in 0..ast.stmts.len() {
        gather_loops(ast, symbols, StmtId::new(index));
    }
}

/// A quantifier of ESBMC names a variable of the function for its type: outside of the function it brings the
/// declaration along.
fn bind_locals(ast: &mut Ast, symbols: &Symbols, statements: &[StmtId], mut work: Vec<crate::ast::ExprId>) {
    while let Some(expr) = work.pop() {
        work.extend(reading::children(&ast.exprs[expr].kind));
        let ExprKind::Call(function, arguments) = &ast.exprs[expr].kind else { continue };
        let ExprKind::Name(name) = ast.exprs[*function].kind else { continue };
        let kind = match symbols.text(name) {
            "__ESBMC_forall" => QuantifierKind::Forall,
            "__ESBMC_exists" => QuantifierKind::Exists,
            _ => continue,
        };
        let &[address, body] = &arguments[..] else { continue };
        let ExprKind::Unary(crate::ast::UnaryOp::AddressOf, place) = ast.exprs[address].kind else {
            continue;
        };
        let ExprKind::Name(bound) = ast.exprs[place].kind else { continue };
        let declared = statements.iter().find_map(|&stmt| match &ast.stmts[stmt].kind {
            StmtKind::Declaration(declaration) => {
                let mut items = declaration.declarators.iter();
                let item = items.find(|item| item.declarator.name == Some(bound))?;
                let item = InitDeclarator { declarator: item.declarator.clone(), init: None };
                Some(Declaration { specifiers: declaration.specifiers, declarators: vec![item] })
            }
            _ => None,
        });
        if let Some(declaration) = declared {
            ast.exprs[expr].kind = ExprKind::Quantified(kind, Box::new(declaration), body);
        }
    }
}

/// Gives annotations inside of functions their meaning: what they ask for from the entry of the function, and what
/// definitions and words of ACSL in assertions stand for. Without `contracts`, only assertions count.
pub(crate) fn read_assertions(ast: &mut Ast, symbols: &mut Symbols, contracts: bool) -> Made<()> {
    let counts = |kind: &StmtKind| match kind {
        StmtKind::Assert(_) => true,
        StmtKind::Contracted(..) => contracts,
        _ => false,
    };
    let defines = contracts && !ast.logic.is_empty();
    if !defines && !ast.stmts.values().any(|stmt| counts(&stmt.kind)) {
        return Ok(());
    }
    let mut invented = 2_000_000;
    let nowhere = Span::new(base::FileId::new(0), 0, 0);
    let mut b = Builder { ast, symbols, span: nowhere, invented: &mut invented };
    logic::check_definitions(&mut b)?;
    logic::inside_functions(&mut b, contracts)
}

/// Whether assertions need what only contracts call.
pub(crate) fn need_prelude(tokens: &[crate::lex::token::Token], symbols: &Symbols) -> bool {
    const NEED_IT: &[&str] = &["\\valid", "\\valid_read", "\\separated", OLD, AT];
    tokens.iter().any(|token| match token.kind {
        crate::lex::token::TokenKind::Name(name) => NEED_IT.contains(&symbols.text(name)),
        _ => false,
    })
}

/// Quantifiers outside of contracts, as in `assert(__CPROVER_forall { … })`: their ranges are gone through.
pub(crate) fn expand_quantifiers(ast: &mut Ast, symbols: &mut Symbols) -> Made<()> {
    let is_quantifier = |ast: &Ast, expr: crate::ast::ExprId| match &ast.exprs[expr].kind {
        ExprKind::Quantified(..) => true,
        ExprKind::Call(function, _) => match ast.exprs[*function].kind {
            ExprKind::Name(name) => matches!(symbols.text(name), "__ESBMC_forall" | "__ESBMC_exists"),
            _ => false,
        },
        _ => false,
    };
    if !ast.exprs.keys().any(|expr| is_quantifier(ast, expr)) {
        return Ok(());
    }
    let mut found = Vec::new();
    let mut statements: Vec<StmtId> = ast
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Function(function) => Some(function.body),
            _ => None,
        })
        .collect();
    while let Some(stmt) = statements.pop() {
        let kind = &ast.stmts[stmt].kind;
        statements.extend(loops::substatements(kind));
        let mut work: Vec<crate::ast::ExprId> = statement_expressions(kind);
        while let Some(expr) = work.pop() {
            if is_quantifier(ast, expr) {
                found.push(expr);
            } else {
                work.extend(reading::children(&ast.exprs[expr].kind));
            }
        }
    }
    let mut invented = 1_000_000;
    for expr in found {
        let span = ast.exprs[expr].span;
        let mut b = Builder { ast, symbols, span, invented: &mut invented };
        let made = reading::Reading::default().read_term(&mut b, expr)?;
        ast.exprs[expr].kind = ast.exprs[made].kind.clone();
    }
    Ok(())
}

fn statement_expressions(kind: &StmtKind) -> Vec<crate::ast::ExprId> {
    match kind {
        StmtKind::Expr(expr)
        | StmtKind::If(expr, ..)
        | StmtKind::While(expr, _)
        | StmtKind::DoWhile(_, expr)
        | StmtKind::Switch(expr, _)
        | StmtKind::Assert(expr)
        | StmtKind::Return(Some(expr)) => vec![*expr],
        StmtKind::For(_, condition, step, _) => condition.iter().chain(step).copied().collect(),
        StmtKind::Declaration(declaration) => {
            let inits = declaration.declarators.iter();
            inits
                .filter_map(|item| match item.init {
                    Some(crate::ast::Init::Expr(expr)) => Some(expr),
                    _ => None,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The clauses of loops in a block go to the loops that they stand before.
fn gather_loops(ast: &mut Ast, symbols: &Symbols, block: StmtId) {
    let StmtKind::Block(statements) = &ast.stmts[block].kind else { return };
    let statements = statements.clone();
    let mut out = Vec::with_capacity(statements.len());
    let mut waiting: Vec<(StmtId, Clause)> = Vec::new();
    for stmt in statements {
        if let Some(clause) = loop_clause(ast, symbols, stmt) {
            waiting.push((stmt, clause));
            continue;
        }
        // An annotation of a loop may stand before clauses that are statements.
        if let StmtKind::Contracted(clauses, inner) = &ast.stmts[stmt].kind
            && let Some(clause) = loop_clause(ast, symbols, *inner)
        {
            let inner = *inner;
            waiting.extend(clauses.clone().into_iter().chain([clause]).map(|clause| (inner, clause)));
            ast.stmts[stmt].kind = StmtKind::Empty;
            continue;
        }
        let is_loop =
            matches!(ast.stmts[stmt].kind, StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..));
        if is_loop && !waiting.is_empty() {
            let clauses = waiting.drain(..).map(|(_, clause)| clause).collect();
            let span = ast.stmts[stmt].span;
            let kind = StmtKind::Contracted(clauses, stmt);
            out.push(ast.stmts.push(crate::ast::Stmt { kind, span }));
            continue;
        }
        for (_, clause) in waiting.drain(..) {
            let what = "a loop invariant that no loop follows".to_owned();
            ast.strange_annotations.push((clause.span, what));
        }
        out.push(stmt);
    }
    ast.stmts[block].kind = StmtKind::Block(out);
}

/// The call that a statement is.
fn called(ast: &Ast, stmt: StmtId) -> Option<(Symbol, &[crate::ast::ExprId])> {
    let StmtKind::Expr(expr) = ast.stmts[stmt].kind else { return None };
    let ExprKind::Call(function, arguments) = &ast.exprs[expr].kind else { return None };
    let ExprKind::Name(name) = ast.exprs[*function].kind else { return None };
    Some((name, arguments))
}

/// A clause of a function that is a statement.
fn statement_clause(ast: &Ast, symbols: &Symbols, stmt: StmtId) -> Option<Clause> {
    let (name, arguments) = called(ast, stmt)?;
    let kind = match (symbols.text(name), arguments) {
        ("__ESBMC_requires", &[condition]) => ClauseKind::Requires(condition),
        ("__ESBMC_ensures", &[condition]) => ClauseKind::Ensures(condition),
        ("__ESBMC_assigns", places) => ClauseKind::Assigns(listed(ast, places)),
        _ => return None,
    };
    Some(Clause { notation: Notation::Esbmc, kind, span: ast.stmts[stmt].span })
}

/// A clause of a loop that is a statement before it.
fn loop_clause(ast: &Ast, symbols: &Symbols, stmt: StmtId) -> Option<Clause> {
    let (name, arguments) = called(ast, stmt)?;
    let kind = match (symbols.text(name), arguments) {
        ("__ESBMC_loop_invariant", &[condition]) => ClauseKind::Invariant(condition),
        ("__ESBMC_loop_assigns", places) => ClauseKind::Assigns(listed(ast, places)),
        _ => return None,
    };
    Some(Clause { notation: Notation::Esbmc, kind, span: ast.stmts[stmt].span })
}

fn listed(ast: &Ast, places: &[crate::ast::ExprId]) -> Vec<Target> {
    let named = places.iter().filter(|&&place| !matches!(ast.exprs[place].kind, ExprKind::Number(_)));
    named.map(|&place| Target { condition: None, place }).collect()
}

/// Makes the contracts of a file parts of the program.
pub(crate) fn apply(
    ast: &mut Ast,
    symbols: &mut Symbols,
    contracts: &Contracts,
    frames: &mut u64,
    applied: &mut Applied,
) -> Made<()> {
    if let Some((span, what)) = ast.strange_annotations.first() {
        return Err(Problem::unsupported(*span, what.clone()));
    }
    let mut changes = Changes::default();
    changes.look_at(ast);
    let mut invented = 0;
    let nowhere = Span::new(base::FileId::new(0), 0, 0);
    let mut b = Builder { ast, symbols, span: nowhere, invented: &mut invented };
    if contracts.loops != Loops::Ignore {
        for index in 0..b.ast.stmts.len() {
            let stmt = StmtId::new(index);
            if matches!(b.ast.stmts[stmt].kind, StmtKind::Contracted(..)) {
                *frames += 1;
                loops::apply(&mut b, stmt, (*frames, contracts.loops), &changes)?;
            }
        }
    }
    let found = find(&mut b)?;
    let (mut items, mut last) = (Vec::new(), Vec::new());
    for item in std::mem::take(&mut b.ast.items) {
        let name = match &item {
            Item::Function(function) => function.declarator.name,
            Item::Declaration(declaration) => declared_function(declaration),
            _ => None,
        };
        let contracted = name.and_then(|name| found.get(&name));
        let is_definition = matches!(item, Item::Function(_));
        let Some(contracted) = contracted.filter(|one| one.body.is_none() || is_definition) else {
            items.push(item);
            continue;
        };
        let text = b.symbols.text(contracted.name).to_owned();
        let treatment = contracts.treatment(&text, is_contract(contracted));
        let Some(treatment) = treatment.filter(|_| !applied.functions.contains(&text)) else {
            items.push(item);
            continue;
        };
        b.span = functions::place(contracted);
        let recursive = changes.reaches_itself(contracted.name);
        let mut maker = Maker { b: &mut b, items: &mut items, last: &mut last, frames, contracts, recursive };
        maker.replace(item, contracted, treatment)?;
        applied.functions.insert(text.clone());
        let entered = contracted.body.is_some() && (contracts.each || treatment == Treatment::Check);
        if entered || contracts.satisfiable {
            applied.entries.insert(text);
        }
    }
    let mut maker =
        Maker { b: &mut b, items: &mut items, last: &mut last, frames, contracts, recursive: false };
    maker.define_obeying(&found)?;
    for contracted in found.values() {
        // What is wrong with a contract is told even if nobody uses it.
        if !contracted.clauses.is_empty() && !applied.functions.contains(b.symbols.text(contracted.name)) {
            let wrapping = Wrapping { requires: Use::Assumed, by_contract_inside: false };
            contracted.wrapper(&mut b, 0, wrapping)?;
        }
    }
    items.append(&mut last);
    b.ast.items = items;
    Ok(())
}

/// Whether there is a contract, and not only a function that somebody named.
fn is_contract(contracted: &Contracted) -> bool {
    !contracted.clauses.is_empty() || contracted.declarator.attributes.contract
}

/// The function that a declaration declares.
fn declared_function(declaration: &Declaration) -> Option<Symbol> {
    let [item] = &declaration.declarators[..] else { return None };
    matches!(item.declarator.parts.first(), Some(DeclaratorPart::Function(_)))
        .then_some(item.declarator.name)?
}

/// All functions of a file, with what contracts say of them.
fn find(b: &mut Builder<'_>) -> Made<BTreeMap<Symbol, Contracted>> {
    let mut found: BTreeMap<Symbol, Contracted> = BTreeMap::new();
    let mut globals = Vec::new();
    for index in 0..b.ast.items.len() {
        let (specifiers, mut declarator, body) = match &b.ast.items[index] {
            Item::Function(function) => {
                (function.specifiers, function.declarator.clone(), Some(function.body))
            }
            Item::Declaration(declaration) => {
                let storage = b.ast.specifiers[declaration.specifiers].storage;
                for item in &declaration.declarators {
                    let function = matches!(item.declarator.parts.first(), Some(DeclaratorPart::Function(_)));
                    if storage != Storage::Typedef && !function {
                        globals.extend(item.declarator.name);
                    }
                }
                if declared_function(declaration).is_none() || storage == Storage::Typedef {
                    continue;
                }
                (declaration.specifiers, declaration.declarators[0].declarator.clone(), None)
            }
            _ => continue,
        };
        let Some(name) = declarator.name else { continue };
        declarator.attributes.contract |= b.ast.specifiers[specifiers].attributes.contract;
        if !name_parameters(b, &mut declarator) {
            if let Some(clause) = declarator.contract.first() {
                return Err(Problem::unsupported(
                    clause.span,
                    "a contract of a function with such parameters",
                ));
            }
            continue;
        }
        let clauses = std::mem::take(&mut declarator.contract);
        match found.get_mut(&name) {
            None => {
                let clauses = clauses.into_iter().map(|clause| (clause, BTreeMap::new())).collect();
                let globals = Vec::new();
                found.insert(name, Contracted { name, specifiers, declarator, body, clauses, globals });
            }
            Some(known) if body.is_some() => {
                // The definition's own names count from now on.
                let renamed = renaming(&known.declarator, &declarator);
                for (_, names) in &mut known.clauses {
                    *names = renamed.clone();
                }
                declarator.attributes.contract |= known.declarator.attributes.contract;
                known.clauses.extend(clauses.into_iter().map(|clause| (clause, BTreeMap::new())));
                (known.specifiers, known.declarator, known.body) = (specifiers, declarator, body);
            }
            Some(known) => {
                let renamed = renaming(&declarator, &known.declarator);
                known.clauses.extend(clauses.into_iter().map(|clause| (clause, renamed.clone())));
            }
        }
    }
    for contracted in found.values_mut() {
        contracted.globals.clone_from(&globals);
    }
    Ok(found)
}

/// How the parameters of one declaration are called in another one.
fn renaming(from: &Declarator, to: &Declarator) -> BTreeMap<Symbol, Symbol> {
    let names = |declarator: &Declarator| match declarator.parts.first() {
        Some(DeclaratorPart::Function(part)) => part.parameters.iter().map(|p| p.declarator.name).collect(),
        _ => Vec::new(),
    };
    let pairs = names(from).into_iter().zip(names(to));
    pairs.filter_map(|(from, to)| Some((from?, to?))).collect()
}

/// Makes the functions that stand for one.
struct Maker<'m, 'a> {
    b: &'m mut Builder<'a>,
    /// Where the function itself goes.
    items: &'m mut Vec<Item>,
    /// What goes to the end of the file, where all names of contracts are declared.
    last: &'m mut Vec<Item>,
    frames: &'m mut u64,
    contracts: &'m Contracts,
    /// Whether the function may call itself.
    recursive: bool,
}

impl Maker<'_, '_> {
    /// Puts the functions of a contract where a function or its declaration stood.
    fn replace(&mut self, item: Item, contracted: &Contracted, treatment: Treatment) -> Made<()> {
        let text = self.b.symbols.text(contracted.name).to_owned();
        let used = self.b.symbols.intern(&format!("__unreach_used_{text}"));
        let entry = self.b.symbols.intern(&format!("{ENTRY}{text}"));
        // A caller stands before what it calls, which may be static: without a declaration it would call something else.
        self.declare(contracted, entry);
        if self.contracts.satisfiable {
            let body = contracted.probe(self.b)?;
            let probe = contracted.definition(self.b, entry, body);
            self.last.push(probe);
        }
        let Item::Function(function) = item else {
            self.items.push(item);
            let body = contracted.stub(self.b, Use::Asserted)?;
            let stub = contracted.definition(self.b, contracted.name, body);
            self.last.push(stub);
            return Ok(());
        };
        self.declare(contracted, contracted.name);
        let body_name = contracted.body_name(self.b);
        self.define_body(function, contracted, body_name);
        if treatment == Treatment::Enforce && self.recursive {
            let body = self.stub(contracted)?;
            let stub = contracted.definition(self.b, used, body);
            self.last.push(stub);
        }
        if !self.contracts.satisfiable && (self.contracts.each || treatment == Treatment::Check) {
            let wrapping = Wrapping { requires: Use::Assumed, by_contract_inside: false };
            self.wrap(contracted, entry, wrapping)?;
        }
        match is_wrapped(treatment) {
            Some(wrapping) => {
                let by_contract_inside = wrapping.by_contract_inside && self.recursive;
                self.wrap(contracted, contracted.name, Wrapping { by_contract_inside, ..wrapping })?;
            }
            None => {
                let body = self.stub(contracted)?;
                let stub = contracted.definition(self.b, contracted.name, body);
                self.last.push(stub);
            }
        }
        Ok(())
    }

    /// What stands for a function by its contract. Where that is not modelled, only an execution that comes there has no answer:
    /// the body itself need not be called by anybody.
    fn stub(&mut self, contracted: &Contracted) -> Made<StmtId> {
        match contracted.stub(self.b, Use::Asserted) {
            Err(Problem::Unsupported(unsupported)) => Ok(contracted.unknown(self.b, &unsupported.what)),
            made => made,
        }
    }

    fn wrap(&mut self, contracted: &Contracted, name: Symbol, wrapping: Wrapping) -> Made<()> {
        *self.frames += 1;
        let body = contracted.wrapper(self.b, *self.frames, wrapping)?;
        let wrapper = contracted.definition(self.b, name, body);
        self.last.push(wrapper);
        Ok(())
    }

    /// Declares a function as another one is.
    fn declare(&mut self, contracted: &Contracted, name: Symbol) {
        let Item::Function(like) = contracted.definition(self.b, name, StmtId::new(0)) else { return };
        let item = InitDeclarator { declarator: like.declarator, init: None };
        let declaration = Declaration { specifiers: like.specifiers, declarators: vec![item] };
        self.items.push(Item::Declaration(declaration));
    }

    /// The function itself, under another name.
    fn define_body(&mut self, mut function: FunctionDefinition, contracted: &Contracted, name: Symbol) {
        function.declarator = contracted.declarator.clone();
        function.declarator.name = Some(name);
        self.items.push(Item::Function(function));
    }
}
