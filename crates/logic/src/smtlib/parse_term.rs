//! Terms from SMT-LIB text, through the canonical constructors.
//!
//! Parsing is iterative: an explicit stack of steps, and the terms that are finished so far. Quantified variables are
//! fresh symbols while their body is read.

use super::names::decode;
use super::operators;
use super::sexpr::{Document, Error, Node, Sexpr};
use super::signature::{Meaning, Signature};
use crate::sort::Sort;
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Quantifier, Term, Terms};
use crate::{Integer, Rational};
use num_traits::Num;
use rustc_hash::FxHashMap;

/// Reads terms of one document.
pub(super) struct TermParser<'p, 'd> {
    pub(super) terms: &'p mut Terms,
    pub(super) signature: &'p mut Signature,
    pub(super) document: &'d Document<'d>,
    /// What `let`s, quantifiers and parameters bind, innermost last.
    locals: FxHashMap<&'d str, Vec<Term>>,
    quantifiers: usize,
    steps: Vec<Step<'d>>,
    finished: Vec<Term>,
}

enum Step<'d> {
    Read(Node),
    /// Applies the head of a list to the last finished terms.
    Apply(Node, usize),
    /// The definitions of a `let` are finished: reads its body.
    Bind {
        bindings: &'d [Node],
        body: Node,
    },
    Unbind {
        bindings: &'d [Node],
    },
    /// The body and the patterns of a quantifier are finished.
    Quantify(Quantified<'d>),
    /// Names the last finished term.
    Name {
        node: Node,
        name: &'d str,
    },
}

struct Quantified<'d> {
    node: Node,
    quantifier: Quantifier,
    bindings: &'d [Node],
    variables: Vec<Symbol>,
    triggers: Vec<usize>,
}

impl<'p, 'd> TermParser<'p, 'd> {
    pub(super) fn new(
        terms: &'p mut Terms,
        signature: &'p mut Signature,
        document: &'d Document<'d>,
    ) -> TermParser<'p, 'd> {
        TermParser {
            terms,
            signature,
            document,
            locals: FxHashMap::default(),
            quantifiers: 0,
            steps: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Gives names to the parameters of a definition.
    pub(super) fn bind_parameter(&mut self, name: &'d str, parameter: Term) {
        self.locals.entry(name).or_default().push(parameter);
    }

    /// The term that a node denotes.
    pub(super) fn term(&mut self, node: Node) -> Result<Term, Error> {
        self.steps.push(Step::Read(node));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Read(node) => self.read(node)?,
                Step::Apply(node, count) => self.apply(node, count)?,
                Step::Bind { bindings, body } => {
                    let definitions = self.finished.split_off(self.finished.len() - bindings.len());
                    for (&binding, definition) in bindings.iter().zip(definitions) {
                        let name = self.binding(binding)?.0;
                        self.locals.entry(name).or_default().push(definition);
                    }
                    self.steps.extend([Step::Unbind { bindings }, Step::Read(body)]);
                }
                Step::Unbind { bindings } => self.unbind(bindings)?,
                Step::Quantify(quantified) => self.quantify(quantified)?,
                Step::Name { node, name } => self.name(node, name)?,
            }
        }
        Ok(self.finished.pop().expect("one term was read"))
    }

    /// The two parts of `(name something)`.
    fn binding(&self, node: Node) -> Result<(&'d str, Node), Error> {
        if let Some(&[name, other]) = self.document.list(node)
            && let Some(name) = self.document.symbol(name)
        {
            return Ok((name, other));
        }
        Err(self.document.error(node, "a name and what it is bound to are expected here"))
    }

    fn unbind(&mut self, bindings: &'d [Node]) -> Result<(), Error> {
        for &binding in bindings {
            let name = self.binding(binding)?.0;
            self.locals.get_mut(name).and_then(Vec::pop).expect("it was bound");
        }
        Ok(())
    }

