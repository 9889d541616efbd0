//! A Z3 context and the little that every use of Z3 needs: errors as values, strings, parameters, reference counts.
//!
//! Safety, for this whole folder: a `Z3_context` lives in exactly one [`Context`]; whatever Z3 object is
//! held together with it (sessions, models, …) holds an `Rc` of the context and so cannot outlive it. The context
//! is used by one thread at a time, except for `Z3_interrupt`, which Z3 allows from any thread. Z3 objects
//! whose reference count is not raised stay valid only until the next call, so everything that is kept is counted.

use crate::solver::Reason;
use base::Budget;
use base::budget::HookGuard;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::rc::Rc;
use z3_sys::*;

/// What Z3 says when a call fails: an ill-formed term, no memory, an interrupt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Z3Error(pub String);

impl fmt::Display for Z3Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z3: {}", self.0)
    }
}

impl std::error::Error for Z3Error {}

impl From<Z3Error> for Reason {
    fn from(error: Z3Error) -> Reason {
        if is_limit(&error.0) { Reason::ResourceLimit } else { Reason::Error(error.0) }
    }
}

/// Z3 explains itself in words only. Some parts of it have no words for their limit, and say that they are ok.
pub(super) fn reason(words: String) -> Reason {
    if is_limit(&words) || words == "ok" { Reason::ResourceLimit } else { Reason::Incomplete(words) }
}

fn is_limit(words: &str) -> bool {
    ["max. resource limit exceeded", "(resource limits reached)", "canceled", "timeout"].contains(&words)
}

/// A Z3 context. Errors in it are remembered by Z3 until the next call and are never fatal.
pub(super) struct Context {
    raw: Z3_context,
    budget: Budget,
    /// The work of Z3 in this context that the budget has been told about.
    counted: Cell<u32>,
    /// What is kept alive as long as the context.
    kept: RefCell<Vec<Z3_ast>>,
    /// Dropped before the context is deleted, so that no interrupt can come afterwards.
    hook: Option<HookGuard>,
}

/// A context that may be named on another thread, for interrupts only.
struct Interruptible(Z3_context);

// SAFETY: `Z3_interrupt` is the one function that may be called from any thread, and nothing else is done with it.
unsafe impl Send for Interruptible {}

impl Interruptible {
    fn interrupt(&self) {
        // SAFETY: the hook that owns this is removed before the context is deleted.
        unsafe { Z3_interrupt(self.0) }
    }
}

/// Replaces Z3's own handler, which ends the process. The error stays readable in the context.
unsafe extern "C" fn keep_going(_: Z3_context, _: ErrorCode) {}

impl Context {
    /// A fresh context; its queries are interrupted when the budget is tripped.
    pub(super) fn new(budget: &Budget) -> Context {
        static SETTINGS: std::sync::Once = std::sync::Once::new();
        // Z3's solver for systems of linear equations over the integers may follow the dependencies of its variables through exponentially
        // many ways, where it counts no steps and cannot be interrupted.
        // SAFETY: both texts end with a zero byte, and no other thread has a context yet or sets the same parameter.
        SETTINGS.call_once(|| unsafe { Z3_global_param_set(c"lp.dio".as_ptr(), c"false".as_ptr()) });
        // SAFETY: the configuration is deleted after its one use; both calls only fail without memory.
        let raw = unsafe {
            let config = Z3_mk_config().expect("Z3 makes a configuration");
            let context = Z3_mk_context_rc(config).expect("Z3 makes a context");
            Z3_del_config(config);
            Z3_set_error_handler(context, Some(keep_going));
            context
        };
        let other = Interruptible(raw);
        let hook = budget.on_trip(move || other.interrupt());
        Context {
            raw,
            budget: budget.clone(),
            counted: Cell::new(0),
            kept: RefCell::default(),
            hook: Some(hook),
        }
    }

    /// The pointer for Z3's functions.
    pub(super) fn raw(&self) -> Z3_context {
        self.raw
    }

    /// What interrupts the queries of this context.
    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Tells the budget how much Z3 has worked in this context, according to fresh statistics of any of its solvers.
    ///
    /// The count is of the context, so none is lost if some query is not reported.
    pub(super) fn count_effort(&self, statistics: Option<Z3_stats>) {
        let Some(statistics) = statistics else { return };
        // SAFETY: the statistics come right out of a call; the key is copied by nobody and read before the next call.
        let count = unsafe {
            Z3_stats_inc_ref(self.raw, statistics);
            let keys = (0..Z3_stats_size(self.raw, statistics)).rev();
            let count = keys
                .filter(|&i| {
                    let key = Z3_stats_get_key(self.raw, statistics, i);
                    !key.is_null() && CStr::from_ptr(key).to_bytes() == b"rlimit count"
                })
                .map(|i| Z3_stats_get_uint_value(self.raw, statistics, i))
                .next();
            Z3_stats_dec_ref(self.raw, statistics);
            count
        };
        if let Some(count) = count {
            // Z3 counts in 32 bits and begins again at zero.
            self.budget.spend(u64::from(count.wrapping_sub(self.counted.replace(count))));
        }
    }

