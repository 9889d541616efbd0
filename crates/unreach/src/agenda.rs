//! Which views of a problem are judged, one after the other.
//!
//! A C program is seen with its bit operations only bounded, because reasoning is easy then; if that leaves the question
//! open, with exact ones. A program with threads becomes a product with a bounded number of threads for every fork
//! statement, and the bound grows until it does not matter: a bug within the bound is a bug, and a proof counts
//! if it also shows that no fork finds all places taken. Where the first bound does not suffice, invariants of any number of threads
//! are looked for ([`threads::any_number`]) before the bound grows, in a fixed vocabulary and then in the words of proofs of traces. A product is tried with the threads one after the other, and,
//! if that takes long, in lockstep; between the two it is tried for a while without the conditions on shared variables
//! that only decide which way threads go ([`threads::Guards`]). If a product has too many states, errors are looked for with a few threads
//! that run, and then invariants of any number of threads.

use crate::answer::Answer;
use crate::problem::Problem;
use crate::race::ONLY_SHORT;
use crate::view::{BitOperations, Interleaving, NoView, View};
use base::Budget;
use program::Reason;
use std::collections::VecDeque;
use std::sync::Arc;
use threads::any_number::Tracked;
use threads::{Beyond, Guards, Order};

/// How many threads of one fork statement there may be at once, one attempt after the other.
const BOUNDS: &[usize] = &[1, 2, 3, 4, 6, 8, 12, 16];
/// How many rounds of the plan the threads are tried one after the other before they are tried in lockstep.
const FIRST_ROUNDS: u32 = 3;
/// How many rounds the threads are tried with open guards. A proof is mostly found at once, if there is one.
const OPEN_ROUNDS: u32 = 6;
/// How many threads run where all together have too many states.
const FEW: usize = 2;
/// How many rounds these are tried: errors are mostly found at once.
const FEW_ROUNDS: u32 = 6;
/// How many rounds invariants of any number of threads are looked for at first. That is about twice of what programs with two
/// kinds of threads and a dozen places take; then there may be an error with two threads.
const ANY_NUMBER_ROUNDS: u32 = 12;
/// How many rounds they are looked for in words of their own, after that. Most of what is found takes a second.
const OWN_WORDS_ROUNDS: u32 = 10;
/// The number of the bound after which invariants are looked for as long as the budget allows.
const MANY: usize = 3;
/// As many rounds as the budget allows.
const ALL_ROUNDS: u32 = u32::MAX;

/// The product with the fewest threads.
pub const FIRST_PRODUCT: Interleaving = Interleaving {
    instances: BOUNDS[0],
    beyond: Beyond::Marked,
    order: Order::OneAfterTheOther,
    guards: Guards::Kept,
    running: None,
};

/// A view that is to be judged.
pub(crate) struct Item {
    pub(crate) view: Arc<View>,
    /// The same program with exact bit operations, if that is another one, for engines that like bits.
    pub(crate) exact: Option<Arc<View>>,
    pub(crate) effort: Effort,
    /// Whether it was found out that bits matter: bounded bit operations were not enough.
    pub(crate) bits: bool,
}

/// How much work a judgement is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// So many rounds of the plan.
    Rounds(u32),
    /// So many rounds of an engine for any number of threads.
    AnyNumber(Words, u32),
}

impl Effort {
    /// The same in the first short rounds only.
    pub(crate) fn only_short(self) -> Effort {
        match self {
            Effort::Rounds(_) => Effort::Rounds(ONLY_SHORT),
            Effort::AnyNumber(words, _) => Effort::AnyNumber(words, ONLY_SHORT),
        }
    }
}

/// In which words invariants of any number of threads are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Words {
    /// Those of a fixed vocabulary.
    Given,
    /// Those of proofs of traces.
    Own,
}

/// What the caller wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// An answer, by several engines that can do with a few rounds.
    Plan,
    /// An answer of one engine that takes all there is.
    OneEngine,
    /// Invariants of any number of threads, and nothing else.
    AnyNumber(Words),
}

