procedure begin() { }
procedure commit() { }
procedure rollback() { }

procedure ULTIMATE.start()
{
  var amount: int;
  havoc amount;
  call begin();
  if (amount > 100) { call rollback(); }
  if (amount < 100) { call commit(); }
}
