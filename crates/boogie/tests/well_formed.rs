//! Every rule of the well-formedness checker refuses a program that violates it.

mod support;

use base::EntityRef;
use ir::well_formed::{Rule, check};
use ir::{
    Attribute, AttributeArgument, BinaryOp, Block, ExprData, FunctionData, Meaning, Procedure, Program,
    StatementKind, Transfer, Type, Variable, VariableKind,
};

const PROGRAM: &str = r#"
type T; type P _;
const c: int; const t: T;
function f(x: int) returns (int) { x + c }
function g(x: int, y: bool) returns (int);
axiom (forall i: int :: f(i) >= c);
var v: int where v > 0; var w: int;
procedure p(a: int) returns (r: int)
  requires a > 0;
  modifies v;
  ensures r > old(v);
{
  var l: int where l < r;
  l, r := a, 1;
  havoc v;
  call l := q(a, true);
  assert {:msg "m"} l == old(v);
  if (a == l) { goto end; }
  assume (exists k: int :: k == l);
  end: return;
}
procedure q(b: int, x: bool) returns (s: int);
  modifies v;
"#;

fn variable(program: &Program, name: &str) -> Variable {
    let found = program.variables.iter().find(|(_, data)| data.name == name);
    found.unwrap_or_else(|| panic!("{name} is declared")).0
}

fn procedure(program: &Program, name: &str) -> Procedure {
    program.procedure(name).unwrap_or_else(|| panic!("{name} is declared"))
}

fn body(program: &mut Program) -> &mut ir::Body {
    let p = procedure(program, "p");
    program.procedures[p].body.as_mut().expect("`p` has a body")
}

fn statement(program: &mut Program, index: usize) -> &mut ir::Statement {
    &mut body(program).blocks[Block::new(0)].statements[index]
}

/// A way to damage a program.
type Damage = fn(&mut Program);

