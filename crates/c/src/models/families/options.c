//// __unreach_options
/* The variables of `getopt`, and where it is in a group of options. */
char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';
static const char *__unreach_rest;

//// __unreach_next_option
/* With __unreach_options: makes an argument with options the current one, or returns what `getopt` returns at once. Arguments that are no options
   in front of options are moved by some systems and not by others: that is left open. */
extern void __unknown_argument(void);
static int __unreach_next_option(int count, char *const *arguments, const char *letters)
{
    const char *text;
    int index;
    optarg = (char *)0;
    if (optind == 0) {
        optind = 1;
        __unreach_rest = (char *)0;
    }
    if (__unreach_rest != (char *)0 && __unreach_rest[0] != 0) {
        return 0;
    }
    __unreach_rest = (char *)0;
    if (optind >= count || arguments[optind] == (char *)0) {
        return -1;
    }
    text = arguments[optind];
    if (text[0] != '-' || text[1] == 0) {
        if (letters[0] == '-') {
            optarg = arguments[optind];
            optind++;
            return 1;
        }
        if (letters[0] != '+') {
            for (index = optind + 1; index < count; index++) {
                const char *other = arguments[index];
                if (other[0] == '-' && other[1] != 0) {
                    __unknown_argument();
                }
            }
        }
        return -1;
    }
    if (text[1] == '-' && text[2] == 0) {
        optind++;
        return -1;
    }
    return 0;
}

//// __unreach_short_option
static int __unreach_short_option(int count, char *const *arguments, const char *letters)
{
    int quiet;
    int letter;
    __SIZE_TYPE__ index = 0;
    if (letters[0] == '+' || letters[0] == '-') {
        letters++;
    }
    quiet = letters[0] == ':';
    letter = __unreach_rest[0];
    __unreach_rest++;
    while (letters[index] != 0 && letters[index] != (char)letter) {
        index++;
    }
    if (__unreach_rest[0] == 0) {
        optind++;
    }
    if (letter == ':' || letter == ';' || letters[index] == 0) {
        optopt = letter;
        return '?';
    }
    if (letters[index + 1] != ':') {
        return letter;
    }
    if (__unreach_rest[0] != 0) {
        optarg = (char *)__unreach_rest;
        optind++;
    } else if (letters[index + 2] != ':') {
        if (optind >= count) {
            optopt = letter;
            __unreach_rest = (char *)0;
            return quiet ? ':' : '?';
        }
        optarg = arguments[optind];
        optind++;
    }
    __unreach_rest = (char *)0;
    return letter;
}

//// getopt
int getopt(int count, char *const *arguments, const char *letters)
{
    int result = __unreach_next_option(count, arguments, letters);
    if (result != 0) {
        return result;
    }
    if (__unreach_rest == (char *)0) {
        __unreach_rest = arguments[optind] + 1;
    }
    return __unreach_short_option(count, arguments, letters);
}

//// __unreach_long_option
#include <getopt.h>
extern void __unknown_argument(void);
static int __unreach_long_option(int count, char *const *arguments, const char *letters,
                                 const struct option *options, int *which, const char *text, int both)
{
    int quiet = letters[0] == ':' || ((letters[0] == '+' || letters[0] == '-') && letters[1] == ':');
    int found = -1;
    int exact = 0;
    int index;
    __SIZE_TYPE__ length = 0;
    while (text[length] != 0 && text[length] != '=') {
        length++;
    }
    for (index = 0; options[index].name != (char *)0 && !exact; index++) {
        const char *name = options[index].name;
        __SIZE_TYPE__ at = 0;
        while (at < length && name[at] == text[at]) {
            at++;
        }
        if (at == length) {
            exact = name[at] == 0;
            if (found != -1 && !exact) {
                __unknown_argument();
            }
            found = index;
        }
    }
    if (found == -1) {
        if (both) {
            return -2;
        }
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    if (text[length] == '=') {
        if (options[found].has_arg == 0) {
            optopt = options[found].val;
            return '?';
        }
        optarg = (char *)text + length + 1;
    } else if (options[found].has_arg == 1) {
        if (optind >= count) {
            optopt = options[found].val;
            return quiet ? ':' : '?';
        }
        optarg = arguments[optind];
        optind++;
    }
    if (which) {
        *which = found;
    }
    if (options[found].flag) {
        *options[found].flag = options[found].val;
        return 0;
    }
    return options[found].val;
}

//// getopt_long
#include <getopt.h>
int getopt_long(int count, char *const *arguments, const char *letters, const struct option *options,
                int *which)
{
    int result = __unreach_next_option(count, arguments, letters);
    if (result != 0) {
        return result;
    }
    if (__unreach_rest == (char *)0) {
        const char *text = arguments[optind];
        if (text[1] == '-') {
            return __unreach_long_option(count, arguments, letters, options, which, text + 2, 0);
        }
        __unreach_rest = text + 1;
    }
    return __unreach_short_option(count, arguments, letters);
}

//// getopt_long_only
#include <getopt.h>
int getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *options,
                     int *which)
{
    int result = __unreach_next_option(count, arguments, letters);
    if (result != 0) {
        return result;
    }
    if (__unreach_rest == (char *)0) {
        const char *text = arguments[optind];
        __SIZE_TYPE__ index = 0;
        int known;
        if (text[1] == '-') {
            return __unreach_long_option(count, arguments, letters, options, which, text + 2, 0);
        }
        while (letters[index] != 0 && letters[index] != text[1]) {
            index++;
        }
        known = letters[index] != 0;
        if (text[2] != 0 || !known) {
            result = __unreach_long_option(count, arguments, letters, options, which, text + 1, known);
            if (result != -2) {
                return result;
            }
        }
        __unreach_rest = text + 1;
    }
    return __unreach_short_option(count, arguments, letters);
}
