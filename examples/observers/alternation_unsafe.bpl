var open: int;
procedure request() modifies open; { open := open + 1; }
procedure answer() modifies open; { open := open - 1; }

procedure ULTIMATE.start()
  modifies open;
{
  open := 0;
  while (*)
  {
    if (open <= 1) { call request(); } else { call answer(); }
  }
}