/// Where the agenda is.
enum Stage {
    /// A program without threads.
    Whole,
    /// A product without what lies beyond the bound, and what is tried afterwards.
    Cut { bound: usize, attempt: Attempt, rest: VecDeque<Attempt> },
    /// A product in which it is not known what lies beyond the bound.
    Marked { bound: usize, disturbed: Option<String> },
    /// A product in which few threads run, of one with too many states.
    Few,
    /// The recursive program for any number of threads.
    AnyNumber(AnyNumber),
}

/// A way to make the product with some bound.
struct Attempt {
    order: Order,
    guards: Guards,
    rounds: u32,
    /// The product. That with open guards is made when its turn comes.
    view: Option<Arc<View>>,
}

/// Where the search for invariants of any number of threads is.
#[derive(Clone, Copy)]
struct AnyNumber {
    words: Words,
    tracked: Tracked,
    rounds: u32,
    /// The bound with which products go on.
    then: usize,
}

pub(crate) struct Agenda<'p> {
    aim: Aim,
    budget: &'p Budget,
    /// The view that is being judged, with its threads.
    translation: Arc<View>,
    /// The view with exact bit operations, if it is another one and was not yet judged.
    exact: Option<Result<Arc<View>, NoView>>,
    /// The view that says which blocks are lost and has memory as bytes, if the first one leaves that open and is as exact otherwise.
    with_blocks: Option<Result<Arc<View>, NoView>>,
    stage: Stage,
    /// Whether the last search for invariants of any number of threads was stopped.
    unfinished: bool,
    /// Why there is no product of all threads, if that is so.
    refused: Option<Reason>,
}

/// What to judge next; nothing if the last answer stands; or why nothing can be judged.
pub(crate) type Next = Result<Option<Item>, NoView>;

impl<'p> Agenda<'p> {
    /// The view of a problem that the agenda begins with.
    pub(crate) fn first_view(problem: &Problem) -> Result<Arc<View>, NoView> {
        View::new(problem, BitOperations::Marked).map(Arc::new)
    }

    /// The agenda of a problem with its first view, and its first item.
    pub(crate) fn new(
        problem: &Problem,
        translation: Arc<View>,
        aim: Aim,
        budget: &'p Budget,
    ) -> Result<(Agenda<'p>, Item), NoView> {
        let bounded = translation.back.as_ref().is_some_and(|back| back.bounded_bits);
        let exact = bounded.then(|| View::new(problem, BitOperations::Exact).map(Arc::new));
        let open = !bounded && translation.leaves_memory_open();
        let with_blocks = open.then(|| View::new(problem, BitOperations::Exact).map(Arc::new));
        let (stage, unfinished, refused) = (Stage::Whole, false, None);
        let mut agenda = Agenda { aim, budget, translation, exact, with_blocks, stage, unfinished, refused };
        let first = agenda.begin()?;
        Ok((agenda, first))
    }

    /// The first item of the present translation.
    fn begin(&mut self) -> Result<Item, NoView> {
        if !self.translation.is_concurrent() {
            self.stage = Stage::Whole;
            let exact = match &self.exact {
                Some(Ok(exact)) => Some(Arc::clone(exact)),
                _ => None,
            };
            return Ok(Item { exact, ..rounds(&self.translation, ALL_ROUNDS) });
        }
        match self.aim {
            Aim::AnyNumber(words) => {
                // Traces of many threads may go on for ever where two of them have to be followed.
                let rounds = if words == Words::Own { OWN_WORDS_ROUNDS } else { ALL_ROUNDS };
                self.any_number(AnyNumber { words, tracked: Tracked::One, rounds, then: 0 })
            }
            _ => self.cut(0),
        }
    }

    /// The recursive program for any number of threads; the next product if there is none.
    fn any_number(&mut self, how: AnyNumber) -> Result<Item, NoView> {
        match self.translation.any_number(how.tracked) {
            Ok(view) => {
                self.stage = Stage::AnyNumber(how);
                let effort = Effort::AnyNumber(how.words, how.rounds);
                Ok(Item { effort, ..rounds(&Arc::new(view), how.rounds) })
            }
            Err(reason) if matches!(self.aim, Aim::AnyNumber(_)) => Err(NoView::Unknown(reason)),
            Err(_) => self.cut(how.then),
        }
    }

