//@ verdict: safe
// A proof in spite of the mark is a proof.
procedure main()
{
  var x: int;
  assume {:overapproximation} x > 0;
  assert x >= 1;
}
