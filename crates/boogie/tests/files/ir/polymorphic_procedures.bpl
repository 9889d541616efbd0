//@ ir
// One copy per use, and one for a type of which nothing is known.
procedure same<a>(x: a) returns (y: a)
{
  y := x;
}
procedure main()
{
  var i: int;
  call i := same(3);
  assert (forall<t> z: t :: z == z);
}
//@ expect
// type type#1;
// type variable#0;
// type type#2;
//
// procedure main()
// {
//   var i: int;
//
// entry1:
//   call i := same#1(3);
//   assert (forall z: int :: z == z) && (forall z: bool :: z == z) && (forall z: real :: z == z) && (forall z: type#1 :: z == z) && (forall z: type#2 :: z == z);
//   return;
// }
//
// procedure same#1(x: int) returns (y: int)
// {
// entry1:
//   y := x;
//   return;
// }
//
// procedure same(x: type#1) returns (y: type#1)
// {
// entry1:
//   y := x;
//   return;
// }
