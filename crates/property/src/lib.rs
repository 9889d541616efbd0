//! Properties, which are automata over what a program does. Those that have a name ([`named`]) have one state, so that front ends make the product as they translate. Observers
//! ([`observer`]) and formulas of CaRet ([`caret`]) watch calls and returns; linear temporal logic is about the states of a program.
//!
//! A formula becomes a Büchi automaton for its negation ([`ltl`]), and the product of a program with such an automaton becomes a
//! program whose infinite executions are the executions of the program that the automaton accepts ([`product`]). So the
//! property holds if and only if no execution of the product is infinite. A safety formula becomes an automaton of its bad beginnings instead
//! ([`ltl::BadPrefixes`]), which watches a program as an observer does.
//!
//! The product is a program of one procedure: [`flatten`] replaces calls by bodies; procedures that call themselves have copies.

pub mod caret;
pub mod drawing;
pub mod flatten;
pub mod ltl;
pub mod named;
pub mod observer;
pub mod product;
pub mod splice;

/// Why a property cannot be decided here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);
