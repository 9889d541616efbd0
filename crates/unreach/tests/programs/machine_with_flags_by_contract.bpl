//@ verdict: safe
// Flags are set and cleared by procedures of which only the contract is known.
var flag: bool;
var next, now: int;

procedure schedule(value: int);
modifies next, flag;
ensures next == value;
ensures flag;

procedure perform();
modifies now, flag;
ensures old(flag) ==> now == next && !flag;
ensures !old(flag) ==> now == old(now) && !flag;

procedure main()
modifies flag, next, now;
{
  flag := false;
  now := 0;
  while (*) {
    if (*) {
      call schedule(1);
    }
    if (*) {
      call schedule(3);
    }
    call perform();
    assert now != 2;
    assert !flag;
  }
}
