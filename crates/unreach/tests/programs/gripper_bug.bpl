//@ verdict: unsafe
//@ fails: 46
// Row 5 of Table 1: the gripper with a mistake. One of the actions forgets that the gripper must be empty, so that
// two balls end up in it and one of them is lost. Unsafe.
procedure main(balls: int)
  requires balls >= 0;
{
  var inFirst, inSecond: int;
  var left, right: int;
  var atFirst: bool;
  inFirst := balls;
  inSecond := 0;
  left := 0;
  right := 0;
  atFirst := true;
  while (*)
  {
    if (*) {
      atFirst := !atFirst;
    } else if (*) {
      assume atFirst && inFirst > 0 && left == 0;
      inFirst := inFirst - 1;
      left := 1;
    } else if (*) {
      assume atFirst && inFirst > 0;
      inFirst := inFirst - 1;
      right := 1;
    } else if (*) {
      assume !atFirst && inSecond > 0 && left == 0;
      inSecond := inSecond - 1;
      left := 1;
    } else if (*) {
      assume !atFirst && inSecond > 0 && right == 0;
      inSecond := inSecond - 1;
      right := 1;
    } else if (*) {
      assume left == 1;
      left := 0;
      if (atFirst) { inFirst := inFirst + 1; } else { inSecond := inSecond + 1; }
    } else {
      assume right == 1;
      right := 0;
      if (atFirst) { inFirst := inFirst + 1; } else { inSecond := inSecond + 1; }
    }
  }
  assert inFirst + inSecond + left + right == balls;
}
