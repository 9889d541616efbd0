//@ ir
// Structured control flow becomes blocks; invariants stand at the loop head.
var g: int;
procedure loops(n: int) returns (r: int)
  modifies g;
{
  var i: int;
  r := 0;
  i := 0;
outer:
  while (i < n)
    invariant 0 <= i;
    free invariant r >= 0;
  {
    while (*)
    {
      if (r > 10) { break; }
      if (r > 20) { break outer; } else if (r > 30) { g := r; } else { }
      r := r + 1;
    }
    i := i + 1;
  }
}
procedure jumps(x: int)
{
  goto a, b;
a:
  assume x > 0;
  goto c;
  assert false;
b:
  assume x <= 0;
c:
  return;
unused:
  assume true;
}
procedure break_if(x: int) returns (r: int)
{
l:
  if (x > 0) {
    if (x > 1) { break l; }
    r := 1;
  }
  r := 2;
}
procedure first_is_a_loop() { while (true) { } }
procedure empty() { }
procedure back_to_front() { goto last; first: return; last: goto first; }
//@ expect
// var g: int;
//
// procedure loops(n: int) returns (r: int)
//   modifies g;
// {
//   var i: int;
//
// entry1:
//   r := 0;
//   i := 0;
//   goto outer;
//
// outer:
//   assert {:invariant} 0 <= i;
//   assume r >= 0;
//   if (i < n) { goto body2; } else { goto exit9; }
//
// body2:
//   goto body3, exit8;
//
// body3:
//   if (r > 10) { goto exit8; } else { goto join4; }
//
// join4:
//   if (r > 20) { goto exit9; } else { goto else5; }
//
// else5:
//   if (r > 30) { goto then6; } else { goto join7; }
//
// then6:
//   g := r;
//   goto join7;
//
// join7:
//   r := r + 1;
//   goto body2;
//
// exit8:
//   i := i + 1;
//   goto outer;
//
// exit9:
//   return;
// }
//
// procedure jumps(x: int)
// {
// entry1:
//   goto a, b;
//
// a:
//   assume x > 0;
//   goto c;
//
// b:
//   assume x <= 0;
//   goto c;
//
// c:
//   return;
//
// unused:
//   assume true;
//   return;
// }
//
// procedure break_if(x: int) returns (r: int)
// {
// l:
//   if (x > 0) { goto then1; } else { goto join3; }
//
// then1:
//   if (x > 1) { goto join3; } else { goto join2; }
//
// join2:
//   r := 1;
//   goto join3;
//
// join3:
//   r := 2;
//   return;
// }
//
// procedure first_is_a_loop()
// {
// entry1:
//   if (true) { goto entry1; } else { goto exit2; }
//
// exit2:
//   return;
// }
//
// procedure empty()
// {
// entry1:
//   return;
// }
//
// procedure back_to_front()
// {
// last:
//   goto first;
//
// first:
//   return;
// }
