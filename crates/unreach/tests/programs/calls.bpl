//@ verdict: safe
// Procedures that call each other without recursion, twice from one place and in a loop; old values of globals.
// Safe.
var total: int;

procedure add(by: int) returns (now: int)
  modifies total;
  ensures total == old(total) + by;
{
  var before: int;
  before := total;
  total := before + by;
  now := total;
}

procedure add_twice(by: int) returns (now: int)
  modifies total;
{
  call now := add(by);
  call now := add(by);
}

procedure ULTIMATE.start()
  modifies total;
{
  var i, seen: int;
  total := 0;
  seen := 0;
  i := 0;
  while (i < 10)
  {
    call seen := add_twice(i);
    i := i + 1;
  }
  assert seen == total && seen >= 0;
}
