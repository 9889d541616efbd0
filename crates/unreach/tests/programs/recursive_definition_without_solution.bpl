//@ verdict: safe
// No function satisfies the definition, so there is no execution.
function f(n: int) returns (int) { f(n) + 1 }
procedure main()
{
  assert false;
}
