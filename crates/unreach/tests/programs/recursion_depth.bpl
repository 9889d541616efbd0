//@ verdict: unsafe
//@ fails: 6
// The error needs exactly four activations.
procedure down(n: int, depth: int)
{
  assert depth < 4;
  if (n > 0) {
    call down(n - 1, depth + 1);
  }
}

procedure ULTIMATE.start()
{
  call down(4, 0);
}
