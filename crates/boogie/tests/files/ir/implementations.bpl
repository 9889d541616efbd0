//@ ir
// Several implementations become a choice; labels and locals of the second are renamed.
procedure p(a: int) returns (r: int);
  ensures r > 0;
implementation p(a: int) returns (r: int)
{
  var i: int;
start:
  i := a;
  r := i;
  goto start;
}
implementation p(b: int) returns (s: int)
{
  var i: int;
start:
  i := b;
  s := i + 1;
  goto start;
}
//@ expect
//
// procedure p(a: int) returns (r: int)
//   ensures r > 0;
// {
//   var i: int;
//   var i#1: int;
//
// entry1:
//   goto start, start#1;
//
// start:
//   i := a;
//   r := i;
//   goto start;
//
// start#1:
//   i#1 := a;
//   r := i#1 + 1;
//   goto start#1;
// }
