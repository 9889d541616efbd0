//! The verifier's own functions, under the names that users of several verifiers write: assertions, assumptions,
//! inputs, the ends of an execution, and the error function.
//!
//! Which function means what is one table ([`meaning`]). A function with a body means what its body says, except for
//! `reach_error` under the property that names it, and for `assert` and `__VERIFIER_assert` where assertions are checked.
//!
//! An assertion of the C library ends the program when it fails; one of a verifier (`__CPROVER_assert`) only checks.
//! So where assertions are not what is checked, the first is an assumption, and the second is nothing at all.

use super::jumps::LEAVES;
use super::values::Value;
use super::{Result, Translator};
use crate::contracts::INTRINSIC;
use crate::options::Letter;
use crate::tree::{ExprId, FuncId};
use crate::types::Type;

/// What a function of the verifier means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// Calling it is an error.
    Error,
    /// Its call is the end of a failed assertion, as the macro of the C library says it.
    AssertionFailed,
    /// Its first argument must hold, or the program ends with an error.
    Assert,
    /// Its first argument must hold; the execution goes on in any case.
    Check,
    /// Executions on which its first argument does not hold do not count.
    Assume,
    /// The execution ends without an error, at once.
    End,
    /// The execution ends as it does behind `main`.
    Exit,
    /// From here to the end, no other thread takes a step.
    AtomicBegin,
    /// Other threads may take steps again.
    AtomicEnd,
    /// It does nothing.
    Nothing,
    /// Its result is an input.
    Input,
    /// A thread waits in a model of the library.
    Wait,
    /// A model of the library reads memory, of which only its being there matters.
    Look,
    /// Whether accesses to memory are checked.
    ChecksMemory,
    /// It observes the program.
    Monitor,
    /// A contract calls it.
    Contract,
    /// It is a part of `setjmp` or `longjmp`.
    Jump,
}

/// The meaning of a function that the program only declares.
fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" => Meaning::Error,
        "__assert_fail"
        | "__assert"
        | "__assert_func"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "_assert"
        | "_wassert"
        | "__assert_fail_base" => Meaning::AssertionFailed,
        "assert" | "__VERIFIER_assert" | "__goblint_assert" => Meaning::Assert,
        "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__ESBMC_assert"
        | "__goblint_check"
        | "klee_assert" => Meaning::Check,
        "__VERIFIER_assume"
        | "assume_abort_if_not"
        | "__CPROVER_assume"
        | "__ESBMC_assume"
        | "__goblint_assume"
        | "klee_assume"
        | "__builtin_assume" => Meaning::Assume,
        "exit" | "__builtin_exit" => Meaning::Exit,
        "abort"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__builtin_abort"
        | "__builtin__exit"
        | "__builtin__Exit"
        | "__builtin_trap"
        | "__builtin_unreachable"
        | "__builtin_debugtrap"
        | "klee_silent_exit" => Meaning::End,
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => Meaning::AtomicBegin,
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => Meaning::AtomicEnd,
        "__sync_synchronize" | "__CPROVER_cover" | "__ESBMC_cover" | "__VERIFIER_ltl_step" => {
            Meaning::Nothing
        }
        _ if name.starts_with(INTRINSIC) || provided(name).is_some() => Meaning::Contract,
        "__unreach_activation" | "__unreach_resumed" | LEAVES => Meaning::Jump,
        "__unreach_wait" => Meaning::Wait,
        "__unreach_look" => Meaning::Look,
        "__unreach_checks_memory" => Meaning::ChecksMemory,
        _ if name.starts_with("__unreach_") => Meaning::Monitor,
        _ if INPUTS.iter().any(|prefix| name.starts_with(prefix)) => Meaning::Input,
        _ => return None,
    })
}

/// The contract's function that a function of other verifiers is, which programs call as well.
fn provided(name: &str) -> Option<&'static str> {
    Some(match name {
        "__CPROVER_same_object" | "__ESBMC_same_object" => "same",
        "__CPROVER_havoc_object" => "havoc_object",
        "__CPROVER_POINTER_OFFSET" => "offset",
        "__CPROVER_OBJECT_SIZE" => "size",
        "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" => "valid",
        _ => return None,
    })
}

