//@ verdict: unsafe
//@ fails: 17
// What a test has said about a variable does not hold any more when the variable has got another value.
procedure main()
{
  var mode, n: int;
  var seen: bool;
  n := 0;
  seen := false;
  while (n < 2) {
    havoc mode;
    if (mode == 1) {
      seen := true;
      havoc mode;
    }
    if (mode == 2 && seen) {
      assert n != 1;
    }
    n := n + 1;
  }
}
