// property: assert
// verdict: safe
#include <assert.h>

static unsigned table[256];

int main(void) {
    for (unsigned n = 0; n < 256; n++) {
        unsigned c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
    const char *text = "123456789";
    unsigned crc = 0xffffffffu;
    for (int i = 0; text[i]; i++)
        crc = table[(crc ^ (unsigned char)text[i]) & 0xff] ^ crc >> 8;
    assert((crc ^ 0xffffffffu) == 0xcbf43926u);
    return 0;
}
