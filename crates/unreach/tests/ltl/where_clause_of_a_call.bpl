//@ verdict: unknown
//@ ltl invariant never_one: []AP(x == 0)

// The variable of `f` has no value, so no execution gets past a call of `f`; but one that never calls it goes on for ever, and violates the
// property. In a product the variable belongs to the procedure that everything begins with, which must not block that.
var x: int;

procedure ULTIMATE.start()
modifies x;
{
    x := 0;
    while (true) {
        x := 1;
        if (*) {
            call f();
        }
    }
}

procedure f()
{
    var z: int where false;
}
