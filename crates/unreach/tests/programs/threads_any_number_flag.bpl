//@ verdict: safe
// Of any number of threads only one wins the flag, which is taken by test and set, again and again.
var taken: bool;
var owners: int;

procedure ULTIMATE.start()
  modifies taken, owners;
{
  taken := false;
  owners := 0;
  while (*) {
    fork 0 worker();
  }
}

procedure worker()
  modifies taken, owners;
{
  var was: bool;
  was := true;
  while (was) {
    atomic { was := taken; taken := true; }
  }
  owners := owners + 1;
  assert owners == 1;
  owners := owners - 1;
  taken := false;
}
