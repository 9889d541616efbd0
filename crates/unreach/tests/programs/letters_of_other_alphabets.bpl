//@ verdict: safe
procedure main()
{
  var größe, é: int;
  größe := 1; é := größe;
  assert é == 1;
}
