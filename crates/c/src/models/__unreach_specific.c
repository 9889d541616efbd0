static __thread void *__unreach_specific[64];
