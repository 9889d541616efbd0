//! Initialisers (C11 6.7.9): lists with and without designators become values of scalar parts.
//!
//! The list is walked with the *current object*, a stack of aggregates with the number of the next part in each. A
//! designator moves it, a value fills it and steps on. Whole structs may be given by one expression.

use super::{Check, Checker};
use crate::ast::{self, Designator, InitItem};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, Step, VarId};
use crate::types::{Length, Type, TypeId};
use base::Span;
use std::collections::{BTreeMap, BTreeSet};

/// More parts than this are taken for a mistake or an attack.
const MAX_PARTS: usize = 4_000_000;

/// Values of parts, as they are collected.
#[derive(Default)]
struct Parts {
    /// In the order of the list; what is overridden is none.
    values: Vec<Option<(Vec<Step>, ExprId)>>,
    path: Vec<Step>,
    /// The parts that are structs and were given by an expression, as far as not overridden.
    wholes: BTreeSet<Vec<Step>>,
    /// Where the value of a part is; kept only once the list went back.
    places: Option<BTreeMap<Vec<Step>, usize>>,
}

impl Parts {
    /// Drops what was said about the current part (C11 6.7.9 p19). As in gcc, dropped values are not evaluated.
    fn override_current(&mut self) {
        let forward = match self.values.last() {
            Some(Some((last, _))) => last < &self.path && !self.path.starts_with(last),
            Some(None) => false,
            None => true,
        };
        if self.places.is_none() {
            if forward {
                return;
            }
            let known = self.values.iter().enumerate();
            let places = known.filter_map(|(place, value)| Some((value.as_ref()?.0.clone(), place)));
            self.places = Some(places.collect());
        }
        self.wholes.retain(|whole| !whole.starts_with(&self.path));
        let Some(places) = &mut self.places else { return };
        let range = places.range(self.path.clone()..);
        let below: Vec<Vec<Step>> = range
            .take_while(|(path, _)| path.starts_with(&self.path))
            .map(|(path, _)| path.clone())
            .collect();
        for path in below {
            if let Some(place) = places.remove(&path) {
                self.values[place] = None;
            }
        }
    }

    /// Drops what was said about other members of the current union: the last one that is named counts.
    fn override_other_members(&mut self, member: Step) {
        let depth = self.path.len();
        let is_other = |path: &Vec<Step>| {
            path.starts_with(&self.path) && path.get(depth).is_some_and(|&step| step != member)
        };
        self.wholes.retain(|whole| !is_other(whole) && *whole != self.path);
        for value in &mut self.values {
            if value.as_ref().is_some_and(|(path, _)| is_other(path) || *path == self.path) {
                *value = None;
            }
        }
        if let Some(places) = &mut self.places {
            places.retain(|path, _| !is_other(path) && *path != self.path);
        }
    }

    fn finish(self) -> Init {
        Init::Parts(self.values.into_iter().flatten().collect())
    }
}

impl<'a> Checker<'a> {
    /// The initialiser of a variable. It may complete the length of the variable's array type.
    pub(super) fn initialiser(&mut self, var: VarId, init: &'a ast::Init) -> Check<Init> {
        let ty = self.tree.variables[var].ty;
        match init {
            ast::Init::Expr(expr) => {
                let value = self.expression(*expr)?;
                let span = self.span(value);
                if let Type::Array(element, length) = self.tree.types[ty] {
                    let ExprKind::Text(text) = self.tree.exprs[value].kind else {
                        // A compound literal of the same type may initialise an array in GNU C.
                        if let Some(init) = self.of_literal(var, *expr)? {
                            return Ok(init);
                        }
                        return Err(Problem::error(span, "an array needs a list in braces"));
                    };
                    let mut parts = Parts::default();
                    let units = self.tree.texts[text].clone();
                    self.characters(&mut parts, element, length, &units, span)?;
                    self.complete(var, units.len() as u64);
                    return Ok(parts.finish());
                }
                let value = self.value_of(value)?;
                let value = self.convert(value, ty, span)?;
                Ok(match self.complex_parts(value) {
                    Some((real, imaginary)) => {
                        Init::Parts(vec![(vec![Step::Field(0)], real), (vec![Step::Field(1)], imaginary)])
                    }
                    None => Init::Whole(value),
                })
            }
            ast::Init::List(items, span) => {
                let mut parts = Parts::default();
                if !self.is_aggregate(ty) {
                    return match &items[..] {
                        [item] if item.designators.is_empty() => self.initialiser(var, &item.init),
                        [] => {
                            let zero = self.int_node(0, self.tree.types.int, *span);
                            Ok(Init::Whole(self.convert(zero, ty, *span)?))
                        }
                        _ => Err(Problem::error(*span, "too many values for a scalar")),
                    };
                }
                let longest = self.list(&mut parts, ty, items, *span)?;
                self.complete(var, longest);
                Ok(parts.finish())
            }
        }
    }

