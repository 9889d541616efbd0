//@ tokens
// Comments and white space are no tokens /* nor are these.
/* Comments may /* be nested */ and span
   lines. */
procedure #p~1.$x'`?^(\if: bv8) returns (r: real)
{ r := 1.5e-3 ** 2e5; assert {:m "a \" b"} 255bv8[8:0] ++ \if <==> ∀ • ≤ @; }
//@ expect
// 5:1      Procedure        procedure
// 5:11     Identifier       #p~1.$x'`?^
// 5:22     LeftParen        (
// 5:23     Identifier       \if
// 5:26     Colon            :
// 5:28     Identifier       bv8
// 5:31     RightParen       )
// 5:33     Returns          returns
// 5:41     LeftParen        (
// 5:42     Identifier       r
// 5:43     Colon            :
// 5:45     Real             real
// 5:49     RightParen       )
// 6:1      LeftBrace        {
// 6:3      Identifier       r
// 6:5      Assign           :=
// 6:8      Decimal          1.5e-3
// 6:15     StarStar         **
// 6:18     Decimal          2e5
// 6:21     Semicolon        ;
// 6:23     Assert           assert
// 6:30     LeftBrace        {
// 6:31     Colon            :
// 6:32     Identifier       m
// 6:34     Text             "a \" b"
// 6:42     RightBrace       }
// 6:44     BitVector        255bv8
// 6:50     LeftBracket      [
// 6:51     Natural          8
// 6:52     Colon            :
// 6:53     Natural          0
// 6:54     RightBracket     ]
// 6:56     PlusPlus         ++
// 6:59     Identifier       \if
// 6:63     Iff              <==>
// 6:68     Forall           ∀
// 6:70     ColonColon       •
// 6:72     LessEqual        ≤
// 6:74     Unknown          @
// 6:75     Semicolon        ;
// 6:77     RightBrace       }
