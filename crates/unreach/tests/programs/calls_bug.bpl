//@ verdict: unsafe
//@ fails: 24
// A local variable that nobody initialises: its value is arbitrary in each call. Unsafe, in the third call.
var last: int;

procedure pick(limit: int) returns (value: int)
{
  var guess: int;
  if (guess < limit) {
    value := guess;
  } else {
    value := limit;
  }
}

procedure ULTIMATE.start()
  modifies last;
{
  var a, b, c: int;
  call a := pick(5);
  call b := pick(7);
  last := b;
  call c := pick(b);
  assert !(a == 3 && b == 6 && c == 4 && last == 6);
}