    /// The error of the last call, if it failed.
    pub(super) fn failure(&self) -> Option<Z3Error> {
        // SAFETY: the context is alive, and the message is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            (code != ErrorCode::Ok).then(|| {
                // Some messages go on with the whole problem.
                let message = text(Z3_get_error_msg(self.raw, code));
                Z3Error(message.lines().next().unwrap_or_default().to_owned())
            })
        }
    }

    /// The result of a call that returns nothing if it fails.
    pub(super) fn checked<T>(&self, result: Option<T>) -> Result<T, Z3Error> {
        result.ok_or_else(|| self.failure().unwrap_or_else(|| Z3Error("no result".to_owned())))
    }

    /// The outcome of a call that returns no result.
    pub(super) fn done(&self) -> Result<(), Z3Error> {
        self.failure().map_or(Ok(()), Err)
    }

    /// A symbol with this name.
    pub(super) fn symbol(&self, name: &str) -> Result<Z3_symbol, Z3Error> {
        let name = CString::new(name).map_err(|_| Z3Error(format!("{name:?} cannot be a name")))?;
        // SAFETY: Z3 copies the name.
        self.checked(unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) })
    }

    /// Keeps a term (or a sort, a declaration, a pattern) alive as long as the context.
    pub(super) fn keep(&self, ast: Z3_ast) -> Z3_ast {
        // SAFETY: the term is of this context and alive, since it comes right out of a call.
        unsafe { Z3_inc_ref(self.raw, ast) }
        self.kept.borrow_mut().push(ast);
        ast
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.hook = None;
        // SAFETY: each count was raised once, and the `Rc` around the context makes this the last use. Z3 would free
        // what is left over as well, but in quadratic time.
        unsafe {
            for ast in self.kept.take().into_iter().rev() {
                Z3_dec_ref(self.raw, ast);
            }
            Z3_del_context(self.raw);
        }
    }
}

/// Terms that are kept alive for a while: until this is dropped.
pub(super) struct Kept {
    context: Rc<Context>,
    terms: RefCell<Vec<Z3_ast>>,
}

impl Kept {
    pub(super) fn new(context: &Rc<Context>) -> Kept {
        Kept { context: Rc::clone(context), terms: RefCell::default() }
    }

    /// Keeps the result of a call, which must be the last one.
    pub(super) fn keep(&self, result: Option<Z3_ast>) -> Result<Z3_ast, Z3Error> {
        let ast = self.context.checked(result)?;
        // SAFETY: the term is of this context and alive, since it comes right out of a call.
        unsafe { Z3_inc_ref(self.context.raw, ast) }
        self.terms.borrow_mut().push(ast);
        Ok(ast)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for ast in self.terms.take() {
            // SAFETY: the count was raised once.
            unsafe { Z3_dec_ref(self.context.raw, ast) }
        }
    }
}

/// Copies a string of Z3.
///
/// # Safety
/// It must be null or a string that Z3 has returned and not yet overwritten.
pub(super) unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: it is terminated by a zero byte, as all strings of Z3.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

/// The value of a parameter.
pub(super) enum Setting<'a> {
    Flag(bool),
    Number(u32),
    Word(&'a str),
}

/// A set of parameters.
pub(super) struct Parameters<'a> {
    context: &'a Context,
    pub(super) raw: Z3_params,
}

impl<'a> Parameters<'a> {
    pub(super) fn new(context: &'a Context, settings: &[(&str, Setting<'_>)]) -> Result<Self, Z3Error> {
        // SAFETY: the context is alive; the count is raised at once and lowered when this is dropped.
        let raw = unsafe {
            let raw = context.checked(Z3_mk_params(context.raw))?;
            Z3_params_inc_ref(context.raw, raw);
            raw
        };
        let parameters = Parameters { context, raw };
        for (name, setting) in settings {
            let name = context.symbol(name)?;
            // SAFETY: context, parameters and symbols are alive.
            unsafe {
                match *setting {
                    Setting::Flag(value) => Z3_params_set_bool(context.raw, raw, name, value),
                    Setting::Number(value) => Z3_params_set_uint(context.raw, raw, name, value),
                    Setting::Word(value) => {
                        let value = context.symbol(value)?;
                        Z3_params_set_symbol(context.raw, raw, name, value);
                    }
                }
            }
            context.done()?;
        }
        Ok(parameters)
    }
}

impl Drop for Parameters<'_> {
    fn drop(&mut self) {
        // SAFETY: the count was raised when this was made.
        unsafe { Z3_params_dec_ref(self.context.raw, self.raw) }
    }
}
