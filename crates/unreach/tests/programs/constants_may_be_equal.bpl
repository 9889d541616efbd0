//@ verdict: unsafe
//@ fails: 9
type colour;
const unique red, green: colour;
const blue: colour;

procedure main()
{
  assert red != blue;
}
