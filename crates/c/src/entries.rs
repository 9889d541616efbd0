//! Functions as entries of a program: which there are, and a caller for each that knows nothing about it.
//!
//! A caller is C text that is put behind the last line of the function's own file, so that it sees static functions and all
//! types. It passes arbitrary numbers; a pointer is null or points to fresh memory of its type: one object of a struct or
//! union, whose own pointers are made in the same way down to [`DEEPEST`]; a string of unknown length for `char *`; an array
//! of unknown length for other numbers and for `void *`. What it assumes is said in words. A parameter whose type has no
//! name that could be written, or no size, has no caller, and the reason is given.

use crate::symbols::Symbols;
use crate::tree::{FuncId, Function, Tree};
use crate::types::{Length, Type, TypeId, Types};
use crate::{Includes, Job, Problem, typed_tree};
use base::{SourceMap, Span};
use std::fmt::Write;

/// The attribute of functions that are made here. What they do is right by construction, so nothing is checked in them: the checks
/// of a caller would by far outnumber those of a small function.
pub(crate) const MADE: &str = "unreach_made";

/// So many pointers are followed from an argument.
const DEEPEST: u32 = 2;

/// Arrays and strings of arguments have at most so many elements: a bound that is told with the assumptions.
const MOST_ELEMENTS: u32 = 1024;

/// Arrays and strings of arguments have at most so many elements in a test.
const FEW_ELEMENTS: u32 = 8;

/// A function.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where it is defined, or declared.
    pub span: Span,
    /// Whether it has a contract.
    pub contract: bool,
    id: FuncId,
}

/// Functions of a program, for which callers can be made.
pub struct Entries {
    tree: Tree,
    symbols: Symbols,
    /// The functions, in their order.
    pub functions: Vec<Entry>,
}

/// A function without parameters that calls another one with arbitrary arguments.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Its name.
    pub name: String,
    /// Its definition.
    pub text: String,
    /// What it assumes about the arguments, a line for each pointer.
    pub assumptions: Vec<String>,
}

/// The functions that the files of a program define, in their order.
pub fn entries(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: crate::DataModel,
    includes: &dyn Includes,
) -> Result<Entries, Vec<Problem>> {
    let defined = |function: &Function| function.body.is_some() && job.files.contains(&function.span.file);
    let (tree, symbols, _) = typed_tree(sources, job, model, includes)?;
    Ok(Entries::of(tree, symbols, defined))
}

/// The functions that have a contract and no body.
pub fn assumed(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: crate::DataModel,
    includes: &dyn Includes,
) -> Result<Entries, Vec<Problem>> {
    let (tree, symbols, _) = typed_tree(sources, job, model, includes)?;
    Ok(Entries::of(tree, symbols, |function| function.body.is_none() && function.contract))
}

impl Entries {
    fn of(tree: Tree, symbols: Symbols, wanted: impl Fn(&Function) -> bool) -> Entries {
        let found = tree.functions.iter().filter(|(_, function)| wanted(function));
        let functions = found.map(|(id, function)| Entry {
            name: symbols.text(function.name).to_owned(),
            span: function.span,
            contract: function.contract,
            id,
        });
        let functions = functions.collect();
        Entries { tree, symbols, functions }
    }

    /// A caller of a function, or why there is none. Its text grows with the pointers that can be followed.
    pub fn caller(&self, entry: &Entry) -> Result<Caller, String> {
        caller(&self.tree, &self.symbols, entry.id, (None, Contents::Any))
    }

    /// One that passes so few numbers that a test can give them all: blocks are small, and their contents are inputs.
    pub fn plain_caller(&self, entry: &Entry) -> Result<Caller, String> {
        caller(&self.tree, &self.symbols, entry.id, (None, Contents::Inputs))
    }
}

/// What is in the memory that a caller makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    /// Anything, as in memory that nobody has written to.
    Any,
    /// Inputs, as far as there are few of them, and zeros.
    Inputs,
}