    /// What comes after an answer.
    pub(crate) fn next(&mut self, answer: &Answer) -> Next {
        let unclear = matches!(answer, Answer::Unknown(Reason::Overapproximation(_)));
        match &mut self.stage {
            Stage::Cut { bound, attempt, .. } => {
                let (bound, order, guards) = (*bound, attempt.order, attempt.guards);
                let threads = attempt.view.as_ref().and_then(|view| view.threads.as_ref());
                let bounded = threads.is_some_and(|threads| threads.bounded);
                // An error with open guards need not be one.
                let unclear = unclear && guards == Guards::Kept;
                let open = matches!(answer, Answer::Unknown(_)) && !unclear && self.budget.check().is_ok();
                if open && let Some(item) = self.next_attempt() {
                    return Ok(Some(item));
                }
                if bounded && matches!(answer, Answer::Safe(_)) {
                    return self.marked(bound, (order, guards)).map(Some);
                }
            }
            // What lies beyond the bound is not known. So it is asked about any number of threads, or the bound must grow.
            Stage::Marked { disturbed: Some(place), .. } if unclear => {
                // More threads would not help.
                let what = format!("recursion that other threads may disturb at {place}");
                return Err(NoView::Unknown(Reason::Unsupported(what)));
            }
            Stage::Marked { bound, .. } if unclear => {
                let (words, then) = (Words::Given, *bound + 1);
                let item = match *bound {
                    0 if self.aim == Aim::Plan => {
                        let (tracked, rounds) = (Tracked::One, ANY_NUMBER_ROUNDS);
                        self.any_number(AnyNumber { words, tracked, rounds, then })
                    }
                    MANY if self.unfinished => {
                        let (tracked, rounds) = (Tracked::Two, ALL_ROUNDS);
                        self.any_number(AnyNumber { words, tracked, rounds, then })
                    }
                    _ => self.cut(then),
                };
                return item.map(Some);
            }
            Stage::Few if !matches!(answer, Answer::Unsafe(_)) => {
                let (words, then) = (Words::Given, BOUNDS.len());
                let how = AnyNumber { words, tracked: Tracked::One, rounds: ALL_ROUNDS, then };
                return self.any_number(how).map(Some);
            }
            Stage::AnyNumber(how) if matches!(answer, Answer::Unknown(_)) && self.budget.check().is_ok() => {
                let how = *how;
                if how.words == Words::Given {
                    self.unfinished = matches!(answer, Answer::Unknown(Reason::Limit(_)));
                }
                return match (how.tracked, how.words, self.aim) {
                    (Tracked::One, Words::Own, Aim::AnyNumber(_)) => {
                        let how = AnyNumber { tracked: Tracked::Two, rounds: ALL_ROUNDS, ..how };
                        self.any_number(how).map(Some)
                    }
                    (Tracked::One, ..) => {
                        self.any_number(AnyNumber { tracked: Tracked::Two, ..how }).map(Some)
                    }
                    (Tracked::Two, _, Aim::AnyNumber(_)) => Ok(None),
                    (Tracked::Two, Words::Given, _) => {
                        let rounds = if how.rounds == ALL_ROUNDS { ALL_ROUNDS } else { OWN_WORDS_ROUNDS };
                        self.any_number(AnyNumber { words: Words::Own, rounds, ..how }).map(Some)
                    }
                    (Tracked::Two, Words::Own, _) => self.cut(how.then).map(Some),
                };
            }
            Stage::Whole | Stage::Marked { .. } | Stage::Few | Stage::AnyNumber(_) => {}
        }
        match self.exact.take().or_else(|| self.with_blocks.take()) {
            Some(exact) if unclear => {
                self.translation = exact?;
                self.begin().map(|item| Some(Item { bits: true, ..item }))
            }
            _ => Ok(None),
        }
    }

