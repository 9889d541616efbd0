//@ messages
// These are recognised only.
datatype List { Nil(), Cons(head: int, tail: List) }
axiom (var x := 1; x == 1);
axiom |{ return true; }|;
//@ expect
// error: unsupported: datatypes
//  --> input.bpl:3:1
//   |
// 3 | datatype List { Nil(), Cons(head: int, tail: List) }
//   | ^^^^^^^^
// error: unsupported: let expressions
//  --> input.bpl:4:8
//   |
// 4 | axiom (var x := 1; x == 1);
//   |        ^^^
// error: unsupported: code expressions
//  --> input.bpl:5:7
//   |
// 5 | axiom |{ return true; }|;
//   |       ^
