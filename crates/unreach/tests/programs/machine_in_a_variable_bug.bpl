//@ verdict: unsafe
//@ fails: 30
// As machine_in_a_variable, but the amount can be one too large when the work is done.
type state;
const unique idle: state;
const unique working: state;
const unique done: state;

procedure main()
{
  var at: state;
  var amount, left: int;
  at := idle;
  amount := 0;
  left := 0;
  while (*) {
    if (at == idle) {
      havoc left;
      assume left > 0;
      amount := 1 - left;
      at := working;
    } else if (at == working) {
      if (left > 0) {
        left := left - 1;
        amount := amount + 1;
      } else {
        at := done;
      }
    } else if (at == done) {
      assert amount == 0;
      at := idle;
    }
  }
}
