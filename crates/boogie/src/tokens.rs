//! The tokens of Boogie.

/// A token: its kind and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
}

macro_rules! tokens {
    (
        classes { $($(#[$class_doc:meta])* $class:ident = $class_text:literal,)+ }
        keywords { $($keyword:ident = $keyword_text:literal,)+ }
        symbols { $($(#[$symbol_doc:meta])* $symbol:ident = $symbol_text:literal,)+ }
    ) => {
        /// The kind of a token.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum TokenKind {
            $($(#[$class_doc])* $class,)+
            $(#[doc = concat!("`", $keyword_text, "`")] $keyword,)+
            $(#[doc = concat!("`", $symbol_text, "`")] $(#[$symbol_doc])* $symbol,)+
        }

        impl TokenKind {
            /// How messages call it.
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$class => $class_text,)+
                    $(TokenKind::$keyword => concat!("`", $keyword_text, "`"),)+
                    $(TokenKind::$symbol => concat!("`", $symbol_text, "`"),)+
                }
            }

            /// The keyword of this spelling.
            pub(crate) fn keyword(text: &str) -> Option<TokenKind> {
                match text {
                    $($keyword_text => Some(TokenKind::$keyword),)+
                    _ => None,
                }
            }
        }

        /// All reserved words.
        pub const KEYWORDS: &[&str] = &[$($keyword_text),+];
    };
}

tokens! {
    classes {
        /// The end of the file.
        End = "the end of the file",
        /// A character that starts no token.
        Unknown = "an unknown character",
        /// A `/*` or `"` that is never closed.
        Unterminated = "an unterminated comment or string",
        /// A name; a leading backslash lets reserved words be names.
        Identifier = "an identifier",
        /// A natural number.
        Natural = "a number",
        /// A number with a decimal point or an exponent.
        Decimal = "a decimal number",
        /// `5bv8`
        BitVector = "a bit-vector literal",
        /// `0x1.8e0f24e8` and the like.
        Float = "a floating-point literal",
        /// `"…"`
        Text = "a string",
    }
    keywords {
        Assert = "assert",
        Assume = "assume",
        Axiom = "axiom",
        Bool = "bool",
        Break = "break",
        Call = "call",
        Const = "const",
        Div = "div",
        Else = "else",
        Ensures = "ensures",
        Exists = "exists",
        False = "false",
        Forall = "forall",
        Free = "free",
        Function = "function",
        Goto = "goto",
        Havoc = "havoc",
        If = "if",
        Implementation = "implementation",
        Int = "int",
        Invariant = "invariant",
        Lambda = "lambda",
        Mod = "mod",
        Modifies = "modifies",
        Old = "old",
        Procedure = "procedure",
        Real = "real",
        Requires = "requires",
        Return = "return",
        Returns = "returns",
        Then = "then",
        True = "true",
        Type = "type",
        Unique = "unique",
        Var = "var",
        Where = "where",
        While = "while",
    }
    symbols {
        LeftParen = "(",
        RightParen = ")",
        LeftBracket = "[",
        RightBracket = "]",
        LeftBrace = "{",
        RightBrace = "}",
        Semicolon = ";",
        Comma = ",",
        Colon = ":",
        ColonColon = "::",
        Assign = ":=",
        Equals = "=",
        EqualEqual = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        /// The partial order of constants.
        Extends = "<:",
        Iff = "<==>",
        Implies = "==>",
        Explies = "<==",
        And = "&&",
        Or = "||",
        Not = "!",
        Plus = "+",
        PlusPlus = "++",
        Minus = "-",
        /// Takes a field of a datatype.
        Arrow = "->",
        Star = "*",
        StarStar = "**",
        Slash = "/",
        Percent = "%",
        Bar = "|",
    }
}
