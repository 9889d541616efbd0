//! Calls: of functions of the program, through pointers, and of the verifier's and the library's functions.

use super::values::Value;
use super::{Result, Translator};
use crate::options::Property;
use crate::tree::{Callee, ExprId, FuncId};
use crate::types::Type;
use ir::Expr;

impl Translator<'_> {
    /// A call. If its value is dropped, an arbitrary result is not even drawn.
    pub(super) fn call_expression(
        &mut self,
        call: ExprId,
        callee: Callee,
        arguments: &[ExprId],
        dropped: bool,
    ) -> Result<Value> {
        match callee {
            Callee::Direct(function) => {
                let name = self.symbols.text(self.tree.functions[function].name).to_owned();
                if let Some(value) = self.special_call(&name, call, function, arguments)? {
                    return Ok(value);
                }
                if self.tree.functions[function].body.is_none() {
                    self.dropped = dropped;
                    return self.library_call(&name, call, function, arguments);
                }
                let span = self.at;
                let values = self.argument_values(arguments)?;
                self.at = span;
                // The name says that nobody interrupts it.
                if name.starts_with("__VERIFIER_atomic_") {
                    return self.uninterrupted(|this| this.call_function(function, values, arguments));
                }
                self.call_function(function, values, arguments)
            }
            Callee::Indirect(pointer) => self.call_pointer(call, pointer, arguments),
        }
    }

    pub(super) fn argument_values(&mut self, arguments: &[ExprId]) -> Result<Vec<Value>> {
        arguments.iter().map(|&argument| self.value(argument)).collect()
    }

    /// Calls a function with a body.
    fn call_function(&mut self, function: FuncId, values: Vec<Value>, arguments: &[ExprId]) -> Result<Value> {
        let tree = self.tree;
        let data = &tree.functions[function];
        let Some(signature) = tree.types.function(data.ty) else {
            return Err(self.unsupported("a call of something that is no function"));
        };
        if values.len() < data.parameters.len() {
            return Err(self.unsupported("a call with too few arguments"));
        }
        let procedure = self.procedure(function)?;
        let mut passed: Vec<Expr> = Vec::new();
        for ((value, &parameter), &argument) in values.into_iter().zip(&data.parameters).zip(arguments) {
            // A function in the old style gets promoted arguments.
            let (from, to) = (tree.exprs[argument].ty, tree.variables[parameter].ty);
            let value = if tree.types.is_scalar(from) && tree.types.is_scalar(to) {
                self.converted(value, from, to)?
            } else if from == to {
                value
            } else {
                return Err(self.unsupported("an argument that does not fit its parameter"));
            };
            passed.extend(self.all_components(&value).into_iter().flatten());
        }
        passed.extend(self.told_thread(procedure, None));
        let holders = if matches!(tree.types[signature.result], Type::Void) {
            Vec::new()
        } else {
            self.leaf_variables(signature.result, "#r", |this, name, ty| this.new_local(name, ty))?
        };
        self.call(procedure, passed, holders.iter().flatten().copied().collect());
        if self.tree.functions[function].noreturn {
            self.stop();
            return self.dead_value(signature.result);
        }
        if matches!(tree.types[signature.result], Type::Void) {
            return Ok(Value::Void);
        }
        self.read_variables(signature.result, &holders)
    }

    /// A value where no execution arrives.
    pub(super) fn dead_value(&mut self, ty: crate::types::TypeId) -> Result<Value> {
        if matches!(self.tree.types[ty], Type::Void) { Ok(Value::Void) } else { self.zero(ty) }
    }

    /// Calls whatever a pointer points to: one of the functions of its type whose address is used.
    fn call_pointer(&mut self, call: ExprId, pointer: ExprId, arguments: &[ExprId]) -> Result<Value> {
        let tree = self.tree;
        let span = self.at;
        let result = tree.exprs[call].ty;
        let called = tree.types.pointee(tree.exprs[pointer].ty);
        let Value::Pointer(base, _) = self.value(pointer)? else {
            return Err(self.unsupported("a call through something that is no pointer"));
        };
        let base = self.freeze(base);
        let values = self.argument_values(arguments)?;
        let values: Vec<Value> = values.into_iter().map(|value| self.freeze_value(value)).collect();
        self.at = span;
        let candidates: Vec<FuncId> = tree
            .functions
            .iter()
            .filter(|(_, data)| {
                let variadic = tree.types.function(data.ty).is_some_and(|function| function.variadic);
                let (wanted, given) = (data.parameters.len(), values.len());
                let arity = data.body.is_none() || wanted == given || (variadic && wanted < given);
                let fits = called.is_some_and(|called| tree.types.compatible(called, data.ty));
                data.address_uses > 0 && fits && arity
            })
            .map(|(function, _)| function)
            .collect();
        let holders = if matches!(tree.types[result], Type::Void) {
            Vec::new()
        } else {
            self.leaf_variables(result, "#r", |this, name, ty| this.new_local(name, ty))?
        };
        let join = self.new_block("called");
        for candidate in candidates {
            if tree.functions[candidate].body.is_none() {
                let name = self.symbols.text(tree.functions[candidate].name);
                return Err(self.unsupported(format!("a call of `{name}` through a pointer")));
            }
            let id = self.function_base(candidate);
            let id = self.int(id);
            let here = self.equal(base, id);
            let (yes, no) = (self.new_block("callee"), self.new_block("next"));
            self.branch(here, yes, no);
            self.start(yes);
            let value = self.call_function(candidate, values.clone(), arguments)?;
            let components = self.all_components(&value);
            let pairs = holders.iter().flatten().copied().zip(components.into_iter().flatten()).collect();
            self.assign_all(pairs);
            self.jump(join);
            self.start(no);
        }
        // A pointer to none of them cannot be called.
        self.stop();
        self.start(join);
        if matches!(tree.types[result], Type::Void) {
            return Ok(Value::Void);
        }
        self.read_variables(result, &holders)
    }

    /// Functions whose meaning the verifier knows, whether or not the program gives them a body.
    fn special_call(
        &mut self,
        name: &str,
        call: ExprId,
        function: FuncId,
        arguments: &[ExprId],
    ) -> Result<Option<Value>> {
        let property = self.options.property;
        let has_body = self.tree.functions[function].body.is_some();
        match name {
            "reach_error" | "__VERIFIER_error" => {
                // Without a body it is the verifier's error function, whatever the property calls the error.
                if property == Property::UnreachCall || (!has_body && property != Property::NoOverflow) {
                    let never = self.truth(false);
                    self.assert(never, &format!("unreach-call: {name}"));
                }
                if has_body && property != Property::UnreachCall {
                    return Ok(None);
                }
                self.stop();
                Ok(Some(self.dead_value(self.tree.exprs[call].ty)?))
            }
            "__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" if !has_body => {
                if property == Property::Assert {
                    let never = self.truth(false);
                    self.assert(never, "assert: assert");
                }
                self.stop();
                Ok(Some(Value::Void))
            }
            "assert" | "__VERIFIER_assert" if !has_body || property == Property::Assert => {
                let [argument] = arguments else { return Ok(None) };
                let condition = self.condition(*argument)?;
                // The C library's `assert` is a macro: a function of this name is the verifier's.
                let error = matches!(property, Property::Assert | Property::UnreachCall);
                if error {
                    self.assert(condition, &format!("assert: {name}"));
                } else {
                    self.assume(condition);
                }
                Ok(Some(Value::Void))
            }
            "__VERIFIER_assume" | "assume_abort_if_not" | "__CPROVER_assume" if !has_body => {
                let [argument] = arguments else { return Ok(None) };
                let condition = self.condition(*argument)?;
                self.assume(condition);
                Ok(Some(Value::Void))
            }
            "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "__builtin_abort"
            | "__builtin_exit"
            | "__builtin_trap"
            | "__builtin_unreachable"
                if !has_body =>
            {
                self.argument_values(arguments)?;
                self.stop();
                Ok(Some(Value::Void))
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" if !has_body => {
                let begins = name == "__VERIFIER_atomic_begin";
                self.boundary(if begins { ir::Boundary::Begin } else { ir::Boundary::End });
                Ok(Some(Value::Void))
            }
            _ if name.starts_with("__unreach_") && !has_body => self.observe(name, arguments),
            "__sync_synchronize" if !has_body => Ok(Some(Value::Void)),
            _ if name.starts_with("__VERIFIER_nondet_") && !has_body => {
                self.argument_values(arguments)?;
                let ty = self.tree.exprs[call].ty;
                Ok(Some(self.input(ty, name)?))
            }
            _ => Ok(None),
        }
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
        self.inputs.push(super::back::Input {
            variable: all[0],
            function: name.to_owned(),
            ty: answer,
            kind: self.kind_of(ty),
            span: self.at,
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
