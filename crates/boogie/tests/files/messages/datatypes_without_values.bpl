//@ messages
// A value would contain another one without end, be it of its own type or of another one, through synonyms, too.
datatype T { C(t: T) }
datatype A { MakeA(b: Other) }
datatype B { MakeB(a: A) }
type Other = B;
datatype List { Nil(), Cons(head: int, tail: List) }
datatype Tree { Node(children: [int]Tree) }
type Round = Back;
type Back = Round;
datatype Turn { Around(r: Round) }
//@ expect
// error: the datatype has no values: each would contain another one, without end
//  --> input.bpl:3:14
//   |
// 3 | datatype T { C(t: T) }
//   |              ^
// error: the datatype has no values: each would contain another one, without end
//  --> input.bpl:4:14
//   |
// 4 | datatype A { MakeA(b: Other) }
//   |              ^^^^^
// error: the datatype has no values: each would contain another one, without end
//  --> input.bpl:5:14
//   |
// 5 | datatype B { MakeB(a: A) }
//   |              ^^^^^
// error: type synonym `Round` is defined by itself
//   --> input.bpl:10:13
//    |
// 10 | type Back = Round;
//    |             ^^^^^
