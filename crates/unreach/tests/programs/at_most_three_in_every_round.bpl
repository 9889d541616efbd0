//@ verdict: safe
// The level grows by at most three while the time grows by one.
procedure main()
{
  var time, level, increment, hundred: int;
  time := 0;
  level := 0;
  hundred := 100;
  while (time < hundred) {
    time := time + 1;
    havoc increment;
    assume increment <= 3;
    level := level + increment;
  }
  assert level <= 1000;
}
