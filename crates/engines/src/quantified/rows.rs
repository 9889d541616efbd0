//! Arrays of pointers to blocks: the rows of a matrix, texts of any number, slots for objects.
//!
//! A loop allocates a block for each cell of such an array, `a[i] = malloc(n)`, others use and free them. In each range of cells that a counter has passed, or has not reached
//! yet, what the cells hold is known of the blocks that they lead to: these live, as new blocks are marked, have the size that new blocks get, and hold
//! what is written to them by way of a cell. No two cells lead to the same block, and none to that of a variable; blocks that are still to be allocated are not marked.
//!
//! Cost: for each array a candidate for each range and value that new blocks get, and one for each range about pairs.

use super::accesses::{Cells, Kind, place};
use super::counters::{Range, leaves};
use super::limits;
use super::templates::{Source, Templates, add, replace};
use logic::{Quantifier, Sort, Term, Terms};
use num_traits::One;

/// What may hold of the blocks to which the cells of arrays lead.
pub(super) fn rows(source: &Source<'_>, templates: &Templates, terms: &mut Terms) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::new();
    for counter in source.counters {
        let Some(first) = counter.first_number_of_blocks(terms) else { continue };
        let is_new = |term: Term, terms: &Terms| {
            terms.sort_of(term) == Sort::INT
                && terms.linear(term).coefficient(counter.term).is_some_and(One::is_one)
        };
        let arrays = leading_to_new(source, is_new, terms);
        if arrays.is_empty() {
            continue;
        }
        let given = given(source, is_new, terms);
        let k = templates.index;
        let index = terms.as_symbol(k).expect("a symbol");
        let null = terms.int(0);
        // Numbers that were not given have no marks.
        for &(array, value) in &given {
            if !terms.is_literal_value(value) {
                continue;
            }
            let cell = array.at(source.program, &[k], terms);
            let (ahead, marked) = (terms.le(counter.term, k), terms.eq(cell, value));
            let unmarked = terms.not(marked);
            let body = terms.implies(ahead, unmarked);
            found.push((terms.quantify(Quantifier::Forall, &[index], body, &[]), None));
        }
        for array in arrays {
            let stands_for = templates.cell_of(array);
            let mut properties = vec![terms.le(first, stands_for), terms.lt(stands_for, counter.term)];
            for &(of_blocks, value) in &given {
                let cell = of_blocks.at(source.program, &[stands_for], terms);
                add(&mut properties, terms.eq(cell, value));
            }
            for block in others(source, array, terms) {
                let same = terms.eq(block, stands_for);
                add(&mut properties, terms.not(same));
            }
            for property in contents(source, array, stands_for, terms) {
                add(&mut properties, property);
            }
            properties.truncate(limits::MOST_PROPERTIES);
            found.extend(templates.in_ranges(array, &properties, terms));
            apart(templates, array, null, &mut found, terms);
        }
        break;
    }
    found.truncate(limits::MOST_ABOUT_ROWS);
    found
}

/// The arrays whose cells, at an index that counts, get the numbers of new blocks.
fn leading_to_new(source: &Source<'_>, is_new: impl Fn(Term, &Terms) -> bool, terms: &Terms) -> Vec<Cells> {
    let mut found = Vec::new();
    for access in source.accesses {
        let Kind::Write { value, .. } = access.kind else { continue };
        let counts = |term: Term| source.counters.iter().any(|counter| counter.term == term);
        let walked = terms.sort_of(access.index) == Sort::INT
            && terms.linear(access.index).monomials.iter().any(|&(term, _)| counts(term))
            && !is_new(access.index, terms);
        if walked
            && leaves(terms, value).into_iter().any(|leaf| is_new(leaf, terms))
            && !found.contains(&access.array)
        {
            found.push(access.array);
        }
    }
    found
}

/// What new blocks get, in arrays over their numbers.
fn given(source: &Source<'_>, is_new: impl Fn(Term, &Terms) -> bool, terms: &Terms) -> Vec<(Cells, Term)> {
    let program = source.program;
    let mut found = Vec::new();
    for access in
        source.accesses.iter().filter(|access| access.path.is_empty() && is_new(access.index, terms))
    {
        let Kind::Write { value, .. } = access.kind else { continue };
        let of_state = |symbol| program.variables.of_symbol(symbol).is_some();
        let pair = (access.array, value);
        if terms.free_symbols(value).into_iter().all(of_state) && !found.contains(&pair) {
            found.push(pair);
        }
    }
    found
}

/// The blocks in which an array lies itself.
fn others(source: &Source<'_>, array: Cells, terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for access in source.accesses.iter().filter(|access| access.array == array) {
        if let &[block] = access.path.as_slice()
            && terms.as_symbol(block).is_some()
        {
            add(&mut found, block);
        }
    }
    found
}

/// What is written into the blocks to which cells lead, by way of a cell.
fn contents(source: &Source<'_>, array: Cells, stands_for: Term, terms: &mut Terms) -> Vec<Term> {
    let program = source.program;
    let mut found = Vec::new();
    for access in source.accesses {
        let Kind::Write { value, .. } = access.kind else { continue };
        let Some(&block) = access.path.first() else { continue };
        let by_cell = place(program, terms, block).is_some_and(|(var, _)| var == array.var);
        if by_cell && terms.is_literal_value(value) && terms.is_literal_value(access.index) {
            let cell = access.array.at(program, &[stands_for, access.index], terms);
            add(&mut found, terms.eq(cell, value));
        }
    }
    found
}

/// No two cells in a range lead to the same block.
fn apart(templates: &Templates, array: Cells, null: Term, found: &mut Vec<Range>, terms: &mut Terms) {
    let k = templates.index;
    let second = terms.fresh_symbol("j", Sort::INT);
    let j = terms.constant(second);
    let first = terms.as_symbol(k).expect("a symbol");
    for (cells, ranges) in templates.cells_and_ranges(array) {
        for &cell in cells.iter().take(1) {
            let other = replace(terms, cell, &[(k, j)]);
            let (same, empty) = (terms.eq(cell, other), terms.eq(cell, null));
            let different = terms.not(same);
            let apart = terms.or([empty, different]);
            for &(range, counter) in ranges.iter().take(limits::MOST_RANGES) {
                let also = replace(terms, range, &[(k, j)]);
                let before = terms.lt(k, j);
                let premise = terms.and([range, also, before]);
                let body = terms.implies(premise, apart);
                found.push((terms.quantify(Quantifier::Forall, &[first, second], body, &[]), counter));
            }
        }
    }
}
