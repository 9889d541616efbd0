//@ verdict: unsafe
//@ fails: 12
// What a field is of values of other constructors depends on the value only, but nobody knows it.
datatype Shape { Dot(), Line(length: int) }
procedure main(s: Shape, t: Shape)
{
  assume s is Dot;
  assume t is Dot;
  assert s == t;
  assert s->length == t->length;
  assume s->length > 0;
  assert s->length == 7;
}
