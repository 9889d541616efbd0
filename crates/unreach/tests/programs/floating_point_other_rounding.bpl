//@ verdict: unsafe
//@ fails: 10
// Sums that are not exact depend on the rounding mode.
function {:builtin "fp.add"} add(mode: rmode, x: float24e8, y: float24e8) returns (float24e8);
function {:builtin "fp.roundToIntegral RTP"} up(x: float24e8) returns (float24e8);
procedure main(x: float24e8)
{
  assume 0x0.0e0f24e8 <= x && x < 0x1.0e0f24e8;
  assert add(RTZ, x, x) == add(RTN, x, x) && up(x) == (if x == 0x0.0e0f24e8 then x else 0x1.0e0f24e8);
  assert add(RTZ, x, 0x0.8e0f24e8) == add(RTP, x, 0x0.8e0f24e8);
}
