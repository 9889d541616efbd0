//@ verdict: safe
datatype Pair { Pair(first: int, second: bool) }
const unique c: Pair;
const unique d: Pair;
procedure main()
{
  assert c != d;
  assert c->first == d->first ==> c->second != d->second;
}
