//@ ir
var m: [float24e8]int;
procedure main(x: float24e8)
{
  assert x + 0x1.8e0f24e8 > -x;
  assert m[x] == 0;
}
//@ expect
// function {:builtin "float.add.8.24"} float#1(argument#2: bv32, argument#3: bv32) returns (bv32);
// function {:builtin "bvxor"} float#4(argument#5: bv32, argument#6: bv32) returns (bv32);
// function {:builtin "float.lt.8.24"} float#7(argument#8: bv32, argument#9: bv32) returns (bool);
// var m: [bv32]int;
//
// procedure main(x.float24e8: bv32)
// {
// entry1:
//   assert float#7(float#4(x.float24e8, 2147483648bv32), float#1(x.float24e8, 1069547520bv32));
//   assert m[if x.float24e8[31:23] == 255bv8 && x.float24e8[23:0] != 0bv23 then 2143289344bv32 else x.float24e8] == 0;
//   return;
// }
