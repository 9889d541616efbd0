//@ verdict: safe
// Any number of readers at once, or one writer.
var writing: bool;
var readers, data: int;

procedure ULTIMATE.start()
  modifies writing, readers, data;
{
  writing := false;
  readers := 0;
  while (*) {
    if (*) {
      fork 0 writer();
    } else {
      fork 1 reader();
    }
  }
}

procedure writer()
  modifies writing, data;
{
  atomic { assume !writing && readers == 0; writing := true; }
  data := data + 1;
  writing := false;
}

procedure reader()
  modifies readers;
{
  var seen: int;
  atomic { assume !writing; readers := readers + 1; }
  seen := data;
  assert seen == data;
  readers := readers - 1;
}
