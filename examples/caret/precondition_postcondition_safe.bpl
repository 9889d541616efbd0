var total: int;

procedure increase(n: int)
  modifies total;
{
  total := total + 1;
  if (n > 0) { call increase(n - 1); }
}

procedure main(k: int)
  modifies total;
{
  total := 0;
  call increase(k);
}
