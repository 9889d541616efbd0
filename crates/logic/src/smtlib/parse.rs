//! Scripts and terms from SMT-LIB 2.6 text.
//!
//! A declared name is the store's symbol or function of that name and sort if there is one, so that reading what was
//! printed gives the same terms. Commands are read, not executed, except that `push` and `pop` limit how far
//! declarations reach.

use super::names::decode;
use super::parse_term::TermParser;
use super::sexpr::{Document, Error, Node, Sexpr};
use super::signature::{Meaning, Signature, Undeclared};
use crate::sort::{Sort, SortData};
use crate::symbol::{Function, Symbol};
use crate::term::{Term, Terms};

/// A command of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `set-logic`.
    SetLogic(String),
    /// `declare-const`, or `declare-fun` without parameters.
    DeclareSymbol(Symbol),
    /// `declare-fun` with parameters.
    DeclareFunction(Function),
    /// `declare-sort`.
    DeclareSort(Sort),
    /// `assert`, with the name if the formula has one.
    Assert(Term, Option<String>),
    /// `check-sat`.
    CheckSat,
    /// `check-sat-assuming`.
    CheckSatAssuming(Vec<Term>),
    /// `push`.
    Push(u32),
    /// `pop`.
    Pop(u32),
    /// `reset` or `reset-assertions`.
    Reset,
    /// `get-value`.
    GetValue(Vec<Term>),
    /// A command that means nothing for the assertions, by its name: `set-info`, `get-model`, `exit`, ….
    Other(String),
}

/// The commands of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// In order.
    pub commands: Vec<Command>,
}

impl Script {
    /// All asserted formulas, in order, whatever `push` and `pop` do to them.
    pub fn assertions(&self) -> impl Iterator<Item = Term> {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(formula, _) => Some(*formula),
            _ => None,
        })
    }
}

/// Reads a script that declares whatever it uses.
pub fn script(terms: &mut Terms, text: &str) -> Result<Script, Error> {
    let mut signature = Signature::new(Undeclared::IsAnError);
    script_with(terms, &mut signature, text)
}

/// Reads a script under declarations; its own are added.
pub fn script_with(terms: &mut Terms, signature: &mut Signature, text: &str) -> Result<Script, Error> {
    let document = Document::read(text)?;
    let mut commands = Vec::new();
    for &root in document.roots() {
        let command = CommandParser { terms, signature, document: &document, root }.command()?;
        commands.extend(command);
    }
    Ok(Script { commands })
}

/// Reads one term over the symbols and functions of the store.
pub fn term(terms: &mut Terms, text: &str) -> Result<Term, Error> {
    let document = Document::read(text)?;
    let mut signature = Signature::new(Undeclared::IsInTheStore);
    match document.roots() {
        &[root] => term_at(terms, &mut signature, &document, root),
        roots => {
            let message = format!("one term is expected here, not {}", roots.len());
            Err(Error { at: base::LineColumn { line: 1, column: 1 }, message })
        }
    }
}

/// The term that a node of a document denotes.
pub fn term_at(
    terms: &mut Terms,
    signature: &mut Signature,
    document: &Document<'_>,
    node: Node,
) -> Result<Term, Error> {
    TermParser::new(terms, signature, document).term(node)
}

struct CommandParser<'p, 'd> {
    terms: &'p mut Terms,
    signature: &'p mut Signature,
    document: &'d Document<'d>,
    root: Node,
}

