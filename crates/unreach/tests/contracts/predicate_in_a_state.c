// `P{L}` is about the values in another state.
// contracts: enforce
// verdict: unsafe
int g;
/*@ predicate positive{L} = g > 0; */

/*@ requires g < 1000;
  @ assigns g;
  @ ensures positive{Pre} ==> positive{Here};
  @ ensures positive{Here} ==> positive{Pre};
  @*/
void up(void) { g = g + 1; }
