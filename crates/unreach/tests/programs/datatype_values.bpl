//@ verdict: safe
// Values are equal if they were made by the same constructor of the same fields.
datatype Shape { Dot(), Line(length: int), Box(length: int, solid: bool) }
procedure main(s: Shape)
{
  var t: Shape;
  assert s is Dot || s is Line || s is Box;
  assert !(s is Line && s is Box);
  assert s is Dot ==> s == Dot();
  assert s is Line ==> s == Line(s->length);
  if (s is Box) {
    assert s == Box(s->length, s->solid);
    t := s;
    t->length := s->length + 1;
    assert t is Box && t != s && t->solid == s->solid;
    assert t->(length := s->length) == s;
  }
  assert Line(1) != Dot() && Line(1) != Line(2) && Line(1) != Box(1, true) && Box(3, true)->length == 3;
}
