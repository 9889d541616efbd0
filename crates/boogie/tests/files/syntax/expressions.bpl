//@ ast
// Every operator with its precedence and association.
axiom a <==> b <==> c;
axiom a ==> b ==> c && d && e;
axiom a <== b <== c || d || e;
axiom !a && -x * y + z div w - v mod u / t % s == x ++ y;
axiom x ** y ** z != - - w && ! !a;
axiom x < y && x <= y && x > y && x >= y && x <: y;
axiom m[i, j][k] == m[i := v][j, k := w][3] && x[8:0] == f(x, g(), y)[4:1];
axiom if a then x else if b then y else z + 1 == old(m)[i];
axiom int(r) == real(i: int) && (p!f)!g == { f: 1, g: { h: 2bv4 } };
axiom (forall x, y: int, z: [int]bool :: {:nopats f(x), "text"} { f(x), g(y) } { h(z) } z[x] == (exists y: T int :: y == x));
axiom forall<a, b> x: a :: true ==> (lambda y: int :: y + 1)[0] == 1;
axiom 0x1.8e0f24e8 == 1.25 && 12345678901234567890 == 3bv70;
axiom \forall == forall_ && \\x == \x;
//@ expect
// axiom ((a <==> b) <==> c);
// axiom (a ==> (b ==> ((c && d) && e)));
// axiom ((a <== b) <== ((c || d) || e));
// axiom ((!a) && (((((-x) * y) + (z div w)) - (((v mod u) / t) % s)) == (x ++ y)));
// axiom (((x ** (y ** z)) != (-(-w))) && (!(!a)));
// axiom (((((x < y) && (x <= y)) && (x > y)) && (x >= y)) && (x <: y));
// axiom ((m[i, j][k] == m[i := v][j, k := w][3]) && (x[8:0] == f(x, g(), y)[4:1]));
// axiom (if a then x else (if b then y else ((z + 1) == old(m)[i])));
// axiom ((int(r) == real((i: int))) && (p!f!g == { f: 1, g: { h: 2bv4 } }));
// axiom (forall x: int, y: int, z: [int]bool :: {:nopats f(x), "text"} { f(x), g(y) } { h(z) } (z[x] == (exists y: T int :: (y == x))));
// axiom (forall<a, b> x: a :: (true ==> ((lambda y: int :: (y + 1))[0] == 1)));
// axiom ((0x1.8e0f24e8 == 1.25) && (12345678901234567890 == 3bv70));
// axiom ((\forall == forall_) && (\\x == \x));
