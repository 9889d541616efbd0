//! What the translation knows while it works, by how long it is true.
//!
//! Of the whole program: [`Analyses`] (found out before, never changed), [`Names`], [`Storage`] (where objects live),
//! [`Declared`] (what the output has so far) and [`Report`] (the way back). Of one function: [`FunctionContext`]. Of one
//! point inside of an expression: [`ExpressionContext`].

use super::addresses::Objects;
use super::back::{BackMap, Input};
use super::classes::{Cell, Class, Classes, Key};
use super::emit::BodyBuilder;
use super::facts::Facts;
use super::jumps::Resumed;
use super::leaves::Leaf;
use super::live::Live;
use super::numbers::Interval;
use super::order::Orders;
use super::regions::Region;
use super::shapes::Shapes;
use super::statements::Switch;
use super::zeroing::NewBlock;
use crate::symbols::Symbol;
use crate::tree::{ExprId, FuncId, TextId, VarId};
use crate::types::TypeId;
use base::{EntitySet, SecondaryMap, Span};
use ir::{Block, Procedure, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a variable lives.
#[derive(Clone)]
pub(super) enum Home {
    /// In variables, per leaf and component.
    Plain(Rc<[Vec<Variable>]>),
    /// In memory, at a base that is known.
    Fixed(u64),
    /// In memory, at a base that is new in every call.
    Fresh(Variable),
}

/// What was found out about the program before its translation.
pub(super) struct Analyses {
    /// Which pieces of memory may be the same.
    pub(super) classes: Classes,
    /// What the entry reaches.
    pub(super) live: Rc<Live>,
    /// Whether pointers become integers or bytes, so that objects need addresses.
    pub(super) needs_addresses: bool,
    /// Whether pointers are made of integers or bytes.
    pub(super) makes_pointers: bool,
    /// By what the cells of memory are told apart.
    pub(super) shapes: Shapes,
    /// What calls may touch.
    pub(super) orders: Orders,
    /// Functions that may be entered again before they return.
    pub(super) recursive: EntitySet<FuncId>,
    /// Variables whose addresses may be known longer than they live.
    pub(super) outlived: super::outlived::Outlived,
    /// Variables that something is assigned to.
    pub(super) assigned: EntitySet<VarId>,
    /// The values that parameters begin with, where all calls tell.
    pub(super) ranges: BTreeMap<VarId, Interval>,
    /// Whether there are pointers other than null that point into no object.
    pub(super) odd_pointers: bool,
    /// How floating-point numbers are rounded.
    pub(super) rounding_mode: super::floats::Mode,
}

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    /// Names of global variables and procedures, with the number of their last variant.
    pub(super) global: FxHashMap<String, u32>,
    /// Names of variables of procedures.
    pub(super) local: FxHashSet<String>,
}

/// Where objects live.
pub(super) struct Storage {
    /// The homes of variables, from their first mention on.
    pub(super) homes: SecondaryMap<VarId, Option<Home>>,
    /// The leaves of types.
    pub(super) leaf_cache: FxHashMap<TypeId, Rc<[Leaf]>>,
    /// The memory that is accessed.
    pub(super) regions: BTreeMap<(Class, Key, Cell), Region>,
    /// The maps from places in byte memory to the pointers that were written there last; they begin as zeros.
    pub(super) shadows: Vec<Variable>,
    /// For variables of functions outside of memory, which of their cells have got no value yet, if that is asked for.
    pub(super) unset: BTreeMap<Variable, Variable>,
    /// For the first variables of regions, where something was written to them, if that is asked for.
    pub(super) written: BTreeMap<Variable, Variable>,
    /// Which objects have the contents of what was there before, if that is asked for.
    pub(super) fresh: Option<Variable>,
    /// For values that are being copied, which of their cells have got no value.
    pub(super) copied: BTreeMap<ir::Expr, ir::Expr>,
    /// Addresses, sizes and states of objects, as far as they are needed.
    pub(super) objects: Objects,
    /// The states of blocks by the classes of their memory, if there are several kinds of blocks.
    pub(super) kinds: BTreeMap<Class, i128>,
    /// What functions that only allocate note about their blocks, if some fill them with zeros.
    pub(super) new_block: Option<NewBlock>,
    /// The sizes of variables with fixed bases.
    pub(super) fixed_sizes: BTreeMap<u64, u64>,
    /// The bases of functions whose address is used.
    pub(super) function_bases: BTreeMap<FuncId, u64>,
    /// The bases of string literals.
    pub(super) text_bases: BTreeMap<TextId, u64>,
    /// The classes with string literals and constants; filled when somebody asks.
    pub(super) constant_classes: Option<Rc<BTreeSet<Class>>>,
    /// The procedure that initialises everything, once there is one.
    pub(super) start: Option<Procedure>,
    /// The string literals of each class, with the sizes of their characters; filled when somebody asks.
    pub(super) texts: BTreeMap<Class, Rc<BTreeMap<TextId, u64>>>,
    /// The first and the last base of string literals, where it matters whether two share memory.
    pub(super) literal_bases: Option<(u64, u64)>,
    /// The bases that stand for labels.
    pub(super) label_bases: BTreeMap<(FuncId, Symbol), u64>,
    /// The last base that an object with a fixed one has got.
    pub(super) last_base: u64,
    /// The base of the next object that is allocated.
    pub(super) next_object: Variable,
}

