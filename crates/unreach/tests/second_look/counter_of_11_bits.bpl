//@ verdict: unsafe
// The counter starts again after 2048 rounds.
procedure main()
{
  var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, k, carry: int;
  b0 := 0; b1 := 0; b2 := 0; b3 := 0; b4 := 0; b5 := 0; b6 := 0; b7 := 0; b8 := 0; b9 := 0; b10 := 0;
  k := 0; carry := 0;
  while (carry == 0)
  {
    carry := 1;
    k := k + 1;
    if (b0 + carry == 2) { b0 := 0; } else { b0 := b0 + carry; carry := 0; }
    if (b1 + carry == 2) { b1 := 0; } else { b1 := b1 + carry; carry := 0; }
    if (b2 + carry == 2) { b2 := 0; } else { b2 := b2 + carry; carry := 0; }
    if (b3 + carry == 2) { b3 := 0; } else { b3 := b3 + carry; carry := 0; }
    if (b4 + carry == 2) { b4 := 0; } else { b4 := b4 + carry; carry := 0; }
    if (b5 + carry == 2) { b5 := 0; } else { b5 := b5 + carry; carry := 0; }
    if (b6 + carry == 2) { b6 := 0; } else { b6 := b6 + carry; carry := 0; }
    if (b7 + carry == 2) { b7 := 0; } else { b7 := b7 + carry; carry := 0; }
    if (b8 + carry == 2) { b8 := 0; } else { b8 := b8 + carry; carry := 0; }
    if (b9 + carry == 2) { b9 := 0; } else { b9 := b9 + carry; carry := 0; }
    if (b10 + carry == 2) { b10 := 0; } else { b10 := b10 + carry; carry := 0; }
  }
  assert k != 2048;
}