/// How the names of functions begin whose results are inputs.
const INPUTS: &[&str] =
    &["__VERIFIER_nondet_", "__CPROVER_nondet_", "__ESBMC_nondet_", "nondet_", "__nondet_", "nondet"];

/// Whether the result of a function is an input.
pub(super) fn is_input(name: &str) -> bool {
    meaning(name) == Some(Meaning::Input)
}

/// Whether a function of this name has a meaning that depends on nothing but its arguments.
pub(super) fn is_known(name: &str) -> bool {
    meaning(name).is_some_and(|meaning| meaning != Meaning::Input)
}

impl Translator<'_> {
    /// Whether a function means what its name says, and not what its body does.
    pub(super) fn is_special(&self, name: &str, function: FuncId) -> bool {
        let has_body = self.tree.functions[function].body.is_some();
        match meaning(name) {
            Some(Meaning::Error) => !has_body || self.options.property.errs_at_call(name),
            Some(Meaning::Assert) => !has_body || self.options.property.errs_at(Letter::Assertion),
            Some(_) => !has_body,
            None => false,
        }
    }

    /// A call of a function whose meaning the verifier knows; nothing if it is none.
    pub(super) fn special_call(
        &mut self,
        name: &str,
        call: ExprId,
        function: FuncId,
        arguments: &[ExprId],
    ) -> Result<Option<Value>> {
        let property = self.options.property;
        let Some(meaning) = meaning(name).filter(|_| self.is_special(name, function)) else {
            return Ok(None);
        };
        match meaning {
            Meaning::Monitor => self.observe(name, arguments),
            Meaning::Wait => {
                let &[condition, what] = arguments else { return Ok(None) };
                self.wait_in_model(condition, what)?;
                Ok(Some(Value::Void))
            }
            Meaning::Look => {
                let values = self.argument_values(arguments)?;
                let [Value::Pointer(base, offset), Value::Int(size, _)] = values[..] else { return Ok(None) };
                self.look(base, offset, size)?;
                Ok(Some(Value::Void))
            }
            Meaning::ChecksMemory => {
                let checks = i128::from(self.checks_memory());
                Ok(Some(Value::Int(self.int(checks), super::numbers::Interval::exactly(checks))))
            }
            Meaning::Jump => self.jump_call(call, arguments).map(Some),
            Meaning::Contract => {
                let what = name.strip_prefix(INTRINSIC).or(provided(name)).unwrap_or(name);
                self.contract_call(what, call, arguments)
            }
            Meaning::Error => {
                // Without a body it is the verifier's error function, whatever the property calls the error.
                if property.errs_at(Letter::ErrorFunction) {
                    let never = self.truth(false);
                    self.assert(never, &format!("unreach-call: {name}"));
                }
                self.stop();
                Ok(Some(self.dead_value(self.tree.exprs[call].ty)?))
            }
            Meaning::AssertionFailed => {
                if property.errs_at(Letter::Assertion) {
                    let never = self.truth(false);
                    let text = arguments.first().and_then(|&text| self.literal_text(text));
                    self.assert(never, &format!("assert: {}", text.as_deref().unwrap_or("assert")));
                }
                self.check_abort();
                self.stop();
                Ok(Some(Value::Void))
            }
            Meaning::Assert => {
                let [argument] = arguments else { return Ok(None) };
                let condition = self.condition(*argument)?;
                // The C library's `assert` is a macro: a function of this name is the verifier's.
                if property.errs_at(Letter::AssertFunction) {
                    self.assert(condition, &format!("assert: {name}"));
                } else {
                    self.assume(condition);
                }
                Ok(Some(Value::Void))
            }
            Meaning::Check => {
                let [argument, rest @ ..] = arguments else { return Ok(None) };
                let condition = self.condition(*argument)?;
                let condition = self.freeze(condition);
                self.argument_values(rest)?;
                if property.errs_at(Letter::Assertion) {
                    let text = rest.first().and_then(|&text| self.literal_text(text));
                    self.assert(condition, &format!("assert: {}", text.as_deref().unwrap_or(name)));
                }
                Ok(Some(Value::Void))
            }
            Meaning::Assume => {
                let [argument, ..] = arguments else { return Ok(None) };
                let condition = self.condition(*argument)?;
                self.assume_for_author(condition);
                Ok(Some(self.dead_value(self.tree.exprs[call].ty)?))
            }
            Meaning::End | Meaning::Exit => {
                self.argument_values(arguments)?;
                if meaning == Meaning::Exit {
                    self.run_at_end()?;
                    self.check_exit();
                } else if name.ends_with("abort") || name.ends_with("xit") {
                    self.check_abort();
                }
                self.stop();
                Ok(Some(self.dead_value(self.tree.exprs[call].ty)?))
            }
            Meaning::AtomicBegin | Meaning::AtomicEnd => {
                let begins = meaning == Meaning::AtomicBegin;
                self.boundary(if begins { ir::Boundary::Begin } else { ir::Boundary::End });
                Ok(Some(Value::Void))
            }
            Meaning::Nothing => {
                self.argument_values(arguments)?;
                Ok(Some(Value::Void))
            }
            Meaning::Input => {
                // One that gets pointers may write through them: it is an unknown function.
                let pointer = |&argument: &ExprId| {
                    super::classes::holds_pointers(&self.tree.types, self.tree.exprs[argument].ty)
                };
                let ty = self.tree.exprs[call].ty;
                let number = self.tree.types.is_arithmetic(ty) || matches!(self.tree.types[ty], Type::Void);
                if arguments.iter().any(pointer) || !number {
                    return Ok(None);
                }
                self.argument_values(arguments)?;
                Ok(Some(self.input(ty, name)?))
            }
        }
    }

    /// Checks that there is so much memory, unless that is nothing.
    fn look(&mut self, base: ir::Expr, offset: ir::Expr, size: ir::Expr) -> Result<()> {
        if !self.checks_memory() {
            return Ok(());
        }
        let size = self.share(size);
        let zero = self.int(0);
        let some = self.compare(ir::BinaryOp::NotEqual, size, zero);
        let (looks, join) = (self.new_block("looks"), self.new_block("looked"));
        self.branch(some, looks, join);
        self.start(looks);
        self.check_access(base, offset, size, "memory that a function of the library reads")?;
        self.jump(join);
        self.start(join);
        Ok(())
    }

    /// The characters of an argument that is a string literal.
    pub(super) fn literal_text(&self, argument: ExprId) -> Option<String> {
        let text = self.text_of(argument)?;
        let units = self.tree.texts[text].iter().take_while(|&&unit| unit != 0);
        let text: Option<String> = units.map(|&unit| char::from_u32(unit)).collect();
        // The intermediate language has no way to write these.
        text.map(|text| text.replace(['\n', '\r', '\\'], " "))
    }

    /// A value that the environment chooses.
    pub(super) fn input(&mut self, ty: crate::types::TypeId, name: &str) -> Result<Value> {
        if matches!(self.tree.types[ty], Type::Void) {
            return Ok(Value::Void);
        }
        if !self.tree.types.is_arithmetic(ty) {
            return Err(self.unsupported(format!("`{name}`: an arbitrary pointer or struct")));
        }
        let variables = self.leaf_variables(ty, "#input", |this, name, ty| this.new_local(name, ty))?;
        let all: Vec<ir::Variable> = variables.iter().flatten().copied().collect();
        let answer = match self.tree.types.int_kind(ty) {
            Some(kind) => kind.name().to_owned(),
            None => self.tree.types.show(ty, self.symbols),
        };
        self.report.inputs.push(super::back::Input {
            variable: all[0],
            function: name.to_owned(),
            ty: answer,
            kind: self.kind_of(ty),
            span: self.expression.at,
        });
        self.havoc_input(all.clone(), name);
        // Whatever its declaration says, this function answers with 0 or 1.
        let truth = matches!(name.trim_start_matches("__VERIFIER_nondet_"), "bool" | "_Bool" | "Bool");
        if truth && self.tree.types.int_kind(ty).is_some() {
            let answer = self.var(all[0]);
            let range = self.between(answer, 0, 1);
            self.assume(range);
            return Ok(Value::Int(answer, super::numbers::Interval::TRUTH));
        }
        self.read_variables(ty, &variables)
    }
}
