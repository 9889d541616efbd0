//! The functions that contracts call (see [`crate::contracts`]).

use super::numbers::Interval;
use super::places::Place;
use super::regions::View;
use super::shapes::Shape;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, ExprKind};
use ir::{BinaryOp, Expr, QuantifierKind, VariableKind};

/// Objects with at most so many cells in a range get arbitrary contents cell by cell.
const MOST_CELLS: i128 = 64;

/// What an arbitrary range of memory begins and ends with.
#[derive(Clone, Copy)]
struct Range {
    base: Expr,
    low: Expr,
    high: Expr,
    /// How many bytes it has, if that is known.
    size: Option<i128>,
}

impl Translator<'_> {
    /// A call of a contract's function; nothing if it is none.
    pub(super) fn contract_call(
        &mut self,
        what: &str,
        call: ExprId,
        arguments: &[ExprId],
    ) -> Result<Option<Value>> {
        if self.frame_call(what, call, arguments)? {
            return Ok(Some(Value::Void));
        }
        let at = self.expression.at;
        match (what, arguments) {
            ("assert", &[text, condition]) => {
                let text = self.literal_text(text).unwrap_or_default();
                let condition = self.condition(condition)?;
                self.expression.at = at;
                self.assert(condition, &format!("contract: {text}"));
            }
            ("assume", &[condition]) => {
                let condition = self.condition(condition)?;
                self.assume_for_author(condition);
            }
            ("stop", []) => self.stop(),
            ("unknown", &[text]) => {
                let text = self.literal_text(text).unwrap_or_default();
                self.give_up(&text);
            }
            ("choice", []) => return Ok(Some(self.any_truth_value())),
            ("follows", &[pointer]) => {
                let (base, _) = self.contract_pointer(pointer)?;
                let zero = self.int(0);
                let follows = match self.checks_memory() && !self.is_quiet() {
                    true => self.truth(true),
                    false => self.compare(BinaryOp::NotEqual, base, zero),
                };
                return Ok(Some(self.truth_value(follows)));
            }
            ("never", []) => {
                let zero = self.int(0);
                return Ok(Some(Value::Int(zero, Interval::exactly(0))));
            }
            ("any", []) => return self.any_value(self.tree.exprs[call].ty).map(Some),
            ("valid", &[pointer, ref rest @ ..]) => {
                let (base, offset) = self.contract_pointer(pointer)?;
                let size = match rest {
                    &[size] => match self.value(size)? {
                        Value::Int(size, _) => size,
                        _ => return Err(self.unsupported("a size that is no integer")),
                    },
                    _ => {
                        let to = super::classes::pointed_type(self.tree, pointer);
                        let size = to.and_then(|to| self.tree.types.size(to)).unwrap_or(1);
                        self.int(size)
                    }
                };
                let end = self.add(offset, size);
                let whole = self.object_size(base)?;
                let zero = self.int(0);
                let above = self.compare(BinaryOp::LessEqual, zero, offset);
                let below = self.compare(BinaryOp::LessEqual, end, whole);
                let inside = self.and(above, below);
                let lives = self.is_live(base);
                let valid = self.and(lives, inside);
                return Ok(Some(self.truth_value(valid)));
            }
            ("size" | "offset", &[pointer]) => {
                let (base, offset) = self.contract_pointer(pointer)?;
                let value = if what == "size" { self.object_size(base)? } else { offset };
                let seen = self.tree.types.int_kind(self.tree.exprs[call].ty);
                let kind = seen.unwrap_or(self.tree.types.size_kind());
                return self.fit(value, Interval::ALL, kind).map(Some);
            }
            ("same", &[left, right]) => {
                let ((left, _), (right, _)) = (self.contract_pointer(left)?, self.contract_pointer(right)?);
                let same = self.equal(left, right);
                return Ok(Some(self.truth_value(same)));
            }
            ("since", &[pointer, frame]) => {
                let (base, _) = self.contract_pointer(pointer)?;
                let ExprKind::Int(number) = self.tree.exprs[frame].kind else { return Ok(None) };
                let Some(new) = self.is_new_since(base, number) else { return Ok(None) };
                return Ok(Some(self.truth_value(new)));
            }
            ("havoc_object", &[pointer]) => {
                let (base, _) = self.contract_pointer(pointer)?;
                self.forget_contents(pointer, base)?;
            }
            ("havoc_reached", &[pointer]) => {
                let (base, _) = self.contract_pointer(pointer)?;
                self.forget_contents(pointer, base)?;
                self.forget_behind(pointer)?;
            }
            ("havoc_from", &[pointer]) => {
                let (base, low) = self.contract_pointer(pointer)?;
                let high = self.object_size(base)?;
                self.forget_range(pointer, Range { base, low, high, size: None })?;
            }
            ("havoc_range", &[pointer, size]) => {
                let (base, low) = self.contract_pointer(pointer)?;
                let Value::Int(size, _) = self.value(size)? else {
                    return Err(self.unsupported("a size that is no integer"));
                };
                let known = self.literal(size);
                let high = self.add(low, size);
                self.forget_range(pointer, Range { base, low, high, size: known })?;
            }
            ("havoc_place", &[load]) => {
                let ExprKind::Load(place) = self.tree.exprs[load].kind else { return Ok(None) };
                self.forget_array(place)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::Void))
    }

    fn truth_value(&mut self, condition: Expr) -> Value {
        let (one, zero) = (self.int(1), self.int(0));
        Value::Int(self.ite(condition, one, zero), Interval::TRUTH)
    }

    fn contract_pointer(&mut self, pointer: ExprId) -> Result<(Expr, Expr)> {
        match self.value(pointer)? {
            Value::Pointer(base, offset) => Ok((self.share(base), self.share(offset))),
            _ => Err(self.unsupported("a contract about something that is no pointer")),
        }
    }

    /// Any value of a type.
    fn any_value(&mut self, ty: crate::types::TypeId) -> Result<Value> {
        let variables = self.leaf_variables(ty, "#any", |this, name, ty| this.new_local(name, ty))?;
        self.havoc(variables.iter().flatten().copied().collect());
        self.read_variables(ty, &variables)
    }

    /// All of the object that a pointer points into gets arbitrary contents.
    fn forget_contents(&mut self, pointer: ExprId, base: Expr) -> Result<()> {
        let zero = self.int(0);
        self.check_access(base, zero, zero, "a contract says that something is changed that is no object")?;
        self.check_frames_of_object(base);
        let class = self.analyses.classes.class(pointer);
        self.set_fresh(base, false);
        self.reset_memory(base, class, false)
    }

    /// Whatever is found behind pointers in an object gets arbitrary contents: all memory of such kinds does, which is
    /// more than what is found there.
    fn forget_behind(&mut self, pointer: ExprId) -> Result<()> {
        let first = self.analyses.classes.class(pointer);
        for class in self.analyses.classes.reached_from(first) {
            self.mark("memory behind pointers that a contract does not speak of");
            for region in self.regions_of(class)?.into_iter().filter(|region| !region.is_tags) {
                self.count_as_written(&region)?;
                self.havoc(region.variables);
            }
        }
        Ok(())
    }

    /// An array gets arbitrary contents.
    fn forget_array(&mut self, array: ExprId) -> Result<()> {
        let ty = self.tree.exprs[array].ty;
        let place = self.place(array)?;
        match &place {
            Place::Plain { variables, leaf, indices, .. } => {
                self.check_frames(&place, ty)?;
                let count = self.leaves(ty)?.len();
                let mut pairs = Vec::new();
                for &variable in variables[*leaf..*leaf + count].iter().flatten() {
                    let mut inner = self.program.variables[variable].ty;
                    for _ in indices {
                        if let Some((_, range)) = self.program.types.as_map(inner) {
                            inner = range;
                        }
                    }
                    let any = self.temporary(inner);
                    self.havoc(vec![any]);
                    let (old, any) = (self.var(variable), self.var(any));
                    pairs.push((variable, self.store(old, indices, any)));
                }
                self.assign_all(pairs);
                Ok(())
            }
            &Place::Memory { base, offset, .. } => {
                let bytes = self.covered_bytes(ty)?;
                let high = self.add(offset, bytes);
                let size = self.literal(bytes);
                self.forget_range(array, Range { base, low: offset, high, size })
            }
            Place::Value { .. } => Err(self.unsupported("arbitrary contents of a value")),
        }
    }

    /// A range of an object gets arbitrary contents, and the rest keeps its own.
    fn forget_range(&mut self, pointer: ExprId, range: Range) -> Result<()> {
        let Range { base, low, high, size: known } = range;
        let (base, low, high) = (self.share(base), self.share(low), self.share(high));
        let size = self.subtract(high, low);
        self.check_frames_of_range(base, low, size);
        let class = self.analyses.classes.class(pointer);
        self.set_fresh(base, false);
        let whole = self.literal(base).and_then(|base| u64::try_from(base).ok());
        let whole = whole.and_then(|base| self.storage.fixed_sizes.get(&base)).copied();
        let covers =
            self.literal(low) == Some(0) && whole.is_some_and(|size| self.literal(high) == Some(size.into()));
        if covers {
            return self.reset_memory(base, class, false);
        }
        if self.view(class) != View::Typed {
            return Err(self.unsupported("arbitrary contents of a part of memory that is kept as bytes"));
        }
        for region in self.regions_of(class)? {
            match region.shape {
                Shape::Full | Shape::ByOffset => {
                    for &variable in &region.variables {
                        self.forget_cells(variable, region.shape, Range { base, low, high, size: known })?;
                    }
                }
                // One cell of every object: where it is tells nothing but its key.
                Shape::Single | Shape::ByBase => {
                    return Err(self.unsupported("arbitrary contents of a part of an object with one cell"));
                }
            }
        }
        Ok(())
    }

    fn forget_cells(&mut self, memory: ir::Variable, shape: Shape, range: Range) -> Result<()> {
        let Range { base, low, high, size } = range;
        let whole = self.var(memory);
        let old = if shape == Shape::Full { self.select(whole, base) } else { whole };
        let ty = self.program.ty(old);
        let Some((_, cell)) = self.program.types.as_map(ty) else {
            return Err(self.unsupported("arbitrary contents of such memory"));
        };
        let literal = self.literal(low).zip(self.literal(high)).map(|(low, high)| high - low);
        let known = literal.or(size).filter(|&size| size <= MOST_CELLS);
        let new = if let Some(size) = known {
            let mut new = old;
            for further in 0..size {
                let any = self.temporary(cell);
                self.havoc(vec![any]);
                let further = self.int(further);
                let (at, any) = (self.add(low, further), self.var(any));
                new = self.store(new, &[at], any);
            }
            new
        } else {
            let contents = self.temporary(ty);
            self.havoc(vec![contents]);
            let at = self.expression.at;
            let bound = self.program.new_variable("#offset", ir::Type::INT, VariableKind::Bound, at);
            let (offset, contents) = (self.var(bound), self.var(contents));
            let before = self.compare(BinaryOp::Less, offset, low);
            let behind = self.compare(BinaryOp::GreaterEqual, offset, high);
            let inside = self.or(before, behind);
            let inside = self.not(inside);
            let (then, now) = (self.select(old, offset), self.select(contents, offset));
            let same = self.equal(now, then);
            let kept = self.or(inside, same);
            let all = self.program.quantified(QuantifierKind::Forall, vec![bound], kept, at);
            self.assume(all);
            contents
        };
        let value = if shape == Shape::Full { self.store(whole, &[base], new) } else { new };
        self.assign(memory, value);
        Ok(())
    }
}
