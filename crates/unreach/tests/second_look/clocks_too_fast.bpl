//@ verdict: unsafe
// The same with a bound that is too small.
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
  assert 10.0 - time <= level && level <= peak && peak <= 10.0 + 1.5 * time;
}
