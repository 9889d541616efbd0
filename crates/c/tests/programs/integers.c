/* Conversions, promotions, wrapping, shifts and divisions at the edges. */
#include <limits.h>
long long result;
static void mix(long long v) { result = result * 1000003 + v; }
int main(void) {
    unsigned char u8 = 250; signed char s8 = 120; unsigned short u16 = 65530; int i = INT_MAX; unsigned u = UINT_MAX; long l = LONG_MIN;
    u8 += 10; s8 += 20; u16 *= u16; mix(u8); mix(s8); mix(u16);
    mix(i + 1); mix(u + 2u); mix(-i - 2); mix(l - 1); mix((int)4000000000u); mix((unsigned char)-1); mix((short)70000);
    mix(-7 / 2); mix(-7 % 2); mix(7 / -2); mix(7 % -2); mix(-7 >> 1); mix(-1u >> 28); mix(1 << 31); mix(5u - 6 > 0); mix(-1 < 0u);
    mix(s8 >> 2); mix((u8 << 4) & 0xff); mix(~u8); mix(-u); mix(!u8 + !0); mix(u8 == 4 ? -1 : 1u); mix(sizeof(char) - 2 > 0);
    mix((_Bool)256); mix((_Bool)0.5); mix('\xff'); mix(0x80000000 + 0); mix(2147483648 - 1); mix(017 + 0b11);
    for (unsigned char c = 0; c < 255; c++) result += c; 
    mix(__builtin_popcount(0xf0f0u) + __builtin_clz(1u) + __builtin_ctz(8u) + __builtin_ffs(12)); mix(__builtin_bswap32(0x01020304u));
    return 0;
}
