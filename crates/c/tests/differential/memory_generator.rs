//! Random C programs that look at memory in several ways: unions, pointers in bytes and in integers, memory functions of
//! all sizes, structs from their members. None has undefined behaviour (up to wrapping arithmetic) or reads what was
//! never written, and no struct has padding, so every byte is known.

use base::Random;
use std::fmt::Write;

const HEAD: &str = r#"
typedef unsigned long size_t;
typedef unsigned long uintptr_t;
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
long long result;
struct pair { int x; short s; signed char c; unsigned char b[5]; };
struct bits { unsigned lo : 5; int mid : 9; unsigned hi : 18; };
union view { int i; unsigned char b[8]; float f; long l; int *p; struct bits bits; struct { short a, b; } half; };
struct node { struct node *next; long v; int *at; };
struct tagged { int kind; int pad; union view u; };
struct pair pairs[3]; union view views[3]; int ints[6]; unsigned char buf[64]; struct node nodes[3]; struct tagged tags[2];
union view give(union view v, int x) { v.b[3] ^= (unsigned char)x; return v; }
struct tagged swap(struct tagged t) { t.u.half.a++; t.kind = t.kind + 1; return t; }
static int sum(const unsigned char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 7 + p[i]; return s; }
"#;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x77);
    let mut out = String::from(HEAD);
    out.push_str("int main(void) {\n  int *p = &ints[0], *q = &ints[1]; struct node *n = &nodes[0]; uintptr_t w = 0;\n");
    out.push_str(
        "  int *heap = malloc(4 * sizeof(int)); for (int i = 0; i < 4; i++) heap[i] = i; int cap = 4;\n",
    );
    out.push_str("  for (int i = 0; i < 3; i++) { nodes[i].at = &ints[i]; views[i].p = &ints[i]; }\n");
    // Which unions hold a pointer.
    let mut holds = [true; 3];
    for _ in 0..18 + random.below(18) {
        statement(&mut random, &mut out, &mut holds);
    }
    out.push_str("  for (int i = 0; i < 3; i++) result = result * 31 + pairs[i].x + pairs[i].s + pairs[i].c + sum(pairs[i].b, 5);\n");
    out.push_str("  for (int i = 0; i < 6; i++) result = result * 31 + ints[i];\n");
    out.push_str("  for (int i = 0; i < 4; i++) result = result * 31 + heap[i];\n");
    out.push_str(
        "  result = result * 31 + sum(buf, 8) + *p + *q + (p == q) + n->v;\n  free(heap);\n  return 0;\n}\n",
    );
    out
}

fn statement(random: &mut Random, out: &mut String, holds: &mut [bool; 3]) {
    let (i, j, k) = (random.below(3), random.below(3), random.below(6));
    let number = random.below(4000) as i64 - 2000;
    let n = random.below(12) + 1;
    let line = match random.below(34) {
        0 => format!("pairs[{i}].x = {number} * 70001;"),
        1 => format!("pairs[{i}].b[{}] = {number};", random.below(5)),
        2 => format!("pairs[{i}] = pairs[{j}]; pairs[{i}].s += {number};"),
        3 => format!("memcpy(&pairs[{i}], buf + {k}, sizeof(struct pair));"),
        4 => format!("memcpy(buf + {k}, &pairs[{j}], {n});"),
        5 => format!("memset(&pairs[{i}], {number}, {n});"),
        6 => format!("memmove(buf + {k}, buf + {}, {});", random.below(6), n + 20),
        7 => {
            holds[i] = false;
            format!("views[{i}].l = {number}L * 4294967311L;")
        }
        8 => {
            holds[i] = true;
            format!("views[{i}].p = &ints[{k}];")
        }
        9 => {
            holds[i] = false;
            format!("views[{i}].l = {k}; views[{i}].bits.mid = {number}; views[{i}].b[1] ^= 3;")
        }
        10 if !holds[i] => format!("result = result * 31 + views[{i}].half.b;"),
        11 if holds[i] => format!("p = views[{i}].p; *p += {number};"),
        12 if holds[i] => format!("memcpy(&q, views[{i}].b, 8); *q ^= {number};"),
        13 => format!("memcpy(buf + 40, &p, sizeof p); q = 0; for (int t = 0; t < 8; t++) ((unsigned char *)&q)[t] = buf[40 + t]; *q -= {number};"),
        14 => format!("w = (uintptr_t)p; w |= {}; p = (int *)(w - {}); *p = {number};", 1, 1),
        15 => format!("w = (uintptr_t)&ints[{k}]; q = (int *)w; *q += 3;"),
        16 => format!("nodes[{i}].next = &nodes[{j}]; nodes[{i}].v = {number};"),
        17 => format!("n = (struct node *)((char *)&nodes[{i}].v - (unsigned long)&((struct node *)0)->v); n->v++;"),
        18 => "{ struct node *m = n; for (int t = 0; m && t < 4; t++) { result = result * 31 + m->v; m = m->next; } }".to_owned(),
        19 => {
            holds[i] = holds[j];
            let change = if holds[j] { String::new() } else { format!(" views[{i}] = give(views[{i}], {number});") };
            format!("views[{i}] = views[{j}];{change}")
        }
        20 => format!("tags[0].kind = {number}; tags[0].u.i = {number} * 3; tags[1] = swap(tags[0]); result = result * 31 + tags[1].u.i + tags[1].kind;"),
        21 => format!("tags[{}].u.p = &ints[{k}]; {{ struct tagged t = tags[{0}]; *t.u.p = {number}; }}", i % 2),
        22 => format!("*(short *)(buf + {}) = {number}; result = result * 31 + *(int *)(buf + {});", 2 * (n / 2), 4 * (n / 4)),
        23 => format!("result = result * 31 + (memcmp(buf, buf + {n}, {k}) < 0);"),
        24 => format!("heap[{}] = {number};", random.below(4)),
        25 => "heap = realloc(heap, (cap + 2) * sizeof(int)); heap[cap] = cap; heap[cap + 1] = 1; cap += 2;".to_owned(),
        26 => format!("{{ int *z = calloc({}, sizeof(int)); z[0] += {number}; result = result * 31 + z[0] + z[{}]; free(z); }}", n + 1, n),
        27 => format!("{{ int m = {n} + (int)(result & 3); memcpy(buf + 20, buf, m); result = result * 31 + sum(buf + 20, m); }}"),
        28 => format!("nodes[{i}].at = p; *nodes[{j}].at += {number};"),
        29 => format!("*(int **)&nodes[{i}].at = q; result = result * 31 + *nodes[{i}].at;"),
        30 => format!("{{ union view v; v.f = {number}.25f; result = result * 31 + v.i + v.bits.lo; }}"),
        31 => format!("{{ struct pair c = pairs[{i}]; unsigned char *r = (unsigned char *)&c; r[{}] ^= 85; pairs[{j}] = c; }}", random.below(12)),
        32 => format!("p = &ints[{k}]; result = result * 31 + (p - ints) + (p < &ints[4]);"),
        _ => format!("ints[{k}] = {number};"),
    };
    let _ = writeln!(out, "  {line}");
}
