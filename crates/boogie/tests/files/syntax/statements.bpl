//@ ast
procedure p()
{
  a, b[i, j][k], c!f!g := 1, 2, 3;
  havoc a, b;
  assume {:x} true;
  assert {:y "z"} false;
  call p();
  call {:w} a, b := q(1, *, x);
  call async p();
  async call p();
  call forall p(1, *);
  par p() | a := q(2);
  par call p() | call_me();
L1: L2:
  while (a < b)
    invariant a <= b;
    free invariant {:v} true;
  {
    if (*) { break; } else if (a == b) { break L1; } else { goto L1, L2; }
  }
  while (*) { }
  if (a) { return; }
  fork 1, 2 p(3);
  join 1, 2 assign a;
  join 1;
  atomic { a := 1; atomic { b := 2; } }
  yield;
  fork := join; atomic, yield := par, async;
}
//@ expect
//
// procedure p()
// {
//   a, b[i, j][k], c!f!g := 1, 2, 3;
//   havoc a, b;
//   assume {:x} true;
//   assert {:y "z"} false;
//   call p();
//   call {:w} a, b := q(1, *, x);
//   call async p();
//   call async p();
//   call forall p(1, *);
//   par p() | a := q(2);
//   par p() | call_me();
// L1:
// L2:
//   while ((a < b))
//     invariant (a <= b);
//     free invariant {:v} true;
//   {
//     if (*) {
//       break;
//     } else {
//       if ((a == b)) {
//         break L1;
//       } else {
//         goto L1, L2;
//       }
//     }
//   }
//   while (*)
//   {
//   }
//   if (a) {
//     return;
//   }
//   fork 1, 2 p(3);
//   join 1, 2 assign a;
//   join 1;
//   atomic {
//     a := 1;
//     atomic {
//       b := 2;
//     }
//   }
//   yield;
//   fork := join;
//   atomic, yield := par, async;
// }
