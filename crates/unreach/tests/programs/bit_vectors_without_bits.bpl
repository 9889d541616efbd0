//@ verdict: safe
procedure main(x: bv0, y: bv0, z: bv8)
{
  assert x == y && x == 0bv0;
  assert x ++ z == z && z[3:3] == x;
}
