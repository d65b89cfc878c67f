"""Types of columns, by DuckDB's names: which of them are numbers, and which compare directly."""

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
FLOATS = ("FLOAT", "DOUBLE")
REALS = (*FLOATS, "DECIMAL")
TIMES = ("DATE", "TIMESTAMP")
UNKNOWN = ""  # the type of an id in a table that can't be inspected
NULL = '"NULL"'  # the type of a column without values


def alike(one: str, other: str) -> bool:
    """Whether values of two types compare directly; also true if a type is unknown, or a column has only NULLs."""
    return not {UNKNOWN, NULL}.isdisjoint((one, other)) or family(one) == family(other)


def is_numeric(kind: str) -> bool:
    return kind in NUMBERS or kind.startswith(REALS)


def family(kind: str) -> str:
    """The name that types share if their values compare directly: whole numbers of any size have the same one."""
    return "a whole number" if kind in NUMBERS else kind
