//@ ir
// A datatype without recursion becomes its fields; those of other constructors have fixed values where values are compared.
datatype Option<T> { None(), Some(value: T) }
type {:datatype} List a;
function {:constructor} Nil<a>() returns (List a);
function {:constructor} Cons<a>(head: a, tail: List a) returns (List a);
procedure main(o: Option int, l: List int)
{
  var p: Option int;
  p := Some(1);
  p->value := 2;
  assert o == p;
  assert Cons(1, Nil()) != Nil();
}
//@ expect
// type List _;
// type variable#0;
// function elsewhere#1(argument#2.None: int, argument#2.value: int) returns (int);
// function constructor#3(argument#4: List int) returns (int);
// function Nil#1() returns (List int);
// function Cons#1(argument#5: int, argument#6: List int) returns (List int);
// function head#1(argument#7: List int) returns (int);
// function tail#1(argument#8: List int) returns (List int);
// function size#13(argument#14: List int) returns (int);
// axiom constructor#3(Nil#1()) == 0;
// axiom (forall value#9: int, value#10: List int :: { Cons#1(value#9, value#10) } constructor#3(Cons#1(value#9, value#10)) == 1 && head#1(Cons#1(value#9, value#10)) == value#9 && tail#1(Cons#1(value#9, value#10)) == value#10);
// axiom (forall value#11: List int :: { constructor#3(value#11) } (constructor#3(value#11) == 0 && value#11 == Nil#1()) || (constructor#3(value#11) == 1 && value#11 == Cons#1(head#1(value#11), tail#1(value#11))));
// axiom (forall value#12: List int :: { tail#1(value#12) } constructor#3(value#12) == 1 ==> 0 <= size#13(tail#1(value#12)) && size#13(tail#1(value#12)) < size#13(value#12));
//
// procedure main(o.None: int, o.value: int, l: List int)
// {
//   var p.None: int;
//   var p.value: int;
//
// entry1:
//   p.None, p.value := 1, 1;
//   p.None, p.value := 1, 2;
//   assert (if 1 <= o.None && o.None < 2 then o.None else 0) == (if 1 <= p.None && p.None < 2 then p.None else 0) && (if o.None == 1 then o.value else 0) == (if p.None == 1 then p.value else 0);
//   assert Cons#1(1, Nil#1()) != Nil#1();
//   return;
// }
