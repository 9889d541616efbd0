// property: assert
// verdict: safe
// Every transition keeps a relation of three variables, and has operations whose results are needed for a moment only.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0, sent = 0, done = 0, open = 0;
    for (;;) {
        int in = __VERIFIER_nondet_int();
        switch (state) {
        case 0:
            if (in > 0 && sent < 1000000) { sent++; open++; state = 1; }
            else if (open > 0) { done++; open--; state = 3; }
            break;
        case 1:
            if (in > 1 && sent < 1000000) { sent++; open++; state = 2; }
            else if (open > 0) { done++; open--; state = 8; }
            break;
        case 2:
            if (in > 2 && sent < 1000000) { sent++; open++; state = 3; }
            else if (open > 0) { done++; open--; state = 13; }
            break;
        case 3:
            if (in > 3 && sent < 1000000) { sent++; open++; state = 4; }
            else if (open > 0) { done++; open--; state = 4; }
            break;
        case 4:
            if (in > 4 && sent < 1000000) { sent++; open++; state = 5; }
            else if (open > 0) { done++; open--; state = 9; }
            break;
        case 5:
            if (in > 5 && sent < 1000000) { sent++; open++; state = 6; }
            else if (open > 0) { done++; open--; state = 0; }
            break;
        case 6:
            if (in > 6 && sent < 1000000) { sent++; open++; state = 7; }
            else if (open > 0) { done++; open--; state = 5; }
            break;
        case 7:
            if (in > 7 && sent < 1000000) { sent++; open++; state = 8; }
            else if (open > 0) { done++; open--; state = 10; }
            break;
        case 8:
            if (in > 8 && sent < 1000000) { sent++; open++; state = 9; }
            else if (open > 0) { done++; open--; state = 1; }
            break;
        case 9:
            if (in > 9 && sent < 1000000) { sent++; open++; state = 10; }
            else if (open > 0) { done++; open--; state = 6; }
            break;
        case 10:
            if (in > 10 && sent < 1000000) { sent++; open++; state = 11; }
            else if (open > 0) { done++; open--; state = 11; }
            break;
        case 11:
            if (in > 11 && sent < 1000000) { sent++; open++; state = 12; }
            else if (open > 0) { done++; open--; state = 2; }
            break;
        case 12:
            if (in > 12 && sent < 1000000) { sent++; open++; state = 13; }
            else if (open > 0) { done++; open--; state = 7; }
            break;
        case 13:
            if (in > 13 && sent < 1000000) { sent++; open++; state = 0; }
            else if (open > 0) { done++; open--; state = 12; }
            break;
        default:
            return 0;
        }
        assert(open >= 0 && sent == done + open);
    }
}
