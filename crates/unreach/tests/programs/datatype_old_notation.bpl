//@ verdict: safe
type {:datatype} List a;
function {:constructor} Nil<a>() returns (List a);
function {:constructor} Cons<a>(head: a, tail: List a) returns (List a);
procedure main(l: List int)
{
  assert is#Nil(l) || is#Cons(l);
  assert head#Cons(Cons(3, l)) == 3 && tail#Cons(Cons(3, l)) == l;
  assert is#Cons(l) ==> l == Cons(head#Cons(l), tail#Cons(l));
  assert Cons(1, Nil()) != Nil();
}