/// The caller of a function; it may call another function instead, of the same type.
pub(crate) fn caller(
    tree: &Tree,
    symbols: &Symbols,
    id: FuncId,
    (instead, contents): (Option<&str>, Contents),
) -> Result<Caller, String> {
    let function = &tree.functions[id];
    let called = symbols.text(function.name);
    let name = format!("unreach_call_{called}");
    let mut writer = Writer {
        tree,
        symbols,
        function: called,
        declarations: String::new(),
        body: String::new(),
        assumptions: Vec::new(),
        inputs: 0,
        contents,
    };
    let mut arguments = Vec::new();
    // One that takes a variable number of arguments gets no more than it names.
    let named = tree.types.function(function.ty).map_or(usize::MAX, |ty| match ty.variadic {
        true => ty.parameters.len(),
        false => usize::MAX,
    });
    let parameters = parameters(tree, symbols, function);
    for (shown, parameter) in parameters.iter().take(named) {
        let argument = format!("argument_{}", arguments.len());
        let ty = writer.name_of(*parameter).ok_or_else(|| format!("the type of `{shown}` has no name"))?;
        writer.line(&format!("{ty} {argument};"));
        writer.fill(&argument, shown, *parameter, DEEPEST)?;
        if instead.is_some() && matches!(tree.types[*parameter], Type::Pointer(_)) {
            // A contract that does not say that two pointers differ is about equal ones, too.
            for (index, (_, other)) in parameters[..arguments.len()].iter().enumerate() {
                if other == parameter {
                    let choice = writer.input("_Bool");
                    writer.line(&format!("if ({choice}) {argument} = argument_{index};"));
                }
            }
        }
        arguments.push(argument);
    }
    // A compiler leaves out the call of a function that is declared to do nothing but compute, if nobody wants its result.
    let result = tree.types.function(function.ty).map(|ty| ty.result);
    let kept = result.filter(|&ty| contents == Contents::Inputs && !matches!(tree.types[ty], Type::Void));
    let kept = kept.and_then(|ty| writer.name_of(ty)).map_or(String::new(), |ty| format!("{ty} kept = "));
    let Writer { declarations, body, assumptions, .. } = writer;
    let mut text = String::from("\n");
    // Tests are for compilers that do not know the attribute.
    let made = match contents {
        Contents::Any => format!("__attribute__(({MADE})) "),
        Contents::Inputs => String::new(),
    };
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "extern void *malloc(__SIZE_TYPE__);\nextern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n\
         {declarations}{made}void {name}(void) {{\n{body}  {kept}{}({});\n}}\n",
        instead.unwrap_or(called),
        arguments.join(", ")
    );
    Ok(Caller { name, text, assumptions })
}

/// What people call the parameters of a function, with their types.
fn parameters(tree: &Tree, symbols: &Symbols, function: &Function) -> Vec<(String, TypeId)> {
    if function.body.is_some() {
        let named = function.parameters.iter().map(|&parameter| &tree.variables[parameter]);
        return named.map(|variable| (symbols.text(variable.name).to_owned(), variable.ty)).collect();
    }
    let types = tree.types.function(function.ty).map_or(&[][..], |ty| &ty.parameters);
    types.iter().enumerate().map(|(index, &ty)| (format!("argument {}", index + 1), ty)).collect()
}

/// Statements that give a variable at file scope any value, and what they assume.
pub(crate) fn any_value(
    tree: &Tree,
    symbols: &Symbols,
    (name, ty): (&str, TypeId),
) -> Result<Caller, String> {
    let mut writer = Writer {
        tree,
        symbols,
        function: name,
        declarations: String::new(),
        body: String::new(),
        assumptions: Vec::new(),
        inputs: 0,
        contents: Contents::Any,
    };
    writer.fill(name, name, ty, DEEPEST)?;
    let Writer { declarations, body, assumptions, .. } = writer;
    let own = format!("unreach_any_{name}");
    let text = format!(
        "extern void *malloc(__SIZE_TYPE__);\n{declarations}__attribute__(({MADE})) void {own}(void) {{\n{body}}}\n"
    );
    Ok(Caller { name: own, text, assumptions })
}

