//@ verdict: safe
// A lock that is never taken twice.
var locked: bool;

procedure lock()
  modifies locked;
{
  assert !locked;
  locked := true;
}

procedure unlock()
  modifies locked;
{
  assert locked;
  locked := false;
}

procedure ULTIMATE.start()
  modifies locked;
{
  locked := false;
  while (*) {
    call lock();
    if (*) {
      call unlock();
      call lock();
    }
    call unlock();
  }
}
