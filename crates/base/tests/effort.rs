//! Effort that is counted, and taken back.

use base::Budget;

#[test]
fn effort_can_be_taken_back() {
    let budget = Budget::unlimited();
    budget.spend(10);
    budget.take_back(4);
    assert_eq!(budget.effort(), 6);
    budget.take_back(100);
    assert_eq!(budget.effort(), 0);
}
