//@ ends: always
// The speed grows until the position falls, and between two moves there are any number of pauses.
procedure main(position, speed: int)
{
  var p, v, pause: int;
  p := position;
  v := speed;
  havoc pause;
  while (p >= 0) {
    if (pause > 0) {
      pause := pause - 1;
    } else {
      p := p - v;
      v := v + 2;
      havoc pause;
    }
  }
}
