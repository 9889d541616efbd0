//! Tokens: what the lexer hands to the preprocessor and the preprocessor to the parser.

use crate::symbols::Symbol;
use base::Span;

/// A token with its place. A token that came out of a macro has the place of the macro's use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether it is the first token of its line: only then does `#` begin a directive.
    pub first_on_line: bool,
    /// Whether white space stands before it: `#` and the definition of macros can tell the difference.
    pub space_before: bool,
    /// Whether macro expansion has finished with it: a macro's own name inside its expansion stays as it is.
    pub painted: bool,
}

/// The kinds of tokens. Numbers and literals keep their spelling; the type checker reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or a keyword: the parser tells them apart.
    Name(Symbol),
    /// A preprocessing number.
    Number(Symbol),
    /// A character constant with its quotes and prefix.
    Char(Symbol),
    /// A string literal with its quotes and prefix.
    Text(Symbol),
    /// An operator or a bracket.
    Punct(Punct),
    /// The end of the input.
    End,
}

macro_rules! puncts {
    ($($name:ident $text:literal),+ $(,)?) => {
        /// Operators and brackets.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Punct { $(#[doc = $text] $name),+ }

        impl Punct {
            /// The spelling.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),+ }
            }
        }
    };
}

puncts! {
    OpenParen "(", CloseParen ")", OpenBracket "[", CloseBracket "]", OpenBrace "{", CloseBrace "}",
    Dot ".", Arrow "->", PlusPlus "++", MinusMinus "--", And "&", Star "*", Plus "+", Minus "-", Tilde "~",
    Not "!", Slash "/", Percent "%", ShiftLeft "<<", ShiftRight ">>", Less "<", Greater ">", LessEqual "<=",
    GreaterEqual ">=", EqualEqual "==", NotEqual "!=", Caret "^", Or "|", AndAnd "&&", OrOr "||",
    Question "?", Colon ":", Semicolon ";", Ellipsis "...", DotDot "..", Assign "=", StarAssign "*=", SlashAssign "/=",
    PercentAssign "%=", PlusAssign "+=", MinusAssign "-=", ShiftLeftAssign "<<=", ShiftRightAssign ">>=",
    AndAssign "&=", CaretAssign "^=", OrAssign "|=", Comma ",", Hash "#", HashHash "##", At "@",
    Backslash "\\", Implies "==>", Iff "<==>", AnnotationBegin "/*@", AnnotationEnd "@*/",
}