struct Writer<'t> {
    tree: &'t Tree,
    symbols: &'t Symbols,
    function: &'t str,
    declarations: String,
    body: String,
    assumptions: Vec<String>,
    inputs: u32,
    contents: Contents,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.body.push_str("  ");
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// A call that gives an arbitrary value of a type.
    fn input(&mut self, ty: &str) -> String {
        let name = format!("unreach_input_{}_{}", self.function, self.inputs);
        self.inputs += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(self.declarations, "extern {ty} {name}(void);");
        format!("{name}()")
    }

    /// Statements that give a place its value. `shown` is what people call it.
    fn fill(&mut self, place: &str, shown: &str, ty: TypeId, depth: u32) -> Result<(), String> {
        let types = &self.tree.types;
        match &types[ty] {
            Type::Pointer(to) => self.fill_pointer(place, shown, *to, depth),
            Type::Record(_) if self.contents == Contents::Inputs => {
                self.fill_members(place, shown, ty, depth)
            }
            // Members that are no pointers keep whatever values an uninitialised variable has.
            Type::Record(_) if crate::translate::holds_pointers(types, ty) => {
                self.fill_members(place, shown, ty, depth)
            }
            Type::Array(element, length) => self.fill_elements(place, shown, (*element, *length), depth),
            Type::Function(_) | Type::Void | Type::VaList => {
                Err(format!("no argument can be made for `{shown}`"))
            }
            _ => {
                let name = self.name_of(ty).ok_or_else(|| format!("the type of `{shown}` has no name"))?;
                let any = self.input(&name);
                self.line(&format!("{place} = {any};"));
                Ok(())
            }
        }
    }

    /// The pointers among the elements of an array.
    fn fill_elements(
        &mut self,
        place: &str,
        shown: &str,
        (element, length): (TypeId, Length),
        depth: u32,
    ) -> Result<(), String> {
        if !crate::translate::holds_pointers(&self.tree.types, element) {
            if let (Contents::Inputs, Length::Known(length)) = (self.contents, length) {
                let length = length.min(FEW_ELEMENTS.into());
                for index in 0..length {
                    self.fill(&format!("{place}[{index}]"), &format!("{shown}[{index}]"), element, depth)?;
                }
            }
            return Ok(());
        }
        let Length::Known(length) = length else {
            // The memory ends before the first element.
            self.assumptions.push(format!("{shown} has no elements"));
            return Ok(());
        };
        let index = format!("index_{}", self.inputs);
        self.inputs += 1;
        self.line(&format!("for (__SIZE_TYPE__ {index} = 0; {index} < {length}; {index}++) {{"));
        let (place, shown) = (format!("{place}[{index}]"), format!("{shown}[]"));
        match self.tree.types[element] {
            Type::Pointer(_) if depth == 0 => {
                self.line(&format!("{place} = 0;"));
                self.assumptions.push(format!("{shown} is null"));
            }
            Type::Pointer(to) => self.fill_pointer(&place, &shown, to, depth - 1)?,
            _ => self.fill(&place, &shown, element, depth)?,
        }
        self.line("}");
        Ok(())
    }

    /// The pointers among the members of a struct, or in the first member of a union that has any.
    fn fill_members(&mut self, place: &str, shown: &str, ty: TypeId, depth: u32) -> Result<(), String> {
        let Type::Record(record) = self.tree.types[ty] else { return Ok(()) };
        let Some(layout) = &self.tree.types.records[record].layout else { return Ok(()) };
        for field in &layout.fields {
            if !has_pointer(&self.tree.types, field.ty) && self.contents == Contents::Any {
                continue;
            }
            let Some(member) = field.name.map(|name| self.symbols.text(name)) else {
                // The members of an anonymous one are called as if they were its own.
                self.fill_members(place, shown, field.ty, depth)?;
                continue;
            };
            let (place, shown) = (format!("{place}.{member}"), format!("{shown}.{member}"));
            match self.tree.types[field.ty] {
                Type::Record(_) => self.fill_members(&place, &shown, field.ty, depth)?,
                Type::Pointer(_) if depth == 0 => {
                    self.line(&format!("{place} = 0;"));
                    self.assumptions.push(format!("{shown} is null"));
                }
                Type::Pointer(to) => self.fill_pointer(&place, &shown, to, depth - 1)?,
                Type::Array(element, length) => {
                    self.fill_elements(&place, &shown, (element, length), depth)?
                }
                _ if self.contents == Contents::Inputs => self.fill(&place, &shown, field.ty, depth)?,
                _ => return Err(format!("no value can be made for `{shown}`")),
            }
            if self.tree.types.records[record].is_union && self.contents == Contents::Inputs {
                break;
            }
            if self.tree.types.records[record].is_union {
                self.assumptions.push(format!("{shown} is the member that its union holds"));
                break;
            }
        }
        Ok(())
    }

    /// Null, or fresh memory.
    fn fill_pointer(&mut self, place: &str, shown: &str, to: TypeId, depth: u32) -> Result<(), String> {
        let types = &self.tree.types;
        let is_void = matches!(types[to], Type::Void);
        if matches!(types[to], Type::Function(_)) {
            self.line(&format!("{place} = 0;"));
            self.assumptions.push(format!("{shown} is null"));
            return Ok(());
        }
        if !is_void && !types.is_complete(to) {
            // Nobody can look into it here.
            let choice = self.input("_Bool");
            self.line(&format!("if ({choice}) {place} = 0; else {place} = malloc(1);"));
            self.assumptions.push(format!("{shown} is null or points to an object of its own"));
            return Ok(());
        }
        let element = if is_void { "char".to_owned() } else { self.name_of(to).unwrap_or_default() };
        if element.is_empty() {
            return Err(format!("the type that `{shown}` points to has no name"));
        }
        let choice = self.input("_Bool");
        self.line(&format!("if ({choice}) {place} = 0;"));
        let is_object = matches!(types[to], Type::Record(_) | Type::Pointer(_) | Type::Array(..));
        if is_object {
            let made = self.block(&element, None);
            // A name of its own keeps what is filled in from following all pointers to it again and again.
            let object = format!("object_{}", self.inputs);
            self.inputs += 1;
            self.line(&format!("else {{ {element} *{object} = {made}; {place} = {object};"));
            let inside = format!("(*{object})");
            self.assumptions.push(format!("{shown} is null or points to one {element}"));
            match types[to] {
                Type::Record(_) => self.fill_members(&inside, &format!("(*{shown})"), to, depth)?,
                Type::Pointer(inner) if depth > 0 => {
                    self.fill_pointer(&inside, &format!("(*{shown})"), inner, depth - 1)?;
                }
                Type::Pointer(_) => {
                    self.line(&format!("{inside} = 0;"));
                    self.assumptions.push(format!("*{shown} is null"));
                }
                Type::Array(element, length) => {
                    self.fill_elements(&inside, &format!("(*{shown})"), (element, length), depth)?;
                }
                _ => {}
            }
            self.line("}");
            return Ok(());
        }
        let length = self.input("__SIZE_TYPE__");
        let variable = format!("length_{}", self.inputs);
        self.line(&format!("else {{ __SIZE_TYPE__ {variable} = {length};"));
        let most = match self.contents {
            Contents::Any => MOST_ELEMENTS,
            Contents::Inputs => FEW_ELEMENTS,
        };
        self.line(&format!("if ({variable} < 1 || {variable} > {most}) return;"));
        let made = self.block(&element, Some(&variable));
        self.line(&format!("{place} = {made};"));
        if self.contents == Contents::Inputs {
            for index in 0..FEW_ELEMENTS {
                let any = self.input(&element);
                self.line(&format!("if ({index} < {variable}) (({element} *){place})[{index}] = {any};"));
            }
        }
        let types = &self.tree.types;
        let is_text = !is_void && types.int_kind(to).is_some_and(|kind| kind.is_character());
        if is_text {
            self.line(&format!("(({element} *){place})[{variable} - 1] = 0;"));
            self.assumptions
                .push(format!("{shown} is null or a string of at most {} characters", MOST_ELEMENTS - 1));
        } else {
            let what = if is_void { "bytes" } else { "elements" };
            self.assumptions.push(format!("{shown} is null or points to 1 to {MOST_ELEMENTS} {what}"));
        }
        self.line("}");
        Ok(())
    }

    /// Fresh memory for one element, or for as many as a variable says.
    fn block(&self, element: &str, count: Option<&str>) -> String {
        match (self.contents, count) {
            (Contents::Any, None) => format!("malloc(sizeof({element}))"),
            (Contents::Any, Some(count)) => format!("malloc({count} * sizeof({element}))"),
            (Contents::Inputs, count) => format!("calloc({}, sizeof({element}))", count.unwrap_or("1")),
        }
    }

    /// How a type can be written before the name of a variable; none if it cannot.
    fn name_of(&self, ty: TypeId) -> Option<String> {
        let types = &self.tree.types;
        let typedef = || {
            let (name, _) = self.tree.typedefs.iter().find(|(_, named)| *named == ty)?;
            Some(self.symbols.text(*name).to_owned())
        };
        match &types[ty] {
            Type::Pointer(to) => Some(format!("{} *", self.name_of(*to)?)),
            Type::Record(record) => match types.records[*record].tag {
                Some(_) => Some(types.show(ty, self.symbols)),
                None => typedef(),
            },
            Type::Enum(id) => match types.enums[*id].tag {
                Some(_) => Some(types.show(ty, self.symbols)),
                None => Some(types.enums[*id].kind.name().to_owned()),
            },
            Type::Void | Type::Int(_) | Type::Float(_) => Some(types.show(ty, self.symbols)),
            // Other types are written behind a name, unless they stand in `typeof`.
            Type::Array(element, Length::Known(length)) => {
                Some(format!("__typeof__({} [{length}])", self.name_of(*element)?))
            }
            Type::Function(function) => {
                let mut parameters: Vec<String> =
                    function.parameters.iter().map(|&ty| self.name_of(ty)).collect::<Option<_>>()?;
                if function.variadic {
                    parameters.push("...".to_owned());
                } else if parameters.is_empty() && !function.unspecified {
                    parameters.push("void".to_owned());
                }
                Some(format!("__typeof__({} ({}))", self.name_of(function.result)?, parameters.join(", ")))
            }
            Type::VaList => Some("__builtin_va_list".to_owned()),
            Type::Array(..) => None,
        }
    }
}

