//@ verdict: safe
const limit: int;
axiom limit == 10;

procedure main()
{
  var i: int;
  i := 0;
  while (i < limit) {
    i := i + 1;
  }
  assert i == 10;
}
