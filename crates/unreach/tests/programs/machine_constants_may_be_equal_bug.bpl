//@ verdict: unsafe
//@ fails: 16
// The constants are not unique, so one test may be true after the other, and nothing is known by the name of a constant.
type state;
const first: state;
const second: state;

procedure main()
{
  var at: state;
  var n: int;
  at := first;
  n := 0;
  while (n < 3) {
    if (at == second) {
      assert n == 0;
    }
    at := first;
    n := n + 1;
  }
}
