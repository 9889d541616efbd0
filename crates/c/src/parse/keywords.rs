//! Keywords of C11 and the spellings that GNU C adds.

use crate::symbols::{Symbol, Symbols};
use base::SecondaryMap;

macro_rules! keywords {
    ($($name:ident: $($text:literal)+;)+) => {
        /// Keywords; one for all spellings.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Keyword { $($name),+ }

        const SPELLINGS: &[(&str, Keyword)] = &[$($(($text, Keyword::$name)),+),+];
    };
}

keywords! {
    Alignas: "_Alignas" "alignas";
    Alignof: "_Alignof" "alignof";
    Asm: "asm" "__asm__" "__asm";
    Atomic: "_Atomic";
    Attribute: "__attribute__" "__attribute";
    Auto: "auto" "register";
    AutoType: "__auto_type";
    Bool: "_Bool";
    Break: "break";
    Case: "case";
    Char: "char";
    ChooseExpr: "__builtin_choose_expr";
    Complex: "_Complex" "__complex__" "__complex";
    Const: "const" "__const" "__const__";
    Continue: "continue";
    ConvertVector: "__builtin_convertvector";
    Default: "default";
    Do: "do";
    Double: "double" "_Float64" "_Float32x";
    Else: "else";
    Enum: "enum";
    Extension: "__extension__";
    Extern: "extern";
    Float: "float" "_Float32";
    Float128: "_Float128" "__float128" "_Float64x" "__float80";
    For: "for";
    Generic: "_Generic";
    Goto: "goto";
    If: "if";
    Imaginary: "__imag__" "__imag";
    Inline: "inline" "__inline" "__inline__";
    Int: "int";
    Int128: "__int128" "__int128_t";
    Label: "__label__";
    Long: "long";
    Noreturn: "_Noreturn";
    Offsetof: "__builtin_offsetof";
    PragmaPack: "__pragma_pack";
    PreferredAlignof: "__alignof__" "__alignof";
    Real: "__real__" "__real";
    Restrict: "restrict" "__restrict" "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" "__signed__" "__signed";
    Sizeof: "sizeof";
    Static: "static";
    StaticAssert: "_Static_assert" "static_assert";
    Struct: "struct";
    Switch: "switch";
    ThreadLocal: "_Thread_local" "__thread" "thread_local";
    Typedef: "typedef";
    Typeof: "typeof" "__typeof__" "__typeof";
    TypesCompatible: "__builtin_types_compatible_p";
    Uint128: "__uint128_t";
    Union: "union";
    Unsigned: "unsigned";
    VaArg: "__builtin_va_arg";
    VaList: "__builtin_va_list";
    Void: "void";
    Volatile: "volatile" "__volatile__" "__volatile";
    While: "while";
}

/// Which symbols are keywords.
pub fn table(symbols: &mut Symbols) -> SecondaryMap<Symbol, Option<Keyword>> {
    let mut table = SecondaryMap::new();
    for &(text, keyword) in SPELLINGS {
        table[symbols.intern(text)] = Some(keyword);
    }
    table
}
