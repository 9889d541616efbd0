//@ verdict: safe
type T;
const unique top: T extends ;
const unique left: T extends unique top;
const unique right: T extends unique top complete;
const unique low: T extends left;
procedure main(x: T)
{
  assert low <: top && !(left <: right);
  assert x <: low ==> x <: left;
  assert x <: left ==> !(x <: right);
  assert x <: right ==> x == right;
  assert low <: x ==> x == low || x == left || x == top;
}
