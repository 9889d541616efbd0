//@ verdict: safe
// The precondition of a procedure with which a run begins is assumed.
procedure main(x: int)
  requires x > 0;
{
  assert x != 0;
}
