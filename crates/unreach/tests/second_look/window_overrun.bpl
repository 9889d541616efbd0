//@ verdict: unsafe
// The same, but it is asked too early whether there is room.
procedure main()
{
  var sent, acked, lost, window, some: int;
  assume window >= 1;
  sent := 0; acked := 0; lost := 0;
  while (*)
  {
    havoc some;
    assume 0 <= some;
    if (*) { if (sent - acked - lost < window) { sent := sent + some; } }
    else if (*) { if (acked + lost + some <= sent) { acked := acked + some; } }
    else { if (acked + lost + some <= sent) { lost := lost + some; } }
  }
  assert acked + lost <= sent;
  assert sent <= acked + lost + window;
}
