//@ run
//@ run bits
function {:builtin "bvadd"} add(x: bv8, y: bv8) returns (bv8);
function {:builtin "bvsdiv"} sdiv(x: bv8, y: bv8) returns (bv8);
function {:builtin "bvslt"} slt(x: bv8, y: bv8) returns (bool);
function {:builtin "sign_extend 8"} sext(x: bv8) returns (bv16);
function {:builtin "rotate_left 1"} rotl(x: bv8) returns (bv8);
function {:builtin "sbv_to_int"} signed(x: bv8) returns (int);
function {:builtin "ubv_to_int"} unsigned(x: bv8) returns (int);
function {:builtin "(_ int_to_bv 8)"} bits(x: int) returns (bv8);
function {:builtin "bvnot"} not(x: bv8) returns (bv8);
procedure bits() returns (x: bv8, w: bv80)
{
  x := add(200bv8, 100bv8);
  assert x == 44bv8;
  assert sdiv(bits(-7), 2bv8) == bits(-3) && slt(bits(-1), 0bv8);
  assert sext(bits(-2)) == 65534bv16 && rotl(129bv8) == 3bv8;
  assert signed(255bv8) == -1 && unsigned(255bv8) == 255;
  assert not(1bv8) == 254bv8;
  w := 1bv40 ++ x ++ 0bv32;
  assert w[40:32] == x && w[80:40] == 1bv40;
  assert (forall y: bv8 :: y[8:4] ++ y[4:0] == y);
}
//@ expect
// bits: Finished
//   x = 44bv8
//   w = 1288490188800bv80