const TABLE: &[(&str, Rule, Damage)] = &[
    ("a name with a blank", Rule::Name, |p| {
        let v = variable(p, "v");
        p.variables[v].name = "v v".to_owned();
    }),
    ("a label that is no name", Rule::Name, |p| body(p).blocks[Block::new(0)].label = "1".to_owned()),
    ("two globals of one name", Rule::DeclaredTwice, |p| {
        let w = variable(p, "w");
        p.variables[w].name = "v".to_owned();
    }),
    ("a local that hides a global", Rule::DeclaredTwice, |p| {
        let l = variable(p, "l");
        p.variables[l].name = "w".to_owned();
    }),
    ("a parameter of a function that hides a constant", Rule::DeclaredTwice, |p| {
        let x = p.functions.values().next().expect("there is a function").parameters[0];
        p.variables[x].name = "c".to_owned();
    }),
    ("a bound variable that hides a local", Rule::DeclaredTwice, |p| {
        let k = variable(p, "k");
        p.variables[k].name = "l".to_owned();
    }),
    ("a bound variable that hides a constant", Rule::DeclaredTwice, |p| {
        let i = variable(p, "i");
        p.variables[i].name = "c".to_owned();
    }),
    ("two procedures of one name", Rule::DeclaredTwice, |p| {
        let q = procedure(p, "q");
        p.procedures[q].name = "p".to_owned();
    }),
    ("two blocks with one label", Rule::DeclaredTwice, |p| {
        body(p).blocks[Block::new(0)].label = "end".to_owned();
    }),
    ("a global that is not listed", Rule::Listed, |p| {
        let w = variable(p, "w");
        p.globals.retain(|&global| global != w);
    }),
    ("a local that is listed twice", Rule::Listed, |p| {
        let l = variable(p, "l");
        body(p).locals.push(l);
    }),
    ("a global among the constants", Rule::Listed, |p| {
        let w = variable(p, "w");
        p.globals.retain(|&global| global != w);
        p.constants.push(w);
    }),
    ("a constant with a where clause", Rule::Where, |p| {
        let span = p.axioms[0].span;
        let c = variable(p, "c");
        p.variables[c].where_clause = Some(p.bool(true, span));
    }),
    ("an axiom that is no formula", Rule::Type, |p| {
        let span = p.axioms[0].span;
        p.axioms[0].formula = p.int(1, span);
    }),
    ("an expression with a wrong type", Rule::Type, |p| {
        let span = p.axioms[0].span;
        let one = p.int(1, span);
        p.expressions.push(ExprData::Binary(BinaryOp::Add, one, one), Type::BOOL, span);
    }),
    ("an ill-typed expression", Rule::Type, |p| {
        let span = p.axioms[0].span;
        let (one, yes) = (p.int(1, span), p.bool(true, span));
        p.expressions.push(ExprData::Binary(BinaryOp::Add, one, yes), Type::INT, span);
    }),
    ("a constructor with too many arguments", Rule::Type, |p| {
        let constructor = p.constructors.keys().next().expect("there is a constructor");
        p.types.named(constructor, [Type::INT]);
    }),
    ("a map without arguments", Rule::Type, |p| {
        p.types.map([], Type::INT);
    }),
    ("a definition of the wrong type", Rule::Type, |p| {
        let span = p.axioms[0].span;
        let yes = p.bool(true, span);
        let f = p.functions.keys().next().expect("there is a function");
        p.functions[f].meaning = Meaning::Defined(yes);
    }),
    ("a builtin with the wrong signature", Rule::Type, |p| {
        let f = p.functions.keys().next().expect("there is a function");
        p.functions[f].meaning = Meaning::Builtin(ir::Builtin::UnsignedToInt);
    }),
    ("an assignment of the wrong type", Rule::Type, |p| {
        let span = p.axioms[0].span;
        let yes = p.bool(true, span);
        if let StatementKind::Assign(assignments) = &mut statement(p, 0).kind {
            assignments[0].1 = yes;
        }
    }),
    ("a call with too few arguments", Rule::Type, |p| {
        if let StatementKind::Call { arguments, .. } = &mut statement(p, 2).kind {
            arguments.pop();
        }
    }),
    ("a child behind its parent", Rule::Order, |p| {
        let span = p.axioms[0].span;
        let next = ir::Expr::new(p.expressions.len() + 1);
        p.expressions.push(ExprData::Unary(ir::UnaryOp::Not, next), Type::BOOL, span);
        p.bool(true, span);
    }),
    ("a function that does not exist", Rule::Order, |p| {
        let span = p.axioms[0].span;
        let function = ir::Function::new(p.functions.len());
        p.expressions.push(ExprData::Apply(function, [].into()), Type::BOOL, span);
    }),
    ("an axiom over a global", Rule::Visible, |p| {
        let span = p.axioms[0].span;
        let v = variable(p, "v");
        let (v, one) = (p.variable(v, span), p.int(1, span));
        p.axioms[0].formula = p.equal(v, one, span);
    }),
    ("`old` in a precondition", Rule::Visible, |p| {
        let span = p.axioms[0].span;
        let v = variable(p, "v");
        let (v, one) = (p.old(v, span), p.int(1, span));
        let condition = p.equal(v, one, span);
        let q = procedure(p, "p");
        p.procedures[q].requires[0].condition = condition;
    }),
    ("a result in a precondition", Rule::Visible, |p| {
        let span = p.axioms[0].span;
        let r = variable(p, "r");
        let (r, one) = (p.variable(r, span), p.int(1, span));
        let condition = p.equal(r, one, span);
        let q = procedure(p, "p");
        p.procedures[q].requires[0].condition = condition;
    }),
    ("a bound variable outside of its quantifier", Rule::Visible, |p| {
        let span = p.axioms[0].span;
        let i = variable(p, "i");
        let (i, one) = (p.variable(i, span), p.int(1, span));
        let condition = p.equal(i, one, span);
        statement(p, 3).kind = StatementKind::Assume(condition);
    }),
    ("a variable of another procedure", Rule::Visible, |p| {
        let span = p.axioms[0].span;
        let b = variable(p, "b");
        let (b, one) = (p.variable(b, span), p.int(1, span));
        let condition = p.equal(b, one, span);
        statement(p, 3).kind = StatementKind::Assume(condition);
    }),
    ("an assigned parameter", Rule::Target, |p| {
        let a = variable(p, "a");
        statement(p, 1).kind = StatementKind::Havoc(vec![a]);
    }),
    ("a target that occurs twice", Rule::Target, |p| {
        let l = variable(p, "l");
        statement(p, 1).kind = StatementKind::Havoc(vec![l, l]);
    }),
    ("a changed global that is not listed", Rule::Frame, |p| {
        let w = variable(p, "w");
        statement(p, 1).kind = StatementKind::Havoc(vec![w]);
    }),
    ("a callee that changes more", Rule::Frame, |p| {
        let (q, w) = (procedure(p, "q"), variable(p, "w"));
        p.procedures[q].modifies.push(w);
    }),
    ("a modified constant", Rule::Frame, |p| {
        let (q, c) = (procedure(p, "p"), variable(p, "c"));
        p.procedures[q].modifies.push(c);
    }),
    ("a jump to nowhere", Rule::Flow, |p| {
        body(p).blocks[Block::new(0)].transfer = Transfer::Goto(vec![Block::new(99)]);
    }),
    ("a jump without targets", Rule::Flow, |p| {
        body(p).blocks[Block::new(0)].transfer = Transfer::Goto(Vec::new());
    }),
    ("a body without blocks", Rule::Flow, |p| body(p).blocks.clear()),
    ("attributes of an assignment", Rule::Attribute, |p| {
        statement(p, 0).attributes.push(Attribute { name: "a".to_owned(), arguments: Vec::new() });
    }),
    ("an attribute with a line break", Rule::Attribute, |p| {
        let text = AttributeArgument::Text("a\nb".to_owned());
        statement(p, 3).attributes.push(Attribute { name: "a".to_owned(), arguments: vec![text] });
    }),
];

#[test]
fn the_program_is_well_formed() {
    support::check_program(&support::compile(PROGRAM));
}

#[test]
fn every_damage_is_found() {
    for (what, rule, damage) in TABLE {
        let mut program = support::compile(PROGRAM);
        damage(&mut program);
        let violations = check(&program);
        assert!(
            violations.iter().any(|violation| violation.rule == *rule),
            "{what}: expected {rule:?}, found {violations:?}"
        );
    }
}

#[test]
fn every_rule_is_in_the_table() {
    use Rule as R;
    for rule in [
        R::Name,
        R::DeclaredTwice,
        R::Listed,
        R::Where,
        R::Type,
        R::Order,
        R::Visible,
        R::Target,
        R::Frame,
        R::Flow,
        R::Attribute,
    ] {
        assert!(TABLE.iter().any(|(_, tested, _)| *tested == rule), "{rule:?}");
    }
}

#[test]
fn a_function_may_use_only_its_own_parameters() {
    let mut program = support::compile(PROGRAM);
    let f = program.functions.keys().next().expect("there is a function");
    let other = program.functions.push(FunctionData { name: "h".to_owned(), ..program.functions[f].clone() });
    assert!(program.variables[program.functions[f].parameters[0]].kind == VariableKind::FunctionParameter(f));
    let rules: Vec<Rule> = check(&program).into_iter().map(|violation| violation.rule).collect();
    assert!(rules.contains(&Rule::Listed) && rules.contains(&Rule::Visible), "{other}: {rules:?}");
}
