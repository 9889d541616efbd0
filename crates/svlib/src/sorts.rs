//! Sorts as types of the intermediate language.

use crate::builder::Builder;
use crate::problem::{Problem, mistake, unsupported};
use crate::symbols::NamedSort;
use crate::syntax::{Data, Node};
use ir::{Type, TypeData};
use rustc_hash::FxHashMap;

/// A synonym that uses synonyms that use synonyms … ends before this.
const DEEPEST: usize = 200;

/// The widest bit-vector.
const WIDEST: u32 = 1 << 20;

impl Builder<'_> {
    /// The type of a sort in a command.
    pub(crate) fn sort(&mut self, node: Node, command: usize) -> Result<Type, Problem> {
        self.sort_in(node, command, &FxHashMap::default(), DEEPEST)
    }

    fn sort_in(
        &mut self,
        node: Node,
        command: usize,
        parameters: &FxHashMap<String, Type>,
        depth: usize,
    ) -> Result<Type, Problem> {
        let span = self.document.span(node);
        let Some(depth) = depth.checked_sub(1) else {
            return Err(unsupported(span, "sorts that are nested so deep"));
        };
        let document = self.document;
        if let Some(&parameter) = document.symbol(node).and_then(|name| parameters.get(name)) {
            return Ok(parameter);
        }
        let (name, arguments): (&str, &[Node]) = match (document.data(node), document.headed(node)) {
            (Data::Symbol(name), _) => (name, &[]),
            (_, Some(("_", [head, indices @ ..]))) => {
                return match (document.symbol(*head), indices) {
                    (Some("BitVec"), [width]) => self.bit_vector(*width),
                    _ => Err(unsupported(span, format!("the sort `{}`", document.text(node)))),
                };
            }
            (_, Some(headed)) => headed,
            _ => return Err(mistake(span, "a sort is expected here")),
        };
        let mut types = Vec::new();
        for &argument in arguments {
            types.push(self.sort_in(argument, command, parameters, depth)?);
        }
        match (name, &types[..]) {
            ("Bool", []) => return Ok(Type::BOOL),
            ("Int", []) => return Ok(Type::INT),
            ("Real", []) => return Ok(Type::REAL),
            ("Array", [domain, range]) => return Ok(self.program.types.map([*domain], *range)),
            (
                "String" | "RegLan" | "RoundingMode" | "Seq" | "Float16" | "Float32" | "Float64" | "Float128",
                _,
            ) => {
                return Err(unsupported(span, format!("the sort `{name}`")));
            }
            _ => {}
        }
        let wrong = |expected: usize| {
            let found = types.len();
            mistake(span, format!("`{name}` takes {expected} sorts, and here are {found}"))
        };
        match self.sorts.find(name, command, span)? {
            Some(NamedSort::Constructor { constructor, arity }) if arity == types.len() => {
                Ok(self.program.types.named(constructor, types))
            }
            Some(NamedSort::Synonym { parameters, body }) if parameters.len() == types.len() => {
                let bound = parameters.into_iter().zip(types).collect();
                self.sort_in(body, command, &bound, depth)
            }
            Some(NamedSort::Constructor { arity, .. }) => Err(wrong(arity)),
            Some(NamedSort::Synonym { parameters, .. }) => Err(wrong(parameters.len())),
            None => Err(mistake(span, format!("there is no sort `{name}`"))),
        }
    }

    fn bit_vector(&mut self, width: Node) -> Result<Type, Problem> {
        let span = self.document.span(width);
        match self.number(width)? {
            0 => Err(mistake(span, "a bit-vector has at least one bit")),
            width if width > WIDEST => Err(unsupported(span, "bit-vectors of so many bits")),
            width => Ok(self.program.types.bit_vector(width)),
        }
    }

    /// A numeral that is an index.
    pub(crate) fn number(&self, node: Node) -> Result<u32, Problem> {
        match self.document.data(node) {
            Data::Numeral(digits) => {
                digits.parse().map_err(|_| unsupported(self.document.span(node), "an index that is so large"))
            }
            _ => Err(mistake(self.document.span(node), "a numeral is expected here")),
        }
    }

    /// A type as SV-LIB writes it.
    pub(crate) fn sort_text(&self, ty: Type) -> String {
        match &self.program.types[ty] {
            TypeData::Bool => "Bool".to_owned(),
            TypeData::Int => "Int".to_owned(),
            TypeData::Real => "Real".to_owned(),
            TypeData::BitVec(width) => format!("(_ BitVec {width})"),
            TypeData::Map { domain, range } => {
                let domain: Vec<String> = domain.iter().map(|&ty| self.sort_text(ty)).collect();
                format!("(Array {} {})", domain.join(" "), self.sort_text(*range))
            }
            TypeData::Named { constructor, .. } => self.program.constructors[*constructor].name.clone(),
        }
    }
}