/// How a type can be written before the name of a variable; none if it cannot.
pub(crate) fn type_name(tree: &Tree, symbols: &Symbols, ty: TypeId) -> Option<String> {
    let (declarations, body) = (String::new(), String::new());
    let assumptions = Vec::new();
    let contents = Contents::Any;
    Writer { tree, symbols, function: "", declarations, body, assumptions, inputs: 0, contents }.name_of(ty)
}

/// Whether a pointer is a part of a value of a type.
pub(crate) fn has_pointer(types: &Types, ty: TypeId) -> bool {
    match types[ty] {
        Type::Pointer(_) => true,
        Type::Array(element, _) => has_pointer(types, element),
        Type::Record(record) => {
            let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
            fields.into_iter().any(|field| has_pointer(types, field.ty))
        }
        _ => false,
    }
}

/// What contracts can say about a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What kind of values it has.
    pub kind: ParameterKind,
}

/// What kind of values a parameter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// Pointers to one object, which has a size.
    Object,
    /// Pointers to elements of an array.
    Elements,
    /// Integers.
    Integer {
        /// Whether there are negative ones.
        signed: bool,
        /// How many bits they have.
        width: u32,
    },
    /// Something else.
    Other,
}

impl Entries {
    /// What contracts can say about the parameters of a function.
    pub fn parameters(&self, entry: &Entry) -> Vec<Parameter> {
        let types = &self.tree.types;
        let kind = |ty: TypeId| match types[ty] {
            Type::Pointer(to) => match types[to] {
                Type::Function(_) | Type::Void => ParameterKind::Other,
                _ if !types.is_complete(to) => ParameterKind::Other,
                Type::Record(_) | Type::Array(..) | Type::Pointer(_) => ParameterKind::Object,
                _ => ParameterKind::Elements,
            },
            _ => match types.int_kind(ty) {
                Some(kind) => {
                    ParameterKind::Integer { signed: kind.is_signed(), width: kind.width(types.model) }
                }
                None => ParameterKind::Other,
            },
        };
        let all = parameters(&self.tree, &self.symbols, &self.tree.functions[entry.id]);
        all.into_iter().map(|(name, ty)| Parameter { name, kind: kind(ty) }).collect()
    }

