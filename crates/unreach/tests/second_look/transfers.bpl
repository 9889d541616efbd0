//@ verdict: safe
// What one of twelve accounts loses, another one gets.
procedure main()
{
  var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, total, amount: int;
  total := a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
  while (*)
  {
    havoc amount;
    if (*) { a0 := a0 - amount; a3 := a3 + amount; }
    if (*) { a1 := a1 - amount; a8 := a8 + amount; }
    if (*) { a2 := a2 - amount; a1 := a1 + amount; }
    if (*) { a3 := a3 - amount; a6 := a6 + amount; }
    if (*) { a4 := a4 - amount; a11 := a11 + amount; }
    if (*) { a5 := a5 - amount; a4 := a4 + amount; }
    if (*) { a6 := a6 - amount; a9 := a9 + amount; }
    if (*) { a7 := a7 - amount; a2 := a2 + amount; }
    if (*) { a8 := a8 - amount; a7 := a7 + amount; }
    if (*) { a9 := a9 - amount; a0 := a0 + amount; }
    if (*) { a10 := a10 - amount; a5 := a5 + amount; }
    if (*) { a11 := a11 - amount; a10 := a10 + amount; }
  }
  assert a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 == total;
}
