var next: int;

procedure handle_open() returns (h: int)
  modifies next;
{
  next := next + 1;
  h := next;
}

procedure handle_close(h: int) { }

procedure main(n: int)
  modifies next;
{
  var i, h: int;
  i := 0;
  while (i < n)
  {
    call h := handle_open();
    call handle_close(h);
    i := i + 1;
  }
}
