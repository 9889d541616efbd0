//@ ends: always
// The hand goes up to the top, begins again at the bottom, and stops where it was.
procedure main(stop, top: int)
{
  var hand: int;
  assume 0 <= stop && stop < top;
  hand := stop + 1;
  while (*) {
    if (hand == stop) { break; }
    if (hand <= top) { hand := hand + 1; } else { hand := 0; }
  }
}
