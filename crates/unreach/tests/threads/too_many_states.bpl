// check: asserts
// verdict: unsafe
// The lock is given back between the two additions; twelve such threads have too many states together.
var lock, one, other: int;

procedure ULTIMATE.start()
modifies lock, one, other;
{
  lock := 0;
  one := 0;
  other := 0;
  fork 1 add(); fork 2 add(); fork 3 add(); fork 4 add(); fork 5 add(); fork 6 add();
  fork 7 add(); fork 8 add(); fork 9 add(); fork 10 add(); fork 11 add(); fork 12 add();
  atomic { assume lock == 0; lock := 1; }
  assert one == other;
  lock := 0;
}

procedure add()
modifies lock, one, other;
{
  atomic { assume lock == 0; lock := 1; }
  one := one + 1;
  lock := 0;
  atomic { assume lock == 0; lock := 1; }
  other := other + 1;
  lock := 0;
}
