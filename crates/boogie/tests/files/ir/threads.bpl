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