    /// The initialiser of a compound literal, for the array that it initialises.
    fn of_literal(&mut self, var: VarId, expr: ast::ExprId) -> Check<Option<Init>> {
        let ast = self.ast;
        match &ast.exprs[expr].kind {
            ast::ExprKind::CompoundLiteral(_, init) => self.initialiser(var, init).map(Some),
            _ => Ok(None),
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.tree.types[ty], Type::Array(..) | Type::Record(_)) && self.complex_element(ty).is_none()
    }

    /// Gives an array of unknown length the length of its initialiser.
    fn complete(&mut self, var: VarId, length: u64) {
        if let Type::Array(element, Length::Unknown) = self.tree.types[self.tree.variables[var].ty] {
            let ty = self.tree.types.intern(Type::Array(element, Length::Known(length)));
            self.tree.variables[var].ty = ty;
        }
    }

    /// The elements of a character array that a string gives.
    fn characters(
        &mut self,
        parts: &mut Parts,
        element: TypeId,
        length: Length,
        units: &[u32],
        span: Span,
    ) -> Check<()> {
        let Some(kind) = self.tree.types.int_kind(element) else {
            return Err(Problem::error(span, "only arrays of characters can be initialised by a string"));
        };
        let most = match length {
            Length::Known(most) => most,
            _ => units.len() as u64,
        };
        for (index, &unit) in units.iter().enumerate().take(most as usize) {
            let value = self.tree.types.wrap(unit.into(), kind).unwrap_or(0);
            let value = self.int_node(value, element, span);
            parts.path.push(Step::Index(index as u64));
            self.put(parts, value, span)?;
            parts.path.pop();
        }
        Ok(())
    }

    fn put(&mut self, parts: &mut Parts, value: ExprId, span: Span) -> Check<()> {
        if let Some((real, imaginary)) = self.complex_parts(value) {
            for (part, value) in [(0, real), (1, imaginary)] {
                parts.path.push(Step::Field(part));
                self.put(parts, value, span)?;
                parts.path.pop();
            }
            return Ok(());
        }
        if parts.values.len() >= MAX_PARTS {
            return Err(Problem::error(span, "this initialiser is too large"));
        }
        // Compilers differ in what is left of a struct that was given by an expression when a part of it is given again.
        if (0..parts.path.len()).any(|depth| parts.wholes.contains(&parts.path[..depth])) {
            let what = "a part of a struct that an expression has initialised, in the same list";
            return Err(Problem::unsupported(span, what));
        }
        if self.is_aggregate(self.ty(value)) {
            parts.wholes.insert(parts.path.clone());
        }
        if let Some(places) = &mut parts.places
            && let Some(before) = places.insert(parts.path.clone(), parts.values.len())
        {
            parts.values[before] = None;
        }
        parts.values.push(Some((parts.path.clone(), value)));
        Ok(())
    }

    /// How many parts an aggregate has; `None` if its length is open.
    fn part_count(&self, ty: TypeId) -> Option<u64> {
        match self.tree.types[ty] {
            Type::Array(_, Length::Known(length)) => Some(length),
            Type::Array(..) => None,
            Type::Record(record) => {
                let layout = self.tree.types.records[record].layout.as_ref();
                let count = layout.map_or(0, |layout| layout.fields.len() as u64);
                Some(if self.tree.types.records[record].is_union { count.min(1) } else { count })
            }
            _ => Some(0),
        }
    }

    /// The type of a part by its number, and the step to it.
    fn part(&self, ty: TypeId, index: u64) -> Option<(TypeId, Step)> {
        match self.tree.types[ty] {
            Type::Array(element, _) => Some((element, Step::Index(index))),
            Type::Record(record) => {
                let field = self.tree.types.field(record, index as u32)?;
                Some((field.ty, Step::Field(index as u32)))
            }
            _ => None,
        }
    }