impl<'d> CommandParser<'_, 'd> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(self.document.error(self.root, message))
    }

    fn sort(&mut self, node: Node) -> Result<Sort, Error> {
        self.signature.sort(self.terms, self.document, node)
    }

    fn name(&self, node: Node) -> Result<&'d str, Error> {
        match self.document.get(node) {
            Sexpr::Symbol(name) => Ok(name),
            _ => Err(self.document.error(node, "a name is expected here")),
        }
    }

    fn term(&mut self, node: Node) -> Result<Term, Error> {
        term_at(self.terms, self.signature, self.document, node)
    }

    fn formula(&mut self, node: Node) -> Result<Term, Error> {
        let formula = self.term(node)?;
        if self.terms.sort_of(formula) == Sort::BOOL {
            Ok(formula)
        } else {
            Err(self.document.error(node, "this is no formula"))
        }
    }

    fn terms(&mut self, list: Node, formulas: bool) -> Result<Vec<Term>, Error> {
        let Some(nodes) = self.document.list(list) else {
            return Err(self.document.error(list, "a list of terms is expected here"));
        };
        nodes.iter().map(|&node| if formulas { self.formula(node) } else { self.term(node) }).collect()
    }

    fn command(&mut self) -> Result<Option<Command>, Error> {
        let Some(&[keyword, ref arguments @ ..]) = self.document.list(self.root) else {
            return self.wrong("a command is expected here");
        };
        let keyword = self.name(keyword)?;
        let command = match (keyword, arguments) {
            ("set-logic", &[logic]) => Command::SetLogic(self.name(logic)?.to_owned()),
            ("declare-const", &[name, result]) => self.declare(name, &[], result)?,
            ("declare-fun", &[name, parameters, result]) => match self.document.list(parameters) {
                Some(parameters) => self.declare(name, parameters, result)?,
                None => return self.wrong("the parameters of `declare-fun` are a list of sorts"),
            },
            ("declare-sort", &[name]) => self.declare_sort(name)?,
            ("declare-sort", &[name, arity]) if self.document.get(arity) == Sexpr::Numeral("0") => {
                self.declare_sort(name)?
            }
            ("define-sort", &[name, parameters, sort]) if self.document.list(parameters) == Some(&[]) => {
                let sort = self.sort(sort)?;
                let declared = self.signature.declare_sort(self.name(name)?, sort);
                declared.map_err(|message| self.document.error(name, message))?;
                return Ok(None);
            }
            ("define-const", &[name, sort, body]) => return self.define(name, &[], sort, body),
            ("define-fun", &[name, parameters, sort, body]) => match self.document.list(parameters) {
                Some(parameters) => return self.define(name, parameters, sort, body),
                None => return self.wrong("the parameters of `define-fun` are a list"),
            },
            ("assert", &[formula]) => Command::Assert(self.formula(formula)?, self.label(formula)),
            ("check-sat", []) => Command::CheckSat,
            ("check-sat-assuming", &[assumptions]) => {
                Command::CheckSatAssuming(self.terms(assumptions, true)?)
            }
            ("push", []) => self.push(1),
            ("pop", []) => self.pop(1)?,
            ("push", &[count]) => self.count(count).map(|count| self.push(count))?,
            ("pop", &[count]) => self.count(count).and_then(|count| self.pop(count))?,
            ("reset" | "reset-assertions", []) => {
                self.signature.reset();
                Command::Reset
            }
            ("get-value", &[list]) => Command::GetValue(self.terms(list, false)?),
            (
                "set-info"
                | "set-option"
                | "get-info"
                | "get-option"
                | "get-model"
                | "get-unsat-core"
                | "get-unsat-assumptions"
                | "get-assertions"
                | "get-assignment"
                | "get-proof"
                | "echo"
                | "exit",
                _,
            ) => Command::Other(keyword.to_owned()),
            _ => return self.wrong(format!("this form of `{keyword}` is not supported")),
        };
        Ok(Some(command))
    }

    /// The name in `(! formula :named name)`.
    fn label(&self, node: Node) -> Option<String> {
        let elements = self.document.list(node)?;
        if self.document.symbol(*elements.first()?) != Some("!") {
            return None;
        }
        let named = |pair: &&[Node]| self.document.get(pair[0]) == Sexpr::Keyword("named");
        let pair = elements.windows(2).find(named)?;
        self.document.symbol(pair[1]).map(decode)
    }

    fn count(&self, node: Node) -> Result<u32, Error> {
        let count = match self.document.get(node) {
            Sexpr::Numeral(digits) => digits.parse().ok().filter(|&count| count <= 1 << 16),
            _ => None,
        };
        count.ok_or_else(|| self.document.error(node, "a small number is expected here"))
    }

    fn push(&mut self, count: u32) -> Command {
        self.signature.push(count);
        Command::Push(count)
    }

    fn pop(&mut self, count: u32) -> Result<Command, Error> {
        if self.signature.pop(count) {
            Ok(Command::Pop(count))
        } else {
            self.wrong("there is no `push` for this")
        }
    }

    fn declare_sort(&mut self, name: Node) -> Result<Command, Error> {
        let symbol = self.name(name)?;
        let sort = self.terms.sort(SortData::Uninterpreted(decode(symbol)));
        let declared = self.signature.declare_sort(symbol, sort);
        declared.map_err(|message| self.document.error(name, message))?;
        Ok(Command::DeclareSort(sort))
    }

    fn declare(&mut self, name: Node, parameters: &[Node], result: Node) -> Result<Command, Error> {
        let symbol = self.name(name)?;
        let parameters: Vec<Sort> = parameters.iter().map(|&p| self.sort(p)).collect::<Result<_, _>>()?;
        let result = self.sort(result)?;
        let wish = decode(symbol);
        let (meaning, command) = if parameters.is_empty() {
            let known = self.terms.symbol_by_name(&wish);
            let known = known.filter(|&known| self.terms.symbol_data(known).sort == result);
            let symbol = known.unwrap_or_else(|| self.terms.symbol(&wish, result));
            (Meaning::Term(self.terms.constant(symbol)), Command::DeclareSymbol(symbol))
        } else {
            let known = self.terms.function_by_name(&wish).filter(|&known| {
                let data = self.terms.function_data(known);
                data.parameters == parameters && data.result == result
            });
            let function = known.unwrap_or_else(|| self.terms.function(&wish, &parameters, result));
            (Meaning::Function(function), Command::DeclareFunction(function))
        };
        let declared = self.signature.declare(symbol, meaning);
        declared.map_err(|message| self.document.error(name, message))?;
        Ok(command)
    }

    fn define(
        &mut self,
        name: Node,
        parameters: &[Node],
        sort: Node,
        body: Node,
    ) -> Result<Option<Command>, Error> {
        let symbol = self.name(name)?;
        if float::Operation::parse(symbol).is_some() {
            // What these names mean is known; the definition is for those who do not know it.
            return Ok(None);
        }
        let wanted = self.sort(sort)?;
        let mut named: Vec<(&'d str, Symbol)> = Vec::with_capacity(parameters.len());
        for &parameter in parameters {
            let Some(&[parameter_name, sort]) = self.document.list(parameter) else {
                return Err(self.document.error(parameter, "a name and a sort are expected here"));
            };
            let sort = self.sort(sort)?;
            let parameter_name = self.name(parameter_name)?;
            named.push((parameter_name, self.terms.fresh_symbol(&decode(parameter_name), sort)));
        }
        let mut parser = TermParser::new(self.terms, self.signature, self.document);
        for &(parameter_name, parameter) in &named {
            let parameter = parser.terms.constant(parameter);
            parser.bind_parameter(parameter_name, parameter);
        }
        let mut value = parser.term(body)?;
        if wanted == Sort::REAL && self.terms.sort_of(value) == Sort::INT {
            value = self.terms.to_real(value);
        }
        if self.terms.sort_of(value) != wanted {
            return Err(self.document.error(body, "the body has another sort"));
        }
        let meaning = if named.is_empty() {
            Meaning::Term(value)
        } else {
            let parameters = named.into_iter().map(|(_, parameter)| parameter).collect();
            Meaning::Macro { parameters, body: value }
        };
        let declared = self.signature.declare(symbol, meaning);
        declared.map_err(|message| self.document.error(name, message))?;
        Ok(None)
    }
}