    fn read(&mut self, node: Node) -> Result<(), Error> {
        let document = self.document;
        let wrong = |message: &str| Err(document.error(node, message));
        let finished = match document.get(node) {
            Sexpr::Symbol(name) => self.constant(node, name)?,
            Sexpr::Numeral(digits) => self.terms.int(integer(digits, 10)),
            Sexpr::Decimal(digits) => self.terms.real(decimal(digits)),
            Sexpr::Hexadecimal(digits) => self.bits(node, digits, 16, 4)?,
            Sexpr::Binary(digits) => self.bits(node, digits, 2, 1)?,
            Sexpr::String(_) => return wrong("strings are not supported"),
            Sexpr::Keyword(_) => return wrong("a keyword is no term"),
            Sexpr::List([]) => return wrong("an empty list is no term"),
            Sexpr::List(elements) => {
                return match document.get(elements[0]) {
                    Sexpr::Symbol("let") => self.read_let(node, elements),
                    Sexpr::Symbol("forall") => self.read_quantifier(node, elements, Quantifier::Forall),
                    Sexpr::Symbol("exists") => self.read_quantifier(node, elements, Quantifier::Exists),
                    Sexpr::Symbol("!") => self.read_annotated(node, elements),
                    Sexpr::Symbol("_") => {
                        let literal = self.indexed_literal(node, elements)?;
                        self.finished.push(literal);
                        Ok(())
                    }
                    Sexpr::Symbol("as") => match elements {
                        &[_, name, sort] => self.qualified(name, sort),
                        _ => wrong("`as` wants a name and a sort"),
                    },
                    Sexpr::Symbol(_) | Sexpr::List(_) => {
                        self.steps.push(Step::Apply(node, elements.len() - 1));
                        self.steps.extend(elements[1..].iter().rev().map(|&argument| Step::Read(argument)));
                        Ok(())
                    }
                    _ => wrong("this is applied but is no function"),
                };
            }
        };
        self.finished.push(finished);
        Ok(())
    }

    fn constant(&mut self, node: Node, name: &'d str) -> Result<Term, Error> {
        if let Some(&local) = self.locals.get(name).and_then(|bound| bound.last()) {
            return Ok(local);
        }
        match self.signature.meaning(self.terms, name) {
            Some(Meaning::Term(term)) => Ok(term),
            Some(_) => Err(self.document.error(node, format!("`{name}` wants arguments"))),
            None => operators::apply(self.terms, name, &[], &[]).map_err(|m| self.document.error(node, m)),
        }
    }

    fn bits(&mut self, node: Node, digits: &str, radix: u32, bits_each: u32) -> Result<Term, Error> {
        let width = u32::try_from(digits.len()).ok().and_then(|count| count.checked_mul(bits_each));
        match width {
            Some(width) if width <= operators::MAX_WIDTH => {
                Ok(self.terms.bitvec(integer(digits, radix), width))
            }
            _ => Err(self.document.error(node, "this bit-vector is too wide")),
        }
    }

    /// `(_ bvN width)`.
    fn indexed_literal(&mut self, node: Node, elements: &[Node]) -> Result<Term, Error> {
        if let &[_, name, width] = elements
            && let Some(digits) = self.document.symbol(name).and_then(|name| name.strip_prefix("bv"))
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && let Sexpr::Numeral(width) = self.document.get(width)
            && let Ok(width) = width.parse()
            && (1..=operators::MAX_WIDTH).contains(&width)
        {
            return Ok(self.terms.bitvec(integer(digits, 10), width));
        }
        Err(self.document.error(node, "this is no literal that is supported"))
    }

    /// `(as name sort)` outside of the head of an application.
    fn qualified(&mut self, name: Node, sort: Node) -> Result<(), Error> {
        let wanted = self.signature.sort(self.terms, self.document, sort)?;
        let Some(symbol) = self.document.symbol(name) else {
            return Err(self.document.error(name, "`as` wants a name"));
        };
        let term = self.constant(name, symbol)?;
        if self.terms.sort_of(term) != wanted {
            return Err(self.document.error(name, format!("`{symbol}` has another sort")));
        }
        self.finished.push(term);
        Ok(())
    }

    fn read_let(&mut self, node: Node, elements: &'d [Node]) -> Result<(), Error> {
        let &[_, bindings, body] = elements else {
            return Err(self.document.error(node, "`let` wants bindings and a term"));
        };
        let Some(bindings) = self.document.list(bindings) else {
            return Err(self.document.error(bindings, "the bindings of a `let` are a list"));
        };
        self.steps.push(Step::Bind { bindings, body });
        for &binding in bindings.iter().rev() {
            let definition = self.binding(binding)?.1;
            self.steps.push(Step::Read(definition));
        }
        Ok(())
    }