impl Storage {
    pub(super) fn new(next_object: Variable) -> Storage {
        Storage {
            homes: SecondaryMap::new(),
            leaf_cache: FxHashMap::default(),
            regions: BTreeMap::new(),
            shadows: Vec::new(),
            unset: BTreeMap::new(),
            written: BTreeMap::new(),
            fresh: None,
            copied: BTreeMap::new(),
            objects: Objects::default(),
            kinds: BTreeMap::new(),
            new_block: None,
            fixed_sizes: BTreeMap::new(),
            function_bases: BTreeMap::new(),
            text_bases: BTreeMap::new(),
            constant_classes: None,
            start: None,
            texts: BTreeMap::new(),
            literal_bases: None,
            label_bases: BTreeMap::new(),
            last_base: 0,
            next_object,
        }
    }
}

/// What the output declares so far.
#[derive(Default)]
pub(super) struct Declared {
    /// The functions that give constant maps.
    pub(super) constant_maps: FxHashMap<ir::Type, ir::Function>,
    /// The operations that are functions, by the types of their parameters.
    pub(super) builtins: FxHashMap<(ir::Builtin, Vec<ir::Type>), ir::Function>,
    /// The procedures of C functions.
    pub(super) procedures: SecondaryMap<FuncId, Option<Procedure>>,
}

/// What is remembered for reports.
#[derive(Default)]
pub(super) struct Report {
    /// How many assertions there are.
    pub(super) asserted: u32,
    /// What the environment chooses.
    pub(super) inputs: Vec<Input>,
    /// The meaning of what was made.
    pub(super) back: BackMap,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
pub(super) struct JumpTargets {
    /// Behind the statement.
    pub(super) behind: Block,
    /// To the next iteration of the loop.
    pub(super) next: Option<Block>,
    /// How many scopes are around the statement.
    pub(super) depth: usize,
    /// How many scopes are around the loop that `continue` belongs to.
    pub(super) loop_depth: usize,
}

/// The blocks that `alloca` gave a call so far: they cease to live when it returns.
#[derive(Clone, Copy)]
pub(super) struct StackBlocks {
    /// How many there are.
    pub(super) count: Variable,
    /// Their bases, from 0 on.
    pub(super) bases: Variable,
}

/// The function that is being translated.
#[derive(Default)]
pub(super) struct FunctionContext {
    /// Its body so far; none between functions.
    pub(super) body: Option<BodyBuilder>,
    /// The variables of its result.
    pub(super) results: Vec<Variable>,
    /// The blocks of labels that were mentioned.
    pub(super) labels: FxHashMap<Symbol, Block>,
    /// The labels that stood somewhere.
    pub(super) defined_labels: FxHashSet<Symbol>,
    /// The number of this call, if it may be returned to by a jump.
    pub(super) activation: Option<Variable>,
    /// Where jumps to its calls of `setjmp` arrive, as far as these or a jump were translated.
    pub(super) resumed: BTreeMap<usize, Resumed>,
    /// Where `break` and `continue` go, the innermost last.
    pub(super) targets: Vec<JumpTargets>,
    /// All variables in memory that the function declares; kept where memory is checked.
    pub(super) declared: Vec<VarId>,
    /// The variables in memory that live here, by scopes, the innermost last; kept where memory is checked.
    pub(super) scopes: Vec<Vec<VarId>>,
    /// The blocks of `alloca` of this call, if it has any; kept where memory is checked.
    pub(super) stack_blocks: Option<StackBlocks>,
    /// The `switch` statements around this point, the innermost last.
    pub(super) switches: Vec<Switch>,
    /// What is known of variables here.
    pub(super) facts: Facts,
}

/// The point that is being translated.
pub(super) struct ExpressionContext {
    /// Its place in the source.
    pub(super) at: Span,
    /// Variables with a base that is known not to be null, up to the end of the block.
    pub(super) not_null: BTreeSet<Variable>,
    /// The bits that intermediate values may have set, where not all of them may be.
    pub(super) possible_ones: FxHashMap<Variable, i128>,
    /// Whether the value of the expression that comes next is not used.
    pub(super) dropped: bool,
    /// Inside an annotation: integers have no bounds.
    pub(super) mathematical: bool,
    /// In a condition that a thread waits for: what is read is not held, as it is read again whenever it changes.
    pub(super) waiting: bool,
    /// The dereferenced pointer at the root of a place whose address alone is needed: nothing is accessed there.
    pub(super) unfollowed: Option<ExprId>,
    /// How many groups of operands around this point are evaluated in all orders.
    pub(super) open_orders: u32,
}

impl ExpressionContext {
    pub(super) fn new(at: Span) -> ExpressionContext {
        ExpressionContext {
            at,
            not_null: BTreeSet::new(),
            possible_ones: FxHashMap::default(),
            dropped: false,
            mathematical: false,
            waiting: false,
            unfollowed: None,
            open_orders: 0,
        }
    }
}
