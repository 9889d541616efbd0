//@ messages
// What a body changes and its procedure does not list is added with a warning.
var a: int; var b: int; var c: int;
procedure p() { a := 1; a := 2; havoc b; }
procedure q() modifies a; { call p(); call c := r(); }
procedure r() returns (x: int);
  modifies c;
procedure s() modifies a, b, c; { call q(); }
procedure t() { call u(); }
procedure u() { call t(); call p(); }
//@ expect
// warning: global variable `a` is changed here, but `p` does not list it
//  --> input.bpl:4:17
//   |
// 4 | procedure p() { a := 1; a := 2; havoc b; }
//   |           -     ^^^^^^^
//   |           |
//   |           this procedure
//   |
//   = help: add `modifies a;`
// warning: global variable `b` is changed here, but `p` does not list it
//  --> input.bpl:4:33
//   |
// 4 | procedure p() { a := 1; a := 2; havoc b; }
//   |           - this procedure      ^^^^^^^^
//   |
//   = help: add `modifies b;`
// warning: global variable `b` may be changed by this call of `p`, but `q` does not list it
//  --> input.bpl:5:29
//   |
// 5 | procedure q() modifies a; { call p(); call c := r(); }
//   |           - this procedure  ^^^^^^^^^
//   |
//   = help: add `modifies b;`
// warning: global variable `c` is changed here, but `q` does not list it
//  --> input.bpl:5:39
//   |
// 5 | procedure q() modifies a; { call p(); call c := r(); }
//   |           - this procedure            ^^^^^^^^^^^^^^
//   |
//   = help: add `modifies c;`
// warning: global variable `b` may be changed by this call of `u`, but `t` does not list it
//  --> input.bpl:9:17
//   |
// 9 | procedure t() { call u(); }
//   |           -     ^^^^^^^^^
//   |           |
//   |           this procedure
//   |
//   = help: add `modifies b;`
// warning: global variable `a` may be changed by this call of `u`, but `t` does not list it
//  --> input.bpl:9:17
//   |
// 9 | procedure t() { call u(); }
//   |           -     ^^^^^^^^^
//   |           |
//   |           this procedure
//   |
//   = help: add `modifies a;`
// warning: global variable `b` may be changed by this call of `p`, but `u` does not list it
//   --> input.bpl:10:27
//    |
// 10 | procedure u() { call t(); call p(); }
//    |           -               ^^^^^^^^^
//    |           |
//    |           this procedure
//    |
//    = help: add `modifies b;`
// warning: global variable `a` may be changed by this call of `p`, but `u` does not list it
//   --> input.bpl:10:27
//    |
// 10 | procedure u() { call t(); call p(); }
//    |           -               ^^^^^^^^^
//    |           |
//    |           this procedure
//    |
//    = help: add `modifies a;`
