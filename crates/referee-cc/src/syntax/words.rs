//! Keywords of C and of GNU C, by what they mean for a reader of tokens.

/// Keywords that a type can begin with, or that stand before one.
pub(crate) fn begins_type(word: &[u8]) -> bool {
    is_type(word) || is_storage(word) || is_qualifier(word)
}

/// Keywords that are a type, or begin the name of one.
pub(crate) fn is_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"_Bool"
            | b"struct"
            | b"union"
            | b"enum"
            | b"__signed__"
            | b"__signed"
            | b"_Complex"
            | b"__complex__"
            | b"__int128"
            | b"typeof"
            | b"__typeof__"
            | b"__typeof"
            | b"__auto_type"
            | b"__builtin_va_list"
            | b"_Float128"
            | b"_Atomic"
            | b"_Float32"
            | b"_Float64"
            | b"_Float32x"
            | b"_Float64x"
            | b"__float128"
            | b"_Decimal32"
            | b"_Decimal64"
            | b"_Decimal128"
    )
}

/// Keywords that say how something is stored or linked.
pub(crate) fn is_storage(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"typedef"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"_Noreturn"
            | b"__thread"
            | b"_Thread_local"
            | b"__extension__"
            | b"_Alignas"
    )
}

/// Qualifiers of types.
pub(crate) fn is_qualifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"volatile"
            | b"restrict"
            | b"__const"
            | b"__const__"
            | b"__volatile__"
            | b"__volatile"
            | b"__restrict"
            | b"__restrict__"
    )
}

/// Words whose brackets belong to them and hold no code that runs.
pub(crate) fn holds_no_code(word: &[u8]) -> bool {
    matches!(
        word,
        b"__attribute__"
            | b"__attribute"
            | b"sizeof"
            | b"typeof"
            | b"__typeof__"
            | b"__typeof"
            | b"_Alignof"
            | b"__alignof__"
            | b"__alignof"
            | b"_Alignas"
            | b"__builtin_offsetof"
            | b"__builtin_types_compatible_p"
            | b"_Static_assert"
            | b"asm"
            | b"__asm__"
            | b"__asm"
            | b"__builtin_constant_p"
    )
}

/// Words behind a declarator, with brackets of their own.
pub(crate) fn is_attribute(word: &[u8]) -> bool {
    matches!(word, b"__attribute__" | b"__attribute" | b"asm" | b"__asm__" | b"__asm" | b"_Alignas" | b"__declspec")
}

/// Words that name a type by what is in brackets behind them.
pub(crate) fn is_typeof(word: &[u8]) -> bool {
    matches!(word, b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic")
}

/// Words before an expression or a statement, which are no type and no operand.
pub(crate) fn begins_statement(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"else"
            | b"do"
            | b"case"
            | b"goto"
            | b"if"
            | b"while"
            | b"for"
            | b"switch"
            | b"default"
            | b"break"
            | b"continue"
            | b"sizeof"
            | b"__extension__"
            | b"__real__"
            | b"__imag__"
            | b"_Alignof"
            | b"__alignof__"
    )
}

/// Words before brackets that are no function.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    begins_statement(word) || begins_type(word) || holds_no_code(word) || matches!(word, b"_Generic")
}
