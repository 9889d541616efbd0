var next: int;

procedure handle_open() returns (h: int)
  modifies next;
{
  next := next + 1;
  h := next;
}

procedure handle_close(h: int) { }

procedure main(early: bool)
  modifies next;
{
  var h: int;
  call h := handle_open();
  if (early) {
    call handle_close(h);
  }
  call handle_close(h);
}
