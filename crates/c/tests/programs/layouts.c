/* Sizes, offsets and alignments of structs with bit-fields, packing and alignment. */
#include <stddef.h>
long result;
#define ADD(value) (result = result * 7 + (long)(value))
struct unnamed { char c; int : 5; };
struct unnamed_then { char c; int : 5; char d; };
struct zero { char c; int : 0; char d; };
struct crossing { int p : 31; int q : 9; long long b : 40; };
struct mixed { unsigned char a : 3; unsigned short b : 12; unsigned c : 20; unsigned long d : 50; _Bool e : 1; };
struct packed { char c; int x; unsigned b : 7; long l; } __attribute__((packed));
struct member_packed { char c; int x __attribute__((packed)); short s; };
struct aligned { char c; int x __attribute__((aligned(16))); };
typedef int wide_int __attribute__((aligned(16)));
struct by_name { char c; wide_int x; };
struct whole { char c; } __attribute__((aligned(32)));
union mix { char c; long double l; int i : 3; };
#pragma pack(push, 2)
struct pragma { char c; int x; long l; int b : 9; };
#pragma pack(pop)
struct behind { char c; int x; };
enum small { A, B };
enum large { C = 1L << 40, D };
enum below { E = -1, F = 0xffffffff };
typedef int four __attribute__((vector_size(16)));
int variable __attribute__((aligned(64)));

int main(void)
{
    ADD(sizeof(struct unnamed));
    ADD(_Alignof(struct unnamed));
    ADD(offsetof(struct unnamed_then, d));
    ADD(offsetof(struct zero, d));
    ADD(sizeof(struct zero));
    ADD(sizeof(struct crossing));
    ADD(sizeof(struct mixed));
    ADD(sizeof(struct packed));
    ADD(offsetof(struct packed, l));
    ADD(sizeof(struct member_packed));
    ADD(offsetof(struct member_packed, x));
    ADD(offsetof(struct member_packed, s));
    ADD(sizeof(struct aligned));
    ADD(sizeof(struct by_name));
    ADD(_Alignof(wide_int));
    ADD(sizeof(struct whole));
    ADD(sizeof(union mix));
    ADD(sizeof(struct pragma));
    ADD(offsetof(struct pragma, l));
    ADD(sizeof(struct behind));
    ADD(sizeof(enum small));
    ADD(sizeof(enum large));
    ADD(sizeof D);
    ADD(F > E);
    ADD(sizeof(four));
    ADD(_Alignof(four));
    ADD(__alignof__(variable));
    ADD(__alignof__(double));
    ADD(sizeof(L'a') + sizeof(u'a') + sizeof(U'a') + sizeof('a'));
    ADD(sizeof(L"ab") + 3 * sizeof(u"ab") + 5 * sizeof(U"ab") + 9 * sizeof(u8"ab"));
    return 0;
}
