//@ messages
// These are recognised only.
datatype List { Nil(), Cons(head: int, tail: List) }
axiom true;
axiom |{ return true; }|;
//@ expect
// error: unsupported: code expressions
//  --> input.bpl:5:7
//   |
// 5 | axiom |{ return true; }|;
//   |       ^
