"""Dicts as TOML, so that vehicles, tracks and scenarios may be written in Python."""
from __future__ import annotations

import numbers
import re
from typing import Any, Mapping

from ._klingel import Error


def toml_text(table: Mapping[str, Any]) -> str:
    """The file that a dict stands for: tables of the first level get headings, the rest is inline."""
    plain, tables = [], []
    for key, value in table.items():
        if isinstance(value, Mapping):
            tables += [f"[{_key(key)}]"] + [f"{_key(k)} = {_value(v)}" for k, v in value.items()]
        elif _is_list_of_tables(value):
            for item in value:
                tables += [f"[[{_key(key)}]]"] + [f"{_key(k)} = {_value(v)}" for k, v in item.items()]
        else:
            plain.append(f"{_key(key)} = {_value(value)}")
    return "\n".join(plain + tables) + "\n"


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise Error(f"keys are texts, found {key!r}")
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if hasattr(value, "tolist"):  # numpy
        return _value(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if hasattr(value, "__fspath__"):
        return _text(str(value))
    raise Error(f"a file can hold numbers, texts, lists and tables, found {value!r}")
