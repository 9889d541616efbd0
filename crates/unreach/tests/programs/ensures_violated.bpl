//@ verdict: unsafe
//@ fails: 8
procedure half(x: int) returns (r: int)
  requires x >= 0;
  ensures 2 * r == x;
{
  r := x div 2;
  return;
}
