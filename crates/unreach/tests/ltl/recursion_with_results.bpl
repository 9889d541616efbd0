//@ verdict: true
//@ ltl invariant answers: [](AP(request == 1) ==> <>AP(answer == 3));
// The result of a recursion is passed on by the copies of the procedure.
var request, answer: int;
procedure count(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := count(n - 1); r := r + 1; } }
procedure ULTIMATE.start() modifies request, answer; {
  request, answer := 0, 0;
  request := 1;
  call answer := count(3);
}
