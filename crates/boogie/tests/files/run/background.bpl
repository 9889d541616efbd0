//@ run
//@ run p values 1 2 3
//@ run p values 1 1 3
//@ run p values 1 2 9
//@ run p
const unique a: int;
const unique b: int;
const c: int;
axiom c < 5;
procedure p() { }
//@ expect
// p values 1 2 3: Finished
// p values 1 1 3: blocked, since a and b are equal
// p values 1 2 9: blocked by `axiom c < 5`
// p: Finished
