//! Skeletons of models: a definition for each function that a program calls, does not define, and of which nothing is known.
//!
//! A skeleton is C text that compiles by itself together with the header that declares the function. As it stands, the
//! function returns anything and changes nothing, and a comment says so: who models the function changes it.

use crate::entries::type_name;
use crate::symbols::Symbols;
use crate::tree::{Function, Tree};
use crate::types::{Type, TypeId};
use crate::{Includes, Job, Problem, typed_tree};
use base::SourceMap;
use std::fmt::Write;

/// A function that needs a model.
#[derive(Clone, Debug)]
pub struct Stub {
    /// Its name.
    pub name: String,
    /// The header that declares it; none if a file of the program does.
    pub header: Option<String>,
    /// Its skeleton, or why there is none.
    pub text: Result<String, String>,
}

/// The functions of a program that need models, in the order of their declarations.
pub fn stubs(
    sources: &mut SourceMap,
    job: Job<'_>,
    model: crate::DataModel,
    includes: &dyn Includes,
) -> Result<Vec<Stub>, Vec<Problem>> {
    let (tree, symbols, _) = typed_tree(sources, job, model, includes)?;
    let mut called: Vec<_> = tree.mentions.iter().map(|&(_, function)| function).collect();
    called.sort();
    called.dedup();
    let mut stubs = Vec::new();
    for id in called {
        let function = &tree.functions[id];
        let name = symbols.text(function.name).to_owned();
        if function.body.is_some() || !crate::translate::is_unknown(&name) {
            continue;
        }
        let inside = job.files.contains(&function.span.file);
        let header = (!inside).then(|| sources.file(function.span.file).name.clone());
        // A header's own words have `const` and names for the parameters.
        let own = header.as_ref().and_then(|_| declaration(sources, function.span));
        let text = skeleton(&tree, &symbols, (&name, function), (header.is_some(), own));
        stubs.push(Stub { name, header, text });
    }
    Ok(stubs)
}

fn skeleton(
    tree: &Tree,
    symbols: &Symbols,
    (name, function): (&str, &Function),
    (has_header, own): (bool, Option<Declared>),
) -> Result<String, String> {
    let Some(ty) = tree.types.function(function.ty) else { return Err("it is no function".to_owned()) };
    if ty.unspecified {
        return Err("its declaration does not say what it takes".to_owned());
    }
    let written = |ty: TypeId| match &tree.types[ty] {
        // The constants are in a file that the model does not see.
        Type::Enum(id) if !has_header => Ok(tree.types.enums[*id].kind.name().to_owned()),
        _ => type_name(tree, symbols, ty).ok_or("a type without a name is in its declaration"),
    };
    let mut declarations = String::new();
    if !has_header {
        for &ty in ty.parameters.iter().chain([&ty.result]) {
            forward(tree, symbols, ty, &mut declarations)?;
        }
    }
    let mut parameters = Vec::new();
    let mut pointers = Vec::new();
    for (index, &parameter) in ty.parameters.iter().enumerate() {
        let own = format!("argument_{}", index + 1);
        parameters.push(format!("{} {own}", written(parameter)?));
        if matches!(tree.types[parameter], Type::Pointer(_)) {
            pointers.push(own);
        }
    }
    if ty.variadic {
        parameters.push("...".to_owned());
    } else if parameters.is_empty() {
        parameters.push("void".to_owned());
    }
    let result = written(ty.result)?;
    let own = own.filter(|own| own.names.len() == ty.parameters.len());
    if let Some(own) = &own {
        let is_pointer = |&(_, ty): &(&String, &TypeId)| matches!(tree.types[*ty], Type::Pointer(_));
        pointers =
            own.names.iter().zip(&ty.parameters).filter(is_pointer).map(|(name, _)| name.clone()).collect();
    }
    let mut body = String::new();
    if !pointers.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(body, "    /* What it writes through {} goes here. */", pointers.join(", "));
    }
    match &tree.types[ty.result] {
        Type::Void => {}
        Type::Pointer(to) => {
            let _ = writeln!(declarations, "extern _Bool unreach_fails_{name}(void);");
            let complete =
                !matches!(tree.types[*to], Type::Void | Type::Function(_)) && tree.types.is_complete(*to);
            let is_function = matches!(tree.types[*to], Type::Function(_));
            let _ = writeln!(declarations, "extern void *malloc(__SIZE_TYPE__);");
            body.push_str(match is_function {
                true => "    return 0;\n",
                false => "    /* Null, or an object of its own: how large is it, and what is in it? */\n",
            });
            if !is_function {
                let size = match (complete, written(*to)) {
                    (true, Ok(to)) => format!("sizeof({to})"),
                    _ => "1".to_owned(),
                };
                let _ = writeln!(body, "    return unreach_fails_{name}() ? 0 : malloc({size});");
            }
        }
        Type::Record(_) => body.push_str(&format!("    {result} result;\n    return result;\n")),
        _ => {
            let _ = writeln!(declarations, "extern {result} unreach_any_{name}(void);");
            let _ = writeln!(body, "    {result} result = unreach_any_{name}();");
            let _ = writeln!(body, "    /* What is known of the result: __VERIFIER_assume(0 <= result); */");
            body.push_str("    return result;\n");
        }
    }
    let head = match own {
        Some(own) => own.text,
        None => format!("{result} {name}({})", parameters.join(", ")),
    };
    Ok(format!(
        "/* A model of `{name}`. As it stands, the function returns anything and changes nothing. */\n\
         {declarations}\n{head}\n{{\n{body}}}\n"
    ))
}