    /// A list in braces for an aggregate; gives the number of elements up to the last one named.
    fn list(&mut self, parts: &mut Parts, ty: TypeId, items: &'a [InitItem], span: Span) -> Check<u64> {
        if let (Type::Array(element, length), [InitItem { designators, init: ast::Init::Expr(expr) }]) =
            (&self.tree.types[ty], items)
        {
            let (element, length) = (*element, *length);
            let ast = self.ast;
            // `char s[] = { "abc" }`
            if designators.is_empty()
                && let ast::ExprKind::Text(_) = ast.exprs[*expr].kind
                && self.tree.types.int_kind(element).is_some()
            {
                let value = self.expression(*expr)?;
                if let ExprKind::Text(text) = self.tree.exprs[value].kind {
                    let units = self.tree.texts[text].clone();
                    self.characters(parts, element, length, &units, span)?;
                    return Ok(units.len() as u64);
                }
            }
        }
        let mut next = 0u64;
        let mut longest = 0u64;
        let mut index = 0;
        while index < items.len() {
            let item = &items[index];
            if !item.designators.is_empty() {
                next = crate::deep(|| self.designation(parts, ty, (items, &mut index), 0, span))?;
            } else {
                if self.part_count(ty).is_some_and(|count| next >= count) {
                    // Compilers warn about values in excess and drop them; their effects are dropped too.
                    return Ok(longest);
                }
                let (part, step) = self.part_at(ty, next, span)?;
                parts.path.push(step);
                crate::deep(|| self.positional(parts, part, items, &mut index))?;
                parts.path.pop();
                next += 1;
            }
            longest = longest.max(next);
        }
        Ok(longest)
    }

    fn part_at(&self, ty: TypeId, index: u64, span: Span) -> Check<(TypeId, Step)> {
        self.part(ty, index).ok_or_else(|| Problem::error(span, "this initialiser has too many values"))
    }

    /// Fills one part from the list at `index`: with one item, or, without braces, with as many as it has parts.
    fn positional(
        &mut self,
        parts: &mut Parts,
        ty: TypeId,
        items: &'a [InitItem],
        index: &mut usize,
    ) -> Check<()> {
        let item = &items[*index];
        let expr = match &item.init {
            ast::Init::List(..) => {
                *index += 1;
                parts.override_current();
                return self.fill(parts, ty, &item.init);
            }
            ast::Init::Expr(expr) => *expr,
        };
        if !self.is_aggregate(ty) {
            *index += 1;
            parts.override_current();
            return self.fill(parts, ty, &item.init);
        }
        let ast = self.ast;
        let is_text = matches!(ast.exprs[expr].kind, ast::ExprKind::Text(_));
        let whole = match self.tree.types[ty] {
            Type::Array(element, _) => is_text && self.tree.types.int_kind(element).is_some(),
            _ => {
                // The nodes made for looking are not used again; the arena just keeps them.
                let value = self.expression(expr)?;
                self.ty(value) == ty
            }
        };
        if whole {
            *index += 1;
            parts.override_current();
            return self.fill(parts, ty, &item.init);
        }
        let count = self.part_count(ty).unwrap_or(0);
        let mut at = 0;
        while at < count && *index < items.len() && items[*index].designators.is_empty() {
            let Some((part, step)) = self.part(ty, at) else { break };
            parts.path.push(step);
            crate::deep(|| self.positional(parts, part, items, index))?;
            parts.path.pop();
            at += 1;
        }
        if count == 0 {
            *index += 1;
        }
        Ok(())
    }

    /// The value of a part: a list, a string, or an expression.
    fn fill(&mut self, parts: &mut Parts, ty: TypeId, init: &'a ast::Init) -> Check<()> {
        match init {
            ast::Init::List(items, span) if self.is_aggregate(ty) => {
                crate::deep(|| self.list(parts, ty, items, *span)).map(|_| ())
            }
            ast::Init::List(items, span) => match &items[..] {
                // Compilers warn about values in excess and drop them.
                [item, ..] => crate::deep(|| self.fill(parts, ty, &item.init)),
                [] => {
                    let zero = self.int_node(0, self.tree.types.int, *span);
                    let zero = self.convert(zero, ty, *span)?;
                    self.put(parts, zero, *span)
                }
            },
            ast::Init::Expr(expr) => {
                let value = self.expression(*expr)?;
                let span = self.span(value);
                if let (Type::Array(element, length), ExprKind::Text(text)) =
                    (&self.tree.types[ty], &self.tree.exprs[value].kind)
                {
                    let (element, length) = (*element, *length);
                    let units = self.tree.texts[*text].clone();
                    return self.characters(parts, element, length, &units, span);
                }
                let value = self.value_of(value)?;
                let value = self.convert(value, ty, span)?;
                self.put(parts, value, span)
            }
        }
    }

