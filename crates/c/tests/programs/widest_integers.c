// Integers with 128 bits: they wrap, and their high halves can be taken.
long long result;
typedef unsigned __int128 wide;

int main(void)
{
    wide x = -1, y = 3;
    __int128 s;
    int i;
    for (i = 0; i < 40; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        y = x * x - y;
        s = (__int128)y;
        result = result * 31 + (long long)(x >> 64) + (long long)y + (long long)(s >> 70) + (s < 0) + (x > y);
        result ^= (long long)(x / (y >> 50)) + (long long)(s % 1000003) + (int)(x >> (i * 3));
        y += (wide)1 << (127 - i);
    }
    return 0;
}
