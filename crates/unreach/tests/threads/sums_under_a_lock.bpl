// check: asserts
// verdict: safe
// Both loops take the same lock in every round, which has nothing to do with what they compute.
var taken: bool;
var numbers: [int]int;
var one, other, count: int;

procedure ULTIMATE.start()
modifies taken, one, other;
{
  one := 0;
  other := 0;
  fork 1 first();
  fork 2, 2 second();
  join 1;
  join 2, 2;
  assert one == other;
}

procedure first()
modifies taken, one;
{
  var i: int;
  i := 0;
  while (i < count) {
    atomic { assume !taken; taken := true; }
    one := one + numbers[i];
    taken := false;
    i := i + 1;
  }
}

procedure second()
modifies taken, other;
{
  var i: int;
  i := 0;
  while (i < count) {
    atomic { assume !taken; taken := true; }
    other := other + numbers[i];
    taken := false;
    i := i + 1;
  }
}
