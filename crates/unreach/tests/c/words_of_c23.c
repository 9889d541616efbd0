// property: assert
// verdict: safe
// `bool`, `true`, `false`, `nullptr` and others are keywords since C23; attributes stand in brackets, and digits may be separated.
#include <assert.h>

[[nodiscard]] static int twice(int x) { return 2 * x; }
[[noreturn]] extern void stop(void);

struct [[gnu::packed]] pair { char first; int second; };

int main(void) {
    bool found = true;
    assert(found != false);
    assert(sizeof(true) == sizeof(bool));
    bool any = 7;
    assert(any == 1);
    int *nothing = nullptr;
    assert(!nothing);
    static_assert(alignof(int) == 4);
    alignas(16) [[maybe_unused]] char buffer[3];
    assert((unsigned long)buffer % 16 == 0);
    unsigned mask = 0b1010'1010;
    assert(mask == 0xa'a && 1'000'000 == 1000000 && 1'0.2'5 == 10.25);
    assert(sizeof(struct pair) == 5);
    int value = twice(2);
    switch (value) {
    case 4:
        value++;
        [[fallthrough]];
    default:
        value++;
    }
    assert(value == 6);
    if (value != 6) {
        stop();
        assert(0);
    }
    return 0;
}
