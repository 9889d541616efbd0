//@ verdict: safe
// A formula that doubles at every branch is too large for this one.
procedure branches_that_assign()
{
  var p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23: bool;
  var lock0, lock1, lock2, lock3, lock4, lock5, lock6, lock7, lock8, lock9, lock10, lock11, lock12, lock13, lock14, lock15, lock16, lock17, lock18, lock19, lock20, lock21, lock22, lock23: int;
  while (*)
  {
    havoc p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23;
    lock0 := 0;
    lock1 := 0;
    lock2 := 0;
    lock3 := 0;
    lock4 := 0;
    lock5 := 0;
    lock6 := 0;
    lock7 := 0;
    lock8 := 0;
    lock9 := 0;
    lock10 := 0;
    lock11 := 0;
    lock12 := 0;
    lock13 := 0;
    lock14 := 0;
    lock15 := 0;
    lock16 := 0;
    lock17 := 0;
    lock18 := 0;
    lock19 := 0;
    lock20 := 0;
    lock21 := 0;
    lock22 := 0;
    lock23 := 0;
    if (p0) { lock0 := 1; }
    if (p1) { lock1 := 1; }
    if (p2) { lock2 := 1; }
    if (p3) { lock3 := 1; }
    if (p4) { lock4 := 1; }
    if (p5) { lock5 := 1; }
    if (p6) { lock6 := 1; }
    if (p7) { lock7 := 1; }
    if (p8) { lock8 := 1; }
    if (p9) { lock9 := 1; }
    if (p10) { lock10 := 1; }
    if (p11) { lock11 := 1; }
    if (p12) { lock12 := 1; }
    if (p13) { lock13 := 1; }
    if (p14) { lock14 := 1; }
    if (p15) { lock15 := 1; }
    if (p16) { lock16 := 1; }
    if (p17) { lock17 := 1; }
    if (p18) { lock18 := 1; }
    if (p19) { lock19 := 1; }
    if (p20) { lock20 := 1; }
    if (p21) { lock21 := 1; }
    if (p22) { lock22 := 1; }
    if (p23) { lock23 := 1; }
    if (p0) { assert lock0 == 1; lock0 := 0; }
    if (p1) { assert lock1 == 1; lock1 := 0; }
    if (p2) { assert lock2 == 1; lock2 := 0; }
    if (p3) { assert lock3 == 1; lock3 := 0; }
    if (p4) { assert lock4 == 1; lock4 := 0; }
    if (p5) { assert lock5 == 1; lock5 := 0; }
    if (p6) { assert lock6 == 1; lock6 := 0; }
    if (p7) { assert lock7 == 1; lock7 := 0; }
    if (p8) { assert lock8 == 1; lock8 := 0; }
    if (p9) { assert lock9 == 1; lock9 := 0; }
    if (p10) { assert lock10 == 1; lock10 := 0; }
    if (p11) { assert lock11 == 1; lock11 := 0; }
    if (p12) { assert lock12 == 1; lock12 := 0; }
    if (p13) { assert lock13 == 1; lock13 := 0; }
    if (p14) { assert lock14 == 1; lock14 := 0; }
    if (p15) { assert lock15 == 1; lock15 := 0; }
    if (p16) { assert lock16 == 1; lock16 := 0; }
    if (p17) { assert lock17 == 1; lock17 := 0; }
    if (p18) { assert lock18 == 1; lock18 := 0; }
    if (p19) { assert lock19 == 1; lock19 := 0; }
    if (p20) { assert lock20 == 1; lock20 := 0; }
    if (p21) { assert lock21 == 1; lock21 := 0; }
    if (p22) { assert lock22 == 1; lock22 := 0; }
    if (p23) { assert lock23 == 1; lock23 := 0; }
  }
}
