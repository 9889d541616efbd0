//! What calls say about classes: of the program's functions, of the library's, of threads, and of unknown ones.

use super::super::builtins::writes_through_pointers;
use super::super::library::allocation;
use super::super::live::Live;
use super::shapes::{moves_whole_objects, pointed_type, view};
use super::{Class, Classes, Given, Key, cell_of, holds_pointers};
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Tree};
use crate::types::Type;

impl Classes {
    pub(super) fn call(
        &mut self,
        tree: &Tree,
        symbols: &Symbols,
        live: &Live,
        (expr, callee, arguments): (ExprId, Callee, &[ExprId]),
    ) -> Option<Class> {
        let pointers = holds_pointers(&tree.types, tree.exprs[expr].ty);
        match callee {
            Callee::Direct(function) if tree.functions[function].body.is_some() => {
                self.arguments(tree, function, arguments);
                if self.allocators.functions.contains(function) {
                    let class = self.class(expr);
                    let root = self.compress(class);
                    self.infos[root].zeroed |= self.allocators.zeroing.contains(function);
                    return Some(class);
                }
                Some(self.result(function))
            }
            Callee::Direct(function) => {
                let name = symbols.text(tree.functions[function].name);
                if super::super::library::is_unknown(name) || super::super::intrinsics::is_input(name) {
                    return Some(self.unknown_call(tree, expr, arguments));
                }
                let name = name.strip_prefix("__builtin_").unwrap_or(name);
                if let (true, &[block, ..]) = (self.fills_new_block(expr), arguments) {
                    // The zeros are written where it is known what the block is for.
                    return Some(self.class(block));
                }
                let copies = matches!(
                    name,
                    "memcpy" | "memmove" | "mempcpy" | "strcpy" | "strncpy" | "strcat" | "strncat"
                );
                if copies && let [to, from, ..] = arguments {
                    let (to, from) = (self.class(*to), self.class(*from));
                    self.join(to, from);
                }
                self.thread_call((tree, live), name, arguments);
                let moves = copies || name == "memset";
                if matches!(name, "memcpy" | "memmove" | "mempcpy" | "memset")
                    && !moves_whole_objects(tree, name, arguments)
                {
                    for &argument in arguments {
                        if tree.types.pointee(tree.exprs[argument].ty).is_some() {
                            let class = self.class(argument);
                            self.force_bytes(class);
                        }
                    }
                }
                if allocation(name).is_some_and(|allocation| allocation.zeroed) {
                    let class = self.class(expr);
                    let class = self.compress(class);
                    self.infos[class].zeroed = true;
                }
                let full_name = symbols.text(tree.functions[function].name);
                if moves || name.ends_with("scanf") || writes_through_pointers(full_name) {
                    for &argument in arguments {
                        self.touch_pointed(tree, argument);
                        if moves {
                            let class = self.class(argument);
                            self.index(class);
                            // The function goes from element to element, whatever the elements really are.
                            if let Some(ty) = pointed_type(tree, argument) {
                                let class = self.compress(class);
                                let step = view(&tree.types, ty).unwrap_or(tree.types.char);
                                self.infos[class].steps.insert(step);
                            }
                        }
                    }
                }
                let first = copies
                    || matches!(name, "memset" | "realloc" | "strchr" | "strrchr" | "strstr" | "memchr");
                match arguments.first() {
                    Some(&argument) if first => Some(self.class(argument)),
                    _ => Some(self.class(expr)),
                }
            }
            Callee::Indirect(pointer) => {
                let result = self.fresh();
                let called = tree.types.pointee(tree.exprs[pointer].ty)?;
                for (function, data) in tree.functions.iter() {
                    if data.body.is_some()
                        && live.is_addressed(function)
                        && tree.types.compatible(called, data.ty)
                    {
                        self.arguments(tree, function, arguments);
                        if pointers {
                            let other = self.result(function);
                            self.join(result, other);
                        }
                    }
                }
                Some(result)
            }
        }
    }

    /// A function of which nothing is known gets pointers, or returns one.
    pub(super) fn unknown_call(&mut self, tree: &Tree, call: ExprId, arguments: &[ExprId]) -> Class {
        let result = self.class(call);
        let mut classes = Vec::new();
        for &argument in arguments {
            if holds_pointers(&tree.types, tree.exprs[argument].ty) {
                let class = self.class(argument);
                self.touch_pointed(tree, argument);
                classes.push(class);
            }
        }
        let returns = holds_pointers(&tree.types, tree.exprs[call].ty);
        if returns || !classes.is_empty() {
            self.given.insert(call, Given { classes, result: returns.then_some(result) });
        }
        result
    }

    /// The argument of a thread is that of its function, and its result goes to those who join it.
    pub(super) fn thread_call(&mut self, (tree, live): (&Tree, &Live), name: &str, arguments: &[ExprId]) {
        let result = match (name, arguments) {
            ("pthread_create", &[thread, _, function, argument]) => {
                self.touch_pointed(tree, thread);
                let result = self.fresh();
                for function in super::super::threads::run_by_threads(tree, live, function) {
                    self.arguments(tree, function, &[argument]);
                    let other = self.result(function);
                    self.join(result, other);
                }
                result
            }
            ("pthread_join", &[_, result]) => {
                self.touch_pointed(tree, result);
                let class = self.class(result);
                self.target(class, Key::Any)
            }
            ("pthread_unreach_join", &[_, result]) => return self.touch_pointed(tree, result),
            ("pthread_exit" | "pthread_unreach_exit", &[value]) => self.class(value),
            _ => return,
        };
        match self.thread_result {
            Some(known) => self.join(known, result),
            None => self.thread_result = Some(result),
        }
    }

    /// Notes that a function accesses what an argument points to, whatever that is a part of. Members of structs
    /// have their own keys even then.
    pub(super) fn touch_pointed(&mut self, tree: &Tree, argument: ExprId) {
        let mut expr = argument;
        let mut pointee = tree.types.pointee(tree.exprs[expr].ty);
        while let (Some(Type::Void), ExprKind::Convert(inner)) =
            (pointee.map(|to| &tree.types[to]), &tree.exprs[expr].kind)
        {
            expr = *inner;
            pointee = tree.types.pointee(tree.exprs[expr].ty);
        }
        let Some(ty) = pointee.and_then(|to| view(&tree.types, to)) else { return };
        if let Some(cell) = cell_of(&tree.types, ty) {
            let class = self.class(argument);
            self.touch(class, Key::Any, cell);
            self.note_type(&tree.types, (class, Key::Any), ty);
        }
    }

    pub(super) fn arguments(&mut self, tree: &Tree, function: FuncId, arguments: &[ExprId]) {
        for (&parameter, &argument) in tree.functions[function].parameters.iter().zip(arguments) {
            let class = self.variable(parameter);
            let value = self.class(argument);
            match tree.types[tree.variables[parameter].ty] {
                Type::Pointer(to) => {
                    let target = self.target(class, Key::Any);
                    self.join(target, value);
                    // Where nothing is known of the parameters, the types of arguments may be others.
                    if let Some(from) = tree.types.pointee(tree.exprs[argument].ty).filter(|&from| from != to)
                    {
                        self.add_views(&tree.types, target, (Some(from), to));
                    }
                }
                Type::Record(_) => self.join(class, value),
                _ => {}
            }
        }
    }
}