    /// What a designator names: the first and last part, and the rest of the way into anonymous members.
    fn designated(&mut self, ty: TypeId, designator: &Designator, span: Span) -> Check<(u64, u64, Vec<u32>)> {
        match (designator, &self.tree.types[ty]) {
            (Designator::Field(name, span), Type::Record(record)) => {
                let Some(path) = self.tree.types.find_field(*record, *name) else {
                    let message = format!("`{}` has no member `{}`", self.show(ty), self.text(*name));
                    return Err(Problem::error(*span, message));
                };
                let first = u64::from(path[0]);
                Ok((first, first, path[1..].to_vec()))
            }
            (Designator::Index(index), Type::Array(_, length)) => {
                let length = *length;
                let index = self.element(*index, length)?;
                Ok((index, index, Vec::new()))
            }
            (Designator::Range(first, last), Type::Array(_, length)) => {
                let length = *length;
                let first = self.element(*first, length)?;
                let last = self.element(*last, length)?;
                if last < first {
                    return Err(Problem::error(span, "this range is empty"));
                }
                Ok((first, last, Vec::new()))
            }
            _ => Err(Problem::error(span, "this designator does not fit the type")),
        }
    }

    fn element(&mut self, index: ast::ExprId, length: Length) -> Check<u64> {
        let span = self.ast_expr(index).span;
        let value = self.constant_of(index, "the index of a designator")?;
        match (u64::try_from(value), length) {
            (Ok(value), Length::Known(length)) if value < length => Ok(value),
            (Ok(value), Length::Unknown) if value < 1 << 40 => Ok(value),
            _ => Err(Problem::error(span, "this index is outside of the array")),
        }
    }

    /// The value at a designation, of which `depth` steps were taken, and the values behind it that go on from there
    /// (C11 6.7.9 p17). Gives the number of the part behind the last one that is filled.
    fn designation(
        &mut self,
        parts: &mut Parts,
        ty: TypeId,
        (items, index): (&'a [InitItem], &mut usize),
        depth: usize,
        span: Span,
    ) -> Check<u64> {
        let item = &items[*index];
        let (first, last, anonymous) = self.designated(ty, &item.designators[depth], span)?;
        if last - first > MAX_PARTS as u64 {
            return Err(Problem::error(span, "this initialiser is too large"));
        }
        if matches!(self.tree.types[ty], Type::Record(record) if self.tree.types.records[record].is_union) {
            // Another member of a union replaces it.
            let (_, step) = self.part_at(ty, first, span)?;
            parts.override_other_members(step);
        }
        // All parts of a range get the same value; what follows goes on behind the last.
        let mut behind = *index;
        for at in first..=last {
            let (part, step) = self.part_at(ty, at, span)?;
            parts.path.push(step);
            behind = *index;
            let visible = if at < last { &items[..=*index] } else { items };
            self.inside(parts, part, &anonymous, (visible, &mut behind), depth + 1, span)?;
            parts.path.pop();
        }
        *index = behind;
        if depth == 0 {
            return Ok(last + 1);
        }
        self.go_on(parts, ty, last + 1, (items, index))?;
        Ok(last + 1)
    }

    /// The rest of a designation: first the way into anonymous members, then its further steps, then the value.
    fn inside(
        &mut self,
        parts: &mut Parts,
        ty: TypeId,
        anonymous: &[u32],
        (items, index): (&'a [InitItem], &mut usize),
        depth: usize,
        span: Span,
    ) -> Check<()> {
        if let Some((&member, deeper)) = anonymous.split_first() {
            let (part, step) = self.part_at(ty, member.into(), span)?;
            if matches!(self.tree.types[ty], Type::Record(record) if self.tree.types.records[record].is_union)
            {
                parts.override_other_members(step);
            }
            parts.path.push(step);
            crate::deep(|| self.inside(parts, part, deeper, (items, index), depth, span))?;
            parts.path.pop();
            return self.go_on(parts, ty, u64::from(member) + 1, (items, index));
        }
        if depth < items[*index].designators.len() {
            return crate::deep(|| self.designation(parts, ty, (items, index), depth, span)).map(|_| ());
        }
        let init = &items[*index].init;
        *index += 1;
        parts.override_current();
        self.fill(parts, ty, init)
    }

    /// Values without designators fill an aggregate from one of its parts on.
    fn go_on(
        &mut self,
        parts: &mut Parts,
        ty: TypeId,
        from: u64,
        (items, index): (&'a [InitItem], &mut usize),
    ) -> Check<()> {
        let mut at = from;
        while self.part_count(ty).is_some_and(|count| at < count)
            && items.get(*index).is_some_and(|item| item.designators.is_empty())
        {
            let Some((part, step)) = self.part(ty, at) else { break };
            parts.path.push(step);
            crate::deep(|| self.positional(parts, part, items, index))?;
            parts.path.pop();
            at += 1;
        }
        Ok(())
    }
}
