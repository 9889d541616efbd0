//! A script: which responses it asks for, and the programs behind them.

use crate::back::Back;
use crate::builder::Builder;
use crate::problem::{Failure, Problem, mistake, unsupported};
use crate::properties::{Claim, Property, unwrapped};
use crate::question::{Question, Ranks, Recurring};
use crate::syntax::{Document, Node};
use base::{Diagnostic, FileId, Span};
use ir::{Program, Type};
use std::collections::BTreeMap;

/// A `verify-call` of a script, by its position among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call(usize);

/// What a command of a script wants to be told.
#[derive(Clone, Debug)]
pub enum Response {
    /// `correct`, `incorrect` or `unknown`
    Verdict(Call),
    /// The witness of the call before.
    Witness(Call),
    /// Something is wrong with the command, but the others have a meaning; why.
    Error(String),
}

struct VerifyCall {
    /// The number of the command.
    command: usize,
    procedure: Node,
    inputs: Node,
    span: Span,
}

/// A script.
pub struct Script {
    document: Document,
    start: Span,
    calls: Vec<VerifyCall>,
    /// What the commands want to be told, in their order.
    pub responses: Vec<Response>,
}

/// A program of the intermediate language with the way back to its script.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The way back.
    pub back: Back,
    /// What the author of the script should know.
    pub warnings: Vec<Diagnostic>,
}

/// A property of a statement of the script.
struct Attached {
    property: Property,
}

impl Script {
    /// Reads a script, or says why it cannot be used. All of it is checked, whether a call needs it or not.
    pub fn read(file: FileId, text: &str) -> Result<Script, Failure> {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = Span::new(file, 0, end.min(1));
        let document = Document::read(file, text)
            .map_err(|diagnostic| Failure { errors: vec![diagnostic], ..Failure::default() })?;
        let mut script = Script { document, start, calls: Vec::new(), responses: Vec::new() };
        if let Err(problem) = script.list_responses() {
            let mut failure = Failure::default();
            failure.add(problem);
            return Err(failure);
        }
        if script.calls.is_empty() {
            // Mistakes come first: a call may be missing because of one.
            script.build(script.document.roots.len(), Question::Safety(Ranks::InRounds), None)?;
            let at = Span::new(file, end, end);
            let diagnostic = Diagnostic::error(at, "the script verifies nothing")
                .help("ask with a command such as `(verify-call main ())`");
            return Err(Failure { errors: vec![diagnostic], ..Failure::default() });
        }
        for call in script.calls() {
            script.questions(call)?;
        }
        Ok(script)
    }

    fn list_responses(&mut self) -> Result<(), Problem> {
        let mut last = None;
        for (command, &root) in self.document.roots.iter().enumerate() {
            let span = self.document.span(root);
            match self.document.headed(root) {
                Some(("verify-call", [procedure, inputs])) => {
                    let call = Call(self.calls.len());
                    self.calls.push(VerifyCall { command, procedure: *procedure, inputs: *inputs, span });
                    self.responses.push(Response::Verdict(call));
                    last = Some(call);
                    continue;
                }
                Some(("verify-call", _)) => {
                    return Err(mistake(span, "`verify-call` takes a procedure and a list of terms"));
                }
                Some(("get-witness", [])) => self.responses.push(match last {
                    Some(call) => Response::Witness(call),
                    None => {
                        Response::Error("there is no `verify-call` directly before `get-witness`".to_owned())
                    }
                }),
                Some(("exit", [])) => break,
                _ => {}
            }
            last = None;
        }
        Ok(())
    }

    /// All calls that are verified.
    pub fn calls(&self) -> impl Iterator<Item = Call> + use<> {
        (0..self.calls.len()).map(Call)
    }

    /// Where a call stands.
    pub fn span(&self, call: Call) -> Span {
        self.calls[call.0].span
    }

    /// Whether a trace says which way the executions go.
    pub fn has_trace(&self, call: Call) -> bool {
        let commands = &self.document.roots[..self.calls[call.0].command];
        commands.iter().any(|&root| matches!(self.document.headed(root), Some(("select-trace", _))))
    }

