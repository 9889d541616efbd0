//@ verdict: unsafe
//@ fails: 8
type T;
const unique top: T extends ;
const unique low: T extends top;
procedure main(x: T)
{
  assert x <: top ==> x == top || x == low;
}
