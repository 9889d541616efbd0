//@ verdict: safe
function {:builtin "fp.isNaN"} isNaN(float24e8) returns (bool);
function {:builtin "fp.add"} add(rmode, float24e8, float24e8) returns (float24e8);
function {:builtin "(_ to_fp 11 53)"} wide(rmode, float24e8) returns (float53e11);
var m: [float24e8]int;
procedure main(x: float24e8, y: float24e8)
  modifies m;
{
  assert 0x1.8e0f24e8 + 0x0.8e0f24e8 == 0x2.0e0f24e8 && 0x1.0e1f24e8 == 0x10.0e0f24e8;
  assert x == x || isNaN(x);
  assert 0NaN24e8 != 0NaN24e8;
  assert x <= 0+oo24e8 || isNaN(x);
  assert add(RNE, 0x1.0e0f24e8, 0x1.0e0f24e8) == 0x2.0e0f24e8;
  assert -0x1.0e0f24e8 < 0x0.0e0f24e8;
  assert wide(RNE, 0x1.0e0f24e8) == 0x1.0e0f53e11;
  m[x] := 1;
  assert isNaN(x) && isNaN(y) ==> m[y] == 1;
}
