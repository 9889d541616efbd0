//@ verdict: unsafe
//@ fails: 18
// As cells_of_new_blocks, but nobody says that the blocks are different.
var memory: [int]int;

procedure main(p: int, q: int)
modifies memory;
{
  memory[p] := 0;
  memory[q] := 0;
  while (*) {
    if (*) {
      memory[p] := memory[p] + 1;
    } else {
      memory[q] := memory[q] - 1;
    }
  }
  assert memory[p] >= 0;
}