    fn read_quantifier(
        &mut self,
        node: Node,
        elements: &'d [Node],
        quantifier: Quantifier,
    ) -> Result<(), Error> {
        let &[_, bindings, body] = elements else {
            return Err(self.document.error(node, "a quantifier wants variables and a formula"));
        };
        let Some(bindings) = self.document.list(bindings) else {
            return Err(self.document.error(bindings, "the variables of a quantifier are a list"));
        };
        let mut variables = Vec::with_capacity(bindings.len());
        for &binding in bindings {
            let (name, sort) = self.binding(binding)?;
            let sort = self.signature.sort(self.terms, self.document, sort)?;
            let variable = self.terms.fresh_symbol(&decode(name), sort);
            variables.push(variable);
            let variable = self.terms.constant(variable);
            self.locals.entry(name).or_default().push(variable);
        }
        let mut triggers = Vec::new();
        let mut patterns = Vec::new();
        let mut body = body;
        if let Some(annotated) = self.document.list(body)
            && annotated.len() > 1
            && self.document.symbol(annotated[0]) == Some("!")
        {
            body = annotated[1];
            for attribute in annotated[2..].windows(2) {
                if self.document.get(attribute[0]) == Sexpr::Keyword("pattern") {
                    let Some(trigger) = self.document.list(attribute[1]) else {
                        return Err(self.document.error(attribute[1], "a pattern is a list of terms"));
                    };
                    triggers.push(trigger.len());
                    patterns.extend_from_slice(trigger);
                }
            }
        }
        self.quantifiers += 1;
        self.steps.push(Step::Quantify(Quantified { node, quantifier, bindings, variables, triggers }));
        self.steps.extend(patterns.into_iter().rev().map(Step::Read));
        self.steps.push(Step::Read(body));
        Ok(())
    }

    fn quantify(&mut self, quantified: Quantified<'d>) -> Result<(), Error> {
        let Quantified { node, quantifier, bindings, variables, triggers } = quantified;
        self.unbind(bindings)?;
        self.quantifiers -= 1;
        let patterns = self.finished.split_off(self.finished.len() - triggers.iter().sum::<usize>());
        let mut patterns = patterns.into_iter();
        let triggers: Vec<Vec<Term>> =
            triggers.iter().map(|&length| patterns.by_ref().take(length).collect()).collect();
        let body = self.finished.pop().expect("the body is finished");
        if self.terms.sort_of(body) != Sort::BOOL {
            return Err(self.document.error(node, "what is quantified is no formula"));
        }
        let mut names = Vec::with_capacity(bindings.len());
        for &binding in bindings {
            names.push(decode(self.binding(binding)?.0));
        }
        let term = self.terms.quantify_named(quantifier, &variables, &names, body, &triggers);
        self.finished.push(term);
        Ok(())
    }

    fn read_annotated(&mut self, node: Node, elements: &'d [Node]) -> Result<(), Error> {
        let Some(&term) = elements.get(1) else {
            return Err(self.document.error(node, "`!` wants a term"));
        };
        for attribute in elements[2..].windows(2) {
            if self.document.get(attribute[0]) == Sexpr::Keyword("named") {
                let Some(name) = self.document.symbol(attribute[1]) else {
                    return Err(self.document.error(attribute[1], "`:named` wants a name"));
                };
                self.steps.push(Step::Name { node, name });
            }
        }
        self.steps.push(Step::Read(term));
        Ok(())
    }

    fn name(&mut self, node: Node, name: &'d str) -> Result<(), Error> {
        if self.quantifiers > 0 {
            return Err(self.document.error(node, "a term inside a quantifier cannot be named"));
        }
        let term = *self.finished.last().expect("the term is finished");
        let declared = self.signature.declare(name, Meaning::Term(term));
        declared.map_err(|message| self.document.error(node, message))
    }

