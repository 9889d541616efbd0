//@ ir
// Atomic blocks become their two ends; whoever leaves one passes its end.
var g: int;
procedure start() returns (x: int, b: bool)
  modifies g;
{
  fork 1 worker(g + 1);
  fork x, true worker(2);
  atomic {
    g := g + 1;
    atomic { assume g > 0; }
    while (*) {
      if (g > 3) { break; }
      if (g > 4) { return; }
      if (g > 5) { goto done; }
    }
  }
done:
  join x, b;
  join 1 assign x;
  call __VERIFIER_atomic_begin();
  g := 0;
  call __VERIFIER_atomic_end();
}
procedure worker(p: int) returns (r: int);
procedure __VERIFIER_atomic_begin();
procedure __VERIFIER_atomic_end();
//@ expect
// var g: int;
//
// procedure start() returns (x: int, b: bool)
//   modifies g;
// {
// entry1:
//   fork 1 worker(g + 1);
//   fork x, true worker(2);
//   atomic begin;
//   g := g + 1;
//   atomic begin;
//   assume g > 0;
//   atomic end;
//   goto loop2;
//
// loop2:
//   goto body3, exit8;
//
// body3:
//   if (g > 3) { goto exit8; } else { goto join4; }
//
// join4:
//   if (g > 4) { goto then5; } else { goto join6; }
//
// then5:
//   atomic end;
//   return;
//
// join6:
//   if (g > 5) { goto then7; } else { goto loop2; }
//
// then7:
//   atomic end;
//   goto done;
//
// exit8:
//   atomic end;
//   goto done;
//
// done:
//   join x, b;
//   join 1 assign x;
//   atomic begin;
//   g := 0;
//   atomic end;
//   return;
// }
//
// procedure worker(p: int) returns (r: int);
//
// procedure __VERIFIER_atomic_begin();
//
// procedure __VERIFIER_atomic_end();
