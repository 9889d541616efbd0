//@ verdict: safe
// Row 4 of Table 1: a robot with two grippers carries balls from one room to the other. The loop handles one action
// at a time. Safe: no ball gets lost, and never more than two are carried.
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
      assume atFirst && inFirst > 0 && right == 0;
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
