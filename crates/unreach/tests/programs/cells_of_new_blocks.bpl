//@ verdict: safe
// Blocks that were new are different, so a write to one leaves what is known of the others.
var memory, valid: [int]int;

procedure allocate() returns (p: int);
modifies valid;
ensures old(valid)[p] == 0;
ensures valid == old(valid)[p := 1];

procedure main()
modifies memory, valid;
{
  var p, q, r: int;
  call p := allocate();
  call q := allocate();
  call r := allocate();
  memory[p] := 0;
  memory[q] := 0;
  memory[r] := 0;
  while (*) {
    if (*) {
      call r := allocate();
      memory[r] := 0;
    }
    if (*) {
      memory[p] := memory[p] + 1;
    } else if (*) {
      memory[q] := memory[q] - 1;
    } else {
      memory[r] := memory[r] + 1;
    }
  }
  assert memory[p] >= 0;
  assert memory[q] <= 0;
  assert memory[r] >= 0;
}
