//@ ir
// Functions that are operations of the logic; `smtdefined` for constant maps.
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8) returns (bv8);
function {:builtin "bvslt"} {:inline} lt(x: bv8, y: bv8) returns (bool);
function {:builtin "zero_extend 8"} zext(x: bv8) returns (bv16);
function {:bvbuiltin "(_ sign_extend 24)"} sext(x: bv8) returns (bv32);
function {:builtin "bv2nat"} nat(x: bv8) returns (int);
function {:builtin "(_ int2bv 8)"} bits(x: int) returns (bv8);
function {:builtin "const-Array-Int-Int"} all(x: int) returns ([int]int);
function { :smtdefined "((as const (Array Int Int)) in)" } also_all(in : int) returns (out : [int] int);
function {:inline true} twice(x: int) returns (int) { 2 * x }
function fac(n: int) returns (int) { if n <= 0 then 1 else n * fac(n - 1) }
axiom add(1bv8, 2bv8) == 3bv8 && lt(255bv8, 0bv8) && all(twice(2))[3] == fac(3);
//@ expect
// function {:builtin "bvadd"} add(x: bv8, y: bv8) returns (bv8);
// function {:builtin "bvslt"} {:inline} lt(x: bv8, y: bv8) returns (bool);
// function {:builtin "(_ zero_extend 8)"} zext(x: bv8) returns (bv16);
// function {:builtin "(_ sign_extend 24)"} sext(x: bv8) returns (bv32);
// function {:builtin "ubv_to_int"} nat(x: bv8) returns (int);
// function {:builtin "(_ int_to_bv 8)"} bits(x: int) returns (bv8);
// function {:builtin "MapConst"} all(x: int) returns ([int]int);
// function {:builtin "MapConst"} also_all(in: int) returns ([int]int);
// function {:inline true} twice(x: int) returns (int) { 2 * x }
// function fac(n: int) returns (int) { if n <= 0 then 1 else n * fac(n - 1) }
// axiom add(1bv8, 2bv8) == 3bv8 && lt(255bv8, 0bv8) && all(twice(2))[3] == fac(3);
