//@ verdict: safe
// A tank that is filled and emptied at rates between bounds, and the time.
procedure main()
{
  var level, peak, time, delay, flow: real;
  level := 10.0; peak := 10.0; time := 0.0;
  while (*)
  {
    havoc delay, flow;
    assume 0.0 <= delay && flow <= 2.0 * delay && flow >= -1.0 * delay;
    time := time + delay;
    level := level + flow;
    if (level > peak) { peak := level; }
  }
  assert 10.0 - time <= level && level <= peak && peak <= 10.0 + 2.0 * time;
}
