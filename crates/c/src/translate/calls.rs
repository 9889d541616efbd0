//! Calls: of functions of the program, through pointers, and of the verifier's and the library's functions.

use super::live::Live;
use super::values::Value;
use super::{Result, Translator};
use crate::check::HIDDEN_PARAMETER;
use crate::tree::{Callee, ExprId, ExprKind, FuncId};
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
                    self.expression.dropped = dropped;
                    return self.library_call(&name, call, function, arguments);
                }
                let span = self.expression.at;
                let values = self.argument_values(arguments)?;
                self.expression.at = span;
                // The name says that nobody interrupts it.
                if name.starts_with("__VERIFIER_atomic_") {
                    return self.uninterrupted(|this| this.call_function(function, values, arguments));
                }
                let value = self.call_function(function, values, arguments)?;
                if !dropped {
                    self.set_kind(call, function, &value);
                    self.write_noted_zeros(call, function, &value)?;
                }
                // Nobody asks for what is dropped.
                if dropped { Ok(Value::Void) } else { self.as_declared(call, function, value) }
            }
            Callee::Indirect(pointer) => self.call_pointer(call, pointer, arguments),
        }
    }

    /// The result of a call, as the declaration says that the call could see: it may differ from the definition's.
    fn as_declared(&mut self, call: ExprId, function: FuncId, value: Value) -> Result<Value> {
        let tree = self.tree;
        let seen = tree.exprs[call].ty;
        let Some(given) = tree.types.function(tree.functions[function].ty).map(|ty| ty.result) else {
            return Ok(value);
        };
        let is_pointer = |ty| tree.types.pointee(ty).is_some();
        if is_pointer(given) && tree.types.int_kind(seen).is_some() {
            // Compilers refuse this, or cut the address off.
            return Err(
                self.unsupported("a function that returns a pointer, called as if it returned a number")
            );
        }
        match (tree.types.is_scalar(given), tree.types.is_scalar(seen)) {
            (true, true) => self.converted(value, given, seen),
            _ if given == seen => Ok(value),
            (_, _) if matches!(tree.types[seen], Type::Void) => Ok(Value::Void),
            _ => Err(self.unsupported("a function whose result is declared in two ways")),
        }
    }

    pub(super) fn argument_values(&mut self, arguments: &[ExprId]) -> Result<Vec<Value>> {
        self.values_in_any_order(arguments)
    }

    /// Calls a function with a body.
    pub(super) fn call_function(
        &mut self,
        function: FuncId,
        values: Vec<Value>,
        arguments: &[ExprId],
    ) -> Result<Value> {
        if values.len() < self.tree.functions[function].parameters.len() {
            return Err(self.unsupported("a call with too few arguments"));
        }
        let passed = self.passed(function, values, arguments)?;
        self.call_with(function, passed)
    }

    /// What the parameters of a function get from the arguments that are there for them.
    fn passed(&mut self, function: FuncId, values: Vec<Value>, arguments: &[ExprId]) -> Result<Vec<Expr>> {
        let tree = self.tree;
        let parameters = &tree.functions[function].parameters;
        let mut passed: Vec<Expr> = Vec::new();
        for ((value, &parameter), &argument) in values.into_iter().zip(parameters).zip(arguments) {
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
        Ok(passed)
    }

    /// Calls a function whose parameters get these values.
    fn call_with(&mut self, function: FuncId, mut passed: Vec<Expr>) -> Result<Value> {
        let tree = self.tree;
        let Some(signature) = tree.types.function(tree.functions[function].ty) else {
            return Err(self.unsupported("a call of something that is no function"));
        };
        let procedure = self.procedure(function)?;
        passed.extend(self.told_thread(procedure, None));
        let holders = if matches!(tree.types[signature.result], Type::Void) {
            Vec::new()
        } else {
            self.leaf_variables(signature.result, "#r", |this, name, ty| this.new_local(name, ty))?
        };
        self.call(procedure, passed, holders.iter().flatten().copied().collect());
        self.go_on_unless_left(function)?;
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

    /// Calls one of the functions that a pointer may point to; the arguments were evaluated.
    fn call_candidate(
        &mut self,
        call: ExprId,
        function: FuncId,
        values: &[Value],
        arguments: &[ExprId],
    ) -> Result<Value> {
        let name = self.symbols.text(self.tree.functions[function].name).to_owned();
        let known = self.is_special(&name, function);
        if !known && self.tree.functions[function].body.is_some() {
            if self.is_variadic(function) {
                let named = self.tree.functions[function].parameters.len() - 1;
                let mut passed = self.passed(function, values[..named].to_vec(), &arguments[..named])?;
                // It does not look at the arguments behind the named ones, so it gets a null pointer for them.
                let null = Value::Pointer(self.int(0), self.int(0));
                passed.extend(self.all_components(&null).into_iter().flatten());
                return self.call_with(function, passed);
            }
            return self.call_function(function, values.to_vec(), arguments);
        }
        // These functions look at their arguments as expressions, which must not have their effects twice.
        if !arguments.iter().all(|&argument| self.has_no_effect(argument)) {
            return Err(self.unsupported(format!("a call of `{name}` through a pointer")));
        }
        match self.special_call(&name, call, function, arguments)? {
            Some(value) => Ok(value),
            None => self.library_call(&name, call, function, arguments),
        }
    }

    fn is_variadic(&self, function: FuncId) -> bool {
        let tree = self.tree;
        tree.types.function(tree.functions[function].ty).is_some_and(|function| function.variadic)
    }

    /// Whether a function with a variable number of arguments has a body that does not look at those behind the named ones, which
    /// its hidden last parameter stands for.
    fn ignores_more(&self, function: FuncId) -> bool {
        let tree = self.tree;
        let Some(&more) = tree.functions[function].parameters.last() else { return false };
        let is_more = |expr: ExprId| matches!(tree.exprs[expr].kind, ExprKind::Variable(var) if var == more);
        let is_hidden = self.symbols.text(tree.variables[more].name) == HIDDEN_PARAMETER;
        is_hidden && !Live::inside(tree, function).exprs(tree).any(is_more)
    }

    /// Whether evaluating an expression changes nothing, so that it may be done again.
    pub(super) fn has_no_effect(&self, expr: ExprId) -> bool {
        use ExprKind::*;
        match &self.tree.exprs[expr].kind {
            Int(_) | Float(_) | Variable(_) | Text(_) | FunctionAddress(_) => true,
            Deref(inner)
            | Member(inner, _)
            | Load(inner)
            | AddressOf(inner)
            | Convert(inner)
            | Negate(inner)
            | Complement(inner)
            | Not(inner) => self.has_no_effect(*inner),
            Index(left, right) | Binary(_, left, right) | PointerDifference(left, right) => {
                self.has_no_effect(*left) && self.has_no_effect(*right)
            }
            PointerAdd { pointer, count, .. } => self.has_no_effect(*pointer) && self.has_no_effect(*count),
            _ => false,
        }
    }

    /// Calls whatever a pointer points to: one of the functions of its type whose address is used.
    fn call_pointer(&mut self, call: ExprId, pointer: ExprId, arguments: &[ExprId]) -> Result<Value> {
        let tree = self.tree;
        let span = self.expression.at;
        let result = tree.exprs[call].ty;
        let called = tree.types.pointee(tree.exprs[pointer].ty);
        let Value::Pointer(base, _) = self.value(pointer)? else {
            return Err(self.unsupported("a call through something that is no pointer"));
        };
        let base = self.freeze(base);
        let values = self.argument_values(arguments)?;
        let values: Vec<Value> = values.into_iter().map(|value| self.freeze_value(value)).collect();
        self.expression.at = span;
        let live = std::rc::Rc::clone(&self.analyses.live);
        let addressed = tree.functions.iter().filter(|&(function, _)| live.is_addressed(function));
        let (candidates, others): (Vec<_>, Vec<_>) = addressed.partition(|&(function, data)| {
            let variadic = self.is_variadic(function);
            let unspecified = tree.types.function(data.ty).is_some_and(|function| function.unspecified);
            let (wanted, given) = (data.parameters.len(), values.len());
            // A function in the old style takes no notice of more arguments.
            let fits = match variadic {
                false => wanted == given || (unspecified && wanted < given),
                true => wanted <= given + 1 && self.ignores_more(function),
            };
            let arity = data.body.is_none() || fits;
            called.is_some_and(|called| tree.types.compatible(called, data.ty)) && arity
        });
        let holders = if matches!(tree.types[result], Type::Void) {
            Vec::new()
        } else {
            self.leaf_variables(result, "#r", |this, name, ty| this.new_local(name, ty))?
        };
        let join = self.new_block("called");
        for (candidate, _) in candidates {
            let id = self.function_base(candidate);
            let id = self.int(id);
            let here = self.equal(base, id);
            let (yes, no) = (self.new_block("callee"), self.new_block("next"));
            self.branch(here, yes, no);
            self.start(yes);
            let value = self.call_candidate(call, candidate, &values, arguments)?;
            let components = self.all_components(&value);
            let pairs = holders.iter().flatten().copied().zip(components.into_iter().flatten()).collect();
            self.assign_all(pairs);
            self.jump(join);
            self.start(no);
        }
        // A call of a function of another type has no meaning in C, but machines go on.
        let mut strange = self.truth(false);
        for (other, _) in others {
            let id = self.function_base(other);
            let id = self.int(id);
            let here = self.equal(base, id);
            strange = self.or(strange, here);
        }
        let known = self.not(strange);
        self.give_up_unless(known, "a call of a function of another type");
        let class = self.analyses.classes.class(pointer);
        if self.analyses.classes.is_outside(class) {
            let zero = self.int(0);
            let null = self.equal(base, zero);
            self.give_up_unless(null, "a call of a function that comes from elsewhere");
        }
        // A pointer to no function cannot be called.
        if self.checks_memory() {
            let never = self.truth(false);
            self.check(never, crate::options::Check::Deref, "a call through a pointer to no function");
        }
        self.stop();
        self.start(join);
        if matches!(tree.types[result], Type::Void) {
            return Ok(Value::Void);
        }
        self.read_variables(result, &holders)
    }
}
