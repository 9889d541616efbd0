static __thread int __unreach_rounding;
