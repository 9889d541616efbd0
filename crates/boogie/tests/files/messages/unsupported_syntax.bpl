//@ messages
// These are recognised only.
datatype List { Nil(), Cons(head: int, tail: List) }
axiom true;
axiom |{ return true; }|;
//@ expect
// error: unsupported: datatypes
//  --> input.bpl:3:1
//   |
// 3 | datatype List { Nil(), Cons(head: int, tail: List) }
//   | ^^^^^^^^
// error: unsupported: code expressions
//  --> input.bpl:5:7
//   |
// 5 | axiom |{ return true; }|;
//   |       ^