    /// The questions that a call comes down to.
    pub fn questions(&self, call: Call) -> Result<Vec<Question>, Failure> {
        let lenient = Question::Safety(Ranks::InRounds);
        let (builder, attached) = self.build(self.calls[call.0].command, lenient, Some(call))?;
        let has = |claim: fn(&Claim) -> bool| attached.iter().any(|one| claim(&one.property.claim));
        let recurring = |one: &Attached| match one.property.claim {
            Claim::Recurring => Some(Question::Recurring(Recurring(one.property.keyword))),
            _ => None,
        };
        if let Some(trace) = &builder.trace {
            return Ok(match trace.violated.1.claim {
                Claim::NotRecurring => vec![Question::NotRecurring],
                Claim::Recurring => attached.iter().filter_map(recurring).take(1).collect(),
                _ => vec![lenient],
            });
        }
        let is_ranked = has(|claim| matches!(claim, Claim::Decreases(_)));
        let mut questions = vec![if is_ranked { Question::Safety(Ranks::Always) } else { lenient }];
        if has(|claim| matches!(claim, Claim::NotRecurring)) {
            questions.push(Question::NotRecurring);
        }
        for question in attached.iter().filter_map(recurring) {
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        Ok(questions)
    }

    /// The program of a question.
    pub fn program(&self, call: Call, question: Question) -> Result<Compiled, Failure> {
        let (builder, _) = self.build(self.calls[call.0].command, question, Some(call))?;
        Ok(Compiled { program: builder.program, back: builder.back, warnings: Vec::new() })
    }

    fn build(
        &self,
        commands: usize,
        question: Question,
        call: Option<Call>,
    ) -> Result<(Builder<'_>, Vec<Attached>), Failure> {
        let mut builder = Builder::new(&self.document, self.start, question);
        for (number, &root) in self.document.roots[..commands].iter().enumerate() {
            builder.command(root, number);
        }
        // What a command has not declared would look like a mistake of those that use it.
        if !builder.failure.is_empty() {
            return Err(sorted(builder.failure));
        }
        if builder.trace.is_some() {
            let step = builder.internal_global("step", Type::INT);
            builder.step = Some(step);
        }
        // The beginning knows the counters that bodies use.
        let conditions = builder.count();
        builder.bodies();
        let attached = match self.attached(&builder) {
            Ok(attached) => attached,
            Err(problem) => {
                builder.failure.add(problem);
                Vec::new()
            }
        };
        if let Some(call) = call {
            let VerifyCall { procedure, inputs, command, .. } = self.calls[call.0];
            if let Err(problem) = builder.make_call(conditions, procedure, inputs, command) {
                builder.failure.add(problem);
            }
        }
        if !builder.failure.is_empty() {
            return Err(sorted(builder.failure));
        }
        builder.finish();
        Ok((builder, attached))
    }

    /// The properties that statements have. A tag must be there when it gets a property; one that never comes is
    /// nobody's.
    fn attached(&self, builder: &Builder<'_>) -> Result<Vec<Attached>, Problem> {
        let mut tags: BTreeMap<String, usize> = BTreeMap::new();
        let mut attached = Vec::new();
        for declared in &builder.procedures {
            let mut pending = vec![declared.body];
            while let Some(node) = pending.pop() {
                if let Some(("!", _)) = self.document.headed(node) {
                    let (base, attributes) = unwrapped(&self.document, node, declared.command)?;
                    attached.extend(attributes.properties.into_iter().map(|property| Attached { property }));
                    for tag in attributes.tags {
                        tags.entry(tag).or_insert(declared.command);
                    }
                    pending.push(base);
                } else {
                    pending.extend(self.document.list(node).unwrap_or_default());
                }
            }
        }
        for annotation in &builder.annotations {
            match tags.get(&annotation.tag) {
                Some(&command) if annotation.properties.iter().any(|property| property.command < command) => {
                    let what = format!("an annotation of the tag `{}` before the tag", annotation.tag);
                    return Err(unsupported(annotation.span, what));
                }
                Some(_) => {
                    let properties = annotation.properties.iter().cloned();
                    attached.extend(properties.map(|property| Attached { property }));
                }
                None if annotation.tag == "exit" => {
                    return Err(unsupported(annotation.span, "the tag `exit` that no statement has"));
                }
                None => {}
            }
        }
        Ok(attached)
    }
}

/// People read from top to bottom.
fn sorted(mut failure: Failure) -> Failure {
    failure.errors.sort_by_key(|error| error.span);
    failure.unsupported.sort_by_key(|unsupported| unsupported.span);
    failure
}