    /// Whether a function returns an integer.
    pub fn returns_integer(&self, entry: &Entry) -> bool {
        let types = &self.tree.types;
        let ty = types.function(self.tree.functions[entry.id].ty);
        ty.is_some_and(|ty| types.int_kind(ty.result).is_some())
    }

    /// The names of variables at file scope that are no constants and hold no pointers.
    pub fn variables(&self) -> Vec<String> {
        let statics = self.tree.statics.iter().map(|&var| &self.tree.variables[var]);
        let plain = statics.filter(|data| {
            data.function.is_none() && !data.constant && !has_pointer(&self.tree.types, data.ty)
        });
        plain.map(|data| self.symbols.text(data.name).to_owned()).collect()
    }

    /// A second declaration of a function, behind its definition, for a contract to stand before; none if it cannot be written.
    pub fn declaration(&self, entry: &Entry) -> Option<String> {
        let function = &self.tree.functions[entry.id];
        let ty = self.tree.types.function(function.ty).filter(|ty| !ty.variadic && !ty.unspecified)?;
        let all = parameters(&self.tree, &self.symbols, function);
        let mut texts = Vec::new();
        for (name, ty) in &all {
            texts.push(format!("{} {name}", type_name(&self.tree, &self.symbols, *ty)?));
        }
        if texts.is_empty() {
            texts.push("void".to_owned());
        }
        let result = type_name(&self.tree, &self.symbols, ty.result)?;
        Some(format!("{result} {}({});", entry.name, texts.join(", ")))
    }
}