    /// The product with the bound of that number, without what lies beyond it.
    fn cut(&mut self, bound: usize) -> Result<Item, NoView> {
        if let Some(reason) = self.refused.take() {
            return Err(NoView::Unknown(reason));
        }
        let Some(&instances) = BOUNDS.get(bound) else {
            let most = BOUNDS.last().copied().unwrap_or_default();
            let what = format!("more than {most} threads of one fork statement at once");
            return Err(NoView::Unknown(Reason::Unsupported(what)));
        };
        let product = |order| {
            let (guards, running) = (Guards::Kept, None);
            let how = Interleaving { instances, beyond: Beyond::Cut, order, guards, running };
            self.translation.product(how, self.budget).map(Arc::new)
        };
        let order = Order::OneAfterTheOther;
        let view = match product(order) {
            Ok(view) => view,
            Err(reason) => return self.few(instances, reason),
        };
        let lockstep = match self.aim {
            // In lockstep there may be too many states.
            Aim::Plan if view.threads.as_ref().is_some_and(|threads| threads.loops) => {
                product(Order::Lockstep).ok()
            }
            Aim::Plan | Aim::OneEngine | Aim::AnyNumber(_) => None,
        };
        let lockstep = lockstep.filter(|view| view.threads.as_ref().is_some_and(|threads| threads.turns));
        let mut attempt = Attempt { order, guards: Guards::Kept, rounds: ALL_ROUNDS, view: Some(view) };
        let mut rest = VecDeque::new();
        if let Some(lockstep) = lockstep {
            attempt.rounds = FIRST_ROUNDS;
            let order = Order::Lockstep;
            rest.push_back(Attempt { order, guards: Guards::Open, rounds: OPEN_ROUNDS, view: None });
            let view = Some(lockstep);
            rest.push_back(Attempt { order, guards: Guards::Kept, rounds: ALL_ROUNDS, view });
        }
        rest.push_front(attempt);
        let nothing = Attempt { order, guards: Guards::Kept, rounds: ALL_ROUNDS, view: None };
        self.stage = Stage::Cut { bound, attempt: nothing, rest };
        Ok(self.next_attempt().expect("the first product was made"))
    }

    /// The product in which few threads run, if there is no other one.
    fn few(&mut self, instances: usize, reason: Reason) -> Result<Item, NoView> {
        let (order, guards, running) = (Order::OneAfterTheOther, Guards::Kept, Some(FEW));
        let how = Interleaving { instances, beyond: Beyond::Cut, order, guards, running };
        match self.translation.product(how, self.budget) {
            Ok(view) if self.aim == Aim::Plan => {
                self.refused = Some(reason);
                self.stage = Stage::Few;
                Ok(rounds(&Arc::new(view), FEW_ROUNDS))
            }
            _ => Err(NoView::Unknown(reason)),
        }
    }

    /// The next way to make the present product, if there is one.
    fn next_attempt(&mut self) -> Option<Item> {
        let Stage::Cut { bound, attempt, rest } = &mut self.stage else { return None };
        while let Some(mut next) = rest.pop_front() {
            if next.view.is_none() {
                let Attempt { order, guards, .. } = next;
                let (instances, beyond, running) = (BOUNDS[*bound], Beyond::Cut, None);
                let how = Interleaving { instances, beyond, order, guards, running };
                next.view = self.translation.product(how, self.budget).ok().map(Arc::new);
            }
            // There may be no guards that can be left open.
            if let Some(view) = &next.view {
                let item = rounds(view, next.rounds);
                *attempt = next;
                return Some(item);
            }
        }
        None
    }

    /// The product with the bound of that number, in which what lies beyond it is marked.
    fn marked(&mut self, bound: usize, (order, guards): (Order, Guards)) -> Result<Item, NoView> {
        let (instances, beyond, running) = (BOUNDS[bound], Beyond::Marked, None);
        let how = Interleaving { instances, beyond, order, guards, running };
        let view = Arc::new(self.translation.product(how, self.budget).map_err(NoView::Unknown)?);
        let disturbed = view.threads.as_ref().and_then(|threads| threads.disturbed.clone());
        self.stage = Stage::Marked { bound, disturbed };
        Ok(rounds(&view, ALL_ROUNDS))
    }
}

fn rounds(view: &Arc<View>, rounds: u32) -> Item {
    Item { view: Arc::clone(view), exact: None, effort: Effort::Rounds(rounds), bits: false }
}
