//@ verdict: safe
// The number of rounds is the sum of the bits with their weights, a relation between twenty variables; no run comes to the end of the loop.
procedure main()
{
  var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, k, carry: int;
  b0 := 0; b1 := 0; b2 := 0; b3 := 0; b4 := 0; b5 := 0; b6 := 0; b7 := 0; b8 := 0; b9 := 0; b10 := 0; b11 := 0; b12 := 0; b13 := 0; b14 := 0; b15 := 0; b16 := 0; b17 := 0;
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
    if (b11 + carry == 2) { b11 := 0; } else { b11 := b11 + carry; carry := 0; }
    if (b12 + carry == 2) { b12 := 0; } else { b12 := b12 + carry; carry := 0; }
    if (b13 + carry == 2) { b13 := 0; } else { b13 := b13 + carry; carry := 0; }
    if (b14 + carry == 2) { b14 := 0; } else { b14 := b14 + carry; carry := 0; }
    if (b15 + carry == 2) { b15 := 0; } else { b15 := b15 + carry; carry := 0; }
    if (b16 + carry == 2) { b16 := 0; } else { b16 := b16 + carry; carry := 0; }
    if (b17 + carry == 2) { b17 := 0; } else { b17 := b17 + carry; carry := 0; }
  }
  assert k == 262144;
}
