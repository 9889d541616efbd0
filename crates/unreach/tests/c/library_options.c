// property: assert
// verdict: safe
#include <assert.h>
#include <getopt.h>
#include <string.h>

int main(void) {
    char *arguments[] = {"p", "-vo", "out", "-n5", "--", "-x", 0};
    assert(getopt(6, arguments, "vo:n:") == 'v' && optind == 1);
    assert(getopt(6, arguments, "vo:n:") == 'o' && strcmp(optarg, "out") == 0 && optind == 3);
    assert(getopt(6, arguments, "vo:n:") == 'n' && strcmp(optarg, "5") == 0 && optind == 4);
    assert(getopt(6, arguments, "vo:n:") == -1 && optind == 5);
    char *others[] = {"p", "--name=joe", "--verbose", "--na", "x", "-z", "-o", 0};
    int flag = 0, which = -1;
    struct option options[] = {{"name", required_argument, 0, 'N'}, {"verbose", no_argument, &flag, 7}, {0, 0, 0, 0}};
    opterr = 0;
    optind = 1;
    assert(getopt_long(7, others, ":o:", options, &which) == 'N' && which == 0 && strcmp(optarg, "joe") == 0);
    assert(getopt_long(7, others, ":o:", options, &which) == 0 && which == 1 && flag == 7);
    assert(getopt_long(7, others, ":o:", options, &which) == 'N' && strcmp(optarg, "x") == 0 && optind == 5);
    assert(getopt_long(7, others, ":o:", options, &which) == '?' && optopt == 'z');
    assert(getopt_long(7, others, ":o:", options, &which) == ':' && optopt == 'o');
    assert(getopt_long(7, others, ":o:", options, &which) == -1 && optind == 7);
    return 0;
}
