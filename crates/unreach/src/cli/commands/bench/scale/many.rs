//! What real programs have many of: functions that change a struct behind a pointer, tables, strings, calls of the same
//! function, blocks that are allocated and freed.

use super::each;

/// Functions that change fields of a struct behind a pointer, under conditions.
pub(super) fn records(n: usize) -> String {
    let function = |i: usize| {
        format!(
            "static void f{i}(struct queue *q, int in) {{\n  if (in > {i} && q->count < q->limit) {{\n    \
             q->count++;\n    q->last = in;\n  }} else if (in < -{i} && q->count > 0) {{\n    q->count--;\n  }}\n}}\n"
        )
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstruct queue {{\n  int count;\n  int limit;\n  \
         int last;\n}};\n{}int main(void) {{\n  struct queue q = {{0, 100, 0}};\n{}  \
         assert(q.count >= 0 && q.count <= q.limit);\n  return 0;\n}}\n",
        each(n, function),
        each(n, |i| format!("  f{i}(&q, __VERIFIER_nondet_int());\n"))
    )
}

/// Global arrays, each filled by a loop and then read.
pub(super) fn tables(n: usize) -> String {
    format!(
        "#include <assert.h>\n{}int main(void) {{\n{}  return 0;\n}}\n",
        each(n, |i| format!("int t{i}[16];\n")),
        each(n, |i| format!(
            "  for (int k = 0; k < 16; k++) t{i}[k] = k + {i};\n  assert(t{i}[7] == {});\n",
            i + 7
        ))
    )
}

/// A machine with n states whose transitions change several variables.
pub(super) fn protocol(n: usize) -> String {
    let case = |i: usize| {
        format!(
            "    case {i}:\n      if (in > {i} && sent < 1000000) {{\n        sent++;\n        open++;\n        state = {};\n      }} \
             else if (open > 0) {{\n        done++;\n        open--;\n        state = {};\n      }}\n      break;\n",
            (i + 1) % n,
            (i * 7 + 3) % n
        )
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int state = 0;\n  \
         int sent = 0, done = 0, open = 0;\n  for (;;) {{\n    int in = __VERIFIER_nondet_int();\n    \
         switch (state) {{\n{}    default:\n      return 0;\n    }}\n    \
         assert(open >= 0 && sent == done + open);\n  }}\n}}\n",
        each(n, case)
    )
}

/// Calls of the same function, one after the other.
pub(super) fn calls(n: usize) -> String {
    let call = each(n, |i| format!("  x = step(x, __VERIFIER_nondet_int() % {});\n", i + 2));
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstatic int step(int x, int by) {{\n  \
         if (by < 0) return x;\n  x += by;\n  if (x > 1000) x = 1000;\n  return x;\n}}\nint main(void) {{\n  \
         int x = 0;\n{call}  assert(x >= 0 && x <= 1000);\n  return 0;\n}}\n"
    )
}

/// Functions that each call the next one in two places: as many paths of calls as two to the power of their number.
pub(super) fn diamonds(n: usize) -> String {
    let function = |i: usize| {
        let i = n - 1 - i;
        let next = |by: &str| match i + 1 < n {
            true => format!("f{}(x{by});", i + 1),
            false => String::new(),
        };
        format!(
            "static void f{i}(unsigned x) {{\n  if (used < 1000) used++;\n  if (x & 1) {{ {} }}\n  else {{ seen = 1; {} }}\n}}\n",
            next(" + 1"),
            next(" / 2")
        )
    };
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint used, seen;\n{}int main(void) {{\n  \
         f0(__VERIFIER_nondet_int());\n  assert(used > 0 && used <= 1000);\n  assert(seen == 0 || seen == 1);\n  return 0;\n}}\n",
        each(n, function)
    )
}

/// Functions that each call the next one twice, one call after the other.
pub(super) fn twice(n: usize) -> String {
    let function = |i: usize| {
        let i = n - 1 - i;
        let next = if i + 1 < n { format!("  f{0}();\n  f{0}();\n", i + 1) } else { String::new() };
        format!("static void f{i}(void) {{\n  if (used < 1000) used++;\n{next}}}\n")
    };
    format!(
        "#include <assert.h>\nint used;\n{}int main(void) {{\n  f0();\n  assert(used > 0 && used <= 1000);\n  return 0;\n}}\n",
        each(n, function)
    )
}

/// Conditions inside of each other.
pub(super) fn ifs(n: usize) -> String {
    let open = each(n, |i| format!("  if (x > {i} && y != {i}) {{\n  s++;\n"));
    let close = each(n, |_| "  }\n".to_owned());
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  \
         int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), s = 0;\n{open}  assert(x >= {n} && s == {n});\n{close}  \
         assert(s >= 0 && s <= {n});\n  return 0;\n}}\n"
    )
}

/// String literals, and a table that points to them.
pub(super) fn strings(n: usize) -> String {
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstatic const char *const names[] = {{\n{}}};\n\
         int main(void) {{\n  int i = __VERIFIER_nondet_int();\n  if (i < 0 || i >= {n}) return 0;\n  \
         const char *name = names[i];\n  assert(name[0] == 'n');\n  int length = 0;\n  while (name[length] != 0) length++;\n  \
         assert(length >= 2);\n  return 0;\n}}\n",
        each(n, |i| format!("  \"n{i}\",\n"))
    )
}

/// Structs inside of each other.
pub(super) fn structs(n: usize) -> String {
    let declared = each(n, |i| match i {
        0 => "struct s0 {\n  int v;\n};\n".to_owned(),
        _ => format!("struct s{i} {{\n  int v;\n  struct s{} in;\n}};\n", i - 1),
    });
    let inner = each(n - 1, |_| ".in".to_owned());
    format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n{declared}int main(void) {{\n  struct s{0} a, b;\n  \
         int x = __VERIFIER_nondet_int();\n  a.v = 1;\n  a{inner}.v = x;\n  b = a;\n  struct s{0} *p = &b;\n  \
         assert(p->v == 1 || p->v == x);\n  assert(b{inner}.v == x);\n  return 0;\n}}\n",
        n - 1
    )
}

/// Blocks that are allocated one after the other, and freed in another order.
pub(super) fn blocks(n: usize) -> String {
    let freed = |i: usize| if n.is_multiple_of(3) { n - 1 - i } else { i * 3 % n };
    format!(
        "#include <stdlib.h>\nint main(void) {{\n{}{}{}  return 0;\n}}\n",
        each(n, |i| format!("  int *p{i} = malloc(sizeof(int));\n  if (!p{i}) exit(1);\n")),
        each(n, |i| format!("  *p{i} = {i};\n")),
        each(n, |i| format!("  free(p{});\n", freed(i)))
    )
}