/// A declaration in the words of its header.
struct Declared {
    text: String,
    /// What its parameters are called.
    names: Vec<String>,
}

/// The declaration around a name, if it is plain enough to be a definition without its semicolon.
fn declaration(sources: &SourceMap, name: base::Span) -> Option<Declared> {
    let text = &sources.file(name.file).text;
    let (start, end) = (name.start as usize, name.end as usize);
    let before = text.get(..start)?;
    let begins = before.rfind([';', '}', '{', '/']).map_or(0, |at| at + 1);
    let head = before.get(begins..)?.trim_start();
    let behind = text.get(end..)?;
    let closes = behind.find(')')?;
    let list = behind.get(..closes)?.trim_start().strip_prefix('(')?;
    let plain = |text: &str| !text.contains(['#', '/', '(', '[', '"', '=']);
    let rest = behind.get(closes + 1..)?.trim_start();
    if !plain(head) || !plain(list) || !rest.starts_with(';') {
        return None;
    }
    let head = head.trim_start_matches("extern ").trim_start();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for parameter in list.split(',').map(str::trim).filter(|one| !matches!(*one, "" | "void" | "...")) {
        let own = parameter.rsplit(|c: char| !is_part(c)).next()?;
        // A single word is a type.
        let words = parameter.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).count();
        let is_type =
            ["int", "char", "long", "short", "unsigned", "signed", "double", "float", "const"].contains(&own);
        if own.is_empty() || words < 2 || is_type || (words == 2 && parameter.starts_with("struct")) {
            return None;
        }
        names.push(own.to_owned());
    }
    let text = format!("{head}{}({list})", sources.text(name));
    Some(Declared { text: text.split_whitespace().collect::<Vec<_>>().join(" "), names })
}

/// Declares the structs and unions that a type names.
fn forward(tree: &Tree, symbols: &Symbols, ty: TypeId, out: &mut String) -> Result<(), String> {
    match &tree.types[ty] {
        Type::Pointer(to) | Type::Array(to, _) => forward(tree, symbols, *to, out),
        Type::Record(record) => {
            if tree.types.records[*record].tag.is_none() {
                return Err("a struct without a tag is in its declaration, which no header makes".to_owned());
            }
            let line = format!("{};\n", tree.types.show(ty, symbols));
            if !out.contains(&line) {
                out.push_str(&line);
            }
            Ok(())
        }
        Type::Function(function) => function
            .parameters
            .iter()
            .chain([&function.result])
            .try_for_each(|&ty| forward(tree, symbols, ty, out)),
        _ => Ok(()),
    }
}
