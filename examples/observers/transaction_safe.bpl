procedure begin() { }
procedure commit() { }
procedure rollback() { }

procedure ULTIMATE.start()
{
  var rounds: int;
  var good: bool;
  havoc rounds;
  while (rounds > 0)
  {
    call begin();
    havoc good;
    if (good) { call commit(); } else { call rollback(); }
    rounds := rounds - 1;
  }
}