    fn apply(&mut self, node: Node, count: usize) -> Result<(), Error> {
        let arguments = self.finished.split_off(self.finished.len() - count);
        let head = self.document.list(node).expect("lists are applied")[0];
        let applied = match self.document.get(head) {
            Sexpr::Symbol(name) => self.call(name, &arguments),
            Sexpr::List(&[keyword, name, sort]) if self.document.symbol(keyword) == Some("as") => {
                let sort = self.signature.sort(self.terms, self.document, sort)?;
                match self.document.symbol(name) {
                    Some("const") => self.const_array(sort, &arguments),
                    Some(name) => self.call(name, &arguments),
                    None => Err("`as` wants a name".into()),
                }
            }
            Sexpr::List(&[keyword, name, ref indices @ ..]) if self.document.symbol(keyword) == Some("_") => {
                let digits = |&index: &Node| match self.document.get(index) {
                    Sexpr::Numeral(digits) => Some(integer(digits, 10)),
                    _ => None,
                };
                let indices: Option<Vec<Integer>> = indices.iter().map(digits).collect();
                match (self.document.symbol(name), indices) {
                    (Some(name), Some(indices)) => operators::apply(self.terms, name, &indices, &arguments),
                    _ => Err("`_` wants a name and numbers".into()),
                }
            }
            _ => Err("this is applied but is no function".into()),
        };
        let applied = applied.map_err(|message| self.document.error(node, message))?;
        self.finished.push(applied);
        Ok(())
    }

    fn const_array(&mut self, sort: Sort, arguments: &[Term]) -> Result<Term, String> {
        match (self.terms.array_parts(sort), arguments) {
            (Some((_, element)), &[value]) if self.terms.sort_of(value) == element => {
                Ok(self.terms.const_array(sort, value))
            }
            (Some((_, Sort::REAL)), &[value]) if self.terms.sort_of(value) == Sort::INT => {
                let value = self.terms.to_real(value);
                Ok(self.terms.const_array(sort, value))
            }
            _ => Err("`const` wants an array sort and one element of it".into()),
        }
    }

    /// Applies a declared or defined function, or one of the theories.
    fn call(&mut self, name: &str, arguments: &[Term]) -> Result<Term, String> {
        let (parameters, body) = match self.signature.meaning(self.terms, name) {
            None => return operators::apply(self.terms, name, &[], arguments),
            Some(Meaning::Term(_)) => return Err(format!("`{name}` is no function")),
            Some(Meaning::Function(function)) => {
                let parameters = self.terms.function_data(function).parameters.clone();
                let arguments = self.matching(name, &parameters, arguments)?;
                return Ok(self.terms.apply(function, &arguments));
            }
            Some(Meaning::Macro { parameters, body }) => (parameters, body),
        };
        let sorts: Vec<Sort> = parameters.iter().map(|&p| self.terms.symbol_data(p).sort).collect();
        let arguments = self.matching(name, &sorts, arguments)?;
        let mut substitution: Substitution = parameters.into_iter().zip(arguments).collect();
        Ok(substitution.apply(self.terms, body))
    }

    /// The arguments, if they fit the parameters.
    fn matching(&mut self, name: &str, parameters: &[Sort], arguments: &[Term]) -> Result<Vec<Term>, String> {
        if parameters.len() != arguments.len() {
            return Err(format!("`{name}` wants {} arguments, not {}", parameters.len(), arguments.len()));
        }
        let mut fitting = Vec::with_capacity(arguments.len());
        for (position, (&wanted, &argument)) in parameters.iter().zip(arguments).enumerate() {
            let found = self.terms.sort_of(argument);
            fitting.push(match (found, wanted) {
                _ if found == wanted => argument,
                (Sort::INT, Sort::REAL) => self.terms.to_real(argument),
                _ => {
                    let [found, wanted] = [found, wanted].map(|sort| super::print::sort(self.terms, sort));
                    return Err(format!(
                        "argument {} of `{name}` is of sort {found}, not {wanted}",
                        position + 1
                    ));
                }
            });
        }
        Ok(fitting)
    }
}

/// The value of digits that the reader has checked.
pub(super) fn integer(digits: &str, radix: u32) -> Integer {
    Integer::from_str_radix(digits, radix).expect("the reader checked the digits")
}

/// The value of a decimal that the reader has checked.
pub(super) fn decimal(text: &str) -> Rational {
    let (whole, fraction) = text.split_once('.').expect("the reader checked the point");
    let scale = Integer::from(10).pow(fraction.len() as u32);
    Rational::new(integer(&format!("{whole}{fraction}"), 10), scale)
}
