//@ verdict: safe
type colour;
const unique red, green: colour;
const blue: colour;

procedure main()
{
  assert red != green;
}
