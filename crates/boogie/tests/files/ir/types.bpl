//@ ir
// Synonyms are expanded, constructors stay.
type T;
type Pair _ _;
type Word = bv32;
type Swap a b = Pair b a;
type Heap = [Word][int]Swap T (Pair int bool);
type Index a = [a]int;
const h: Heap;
const i: Index (Index T);
const p: Pair ([int]T) (Pair (Pair T T) T);
const bits: bv0;
//@ expect
// type T;
// type Pair _ _;
// const h: [bv32][int]Pair (Pair int bool) T;
// const i: [[T]int]int;
// const p: Pair ([int]T) (Pair (Pair T T) T);
// const bits: bv0;
