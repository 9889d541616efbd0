//@ verdict: unsafe
//@ fails: 7
// Taking a value apart checks the constructor.
datatype Option<T> { None(), Some(value: T) }
procedure main(o: Option int) returns (r: int)
{
  Some(r) := o;
  assert o == Some(r);
}
