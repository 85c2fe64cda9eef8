"""The guide to writing sheets: tables and a JSON Schema, made from the code that reads sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

from data import RULESETS
from data.sentences import Rendered
from data.speech import Speech
from engine import sheetcheck
from engine.mechanics import MECHANICS
from engine.mechanics.base import Need
from engine.ruleset import Losing, RoleRule, Sheet, Winning

README = RULESETS / "README.md"
SCHEMA = RULESETS / "sheet.schema.json"

_STRUCTS: dict[str, type[msgspec.Struct]] = {
    "": Sheet,
    "role": RoleRule,
    "losing": Losing,
    "winning": Winning,
}
_PLACES = {"": "", "role": "roles.*.", "losing": "lose.*[].", "winning": "win.*[]."}
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def schema_text(speech: Speech) -> str:
    """Return the JSON Schema of a sheet's file, as the file that editors are pointed to."""
    return json.dumps(schema(speech), indent=2, ensure_ascii=False) + "\n"


def schema(speech: Speech) -> dict[str, Any]:
    """Return the JSON Schema of a sheet's file: with a base nothing else than the key is needed."""
    found = msgspec.json.schema(Sheet)
    _not_below_0(found)
    kinds: dict[str, Any] = found["$defs"]
    for place, kind in _STRUCTS.items():
        table = kinds[kind.__name__]
        table.pop("description", None)
        table.pop("title", None)
        for name, about in table["properties"].items():
            about["description"] = _say(speech, "parameter", place, name)
    sheet = kinds.pop("Sheet")
    properties = sheet["properties"]
    properties["base"] = {"type": "string", "description": speech.say("guide.base")}
    _may_be(properties["mechanics"], MECHANICS)
    for key in sheetcheck.STEP_KEYS:
        _may_be(properties[key], sheetcheck.STEPS)
    rules = sheetcheck.ABILITIES.items()
    together = [key for key, (_, rule) in rules if rule is not None and rule.together]
    alone = [key for key in sheetcheck.ABILITIES if key not in together]
    _may_be(kinds["RoleRule"]["properties"]["abilities"], alone)
    properties["channel_abilities"]["additionalProperties"]["enum"] = together
    properties["clauses"]["propertyNames"] = {"enum": sorted(sheetcheck.CLAUSES)}
    needed = [name for name in sheet.pop("required") if name != "key"]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **sheet,
        "required": ["key"],
        "anyOf": [{"required": ["base"]}, {"required": needed}],
        "$defs": kinds,
    }


def _not_below_0(about: Any) -> None:
    if isinstance(about, dict):
        if about.get("type") == "integer":
            about["minimum"] = 0
        for part in about.values():
            _not_below_0(part)
    elif isinstance(about, list):
        for part in about:
            _not_below_0(part)


def _may_be(about: dict[str, Any], options: Iterable[str]) -> None:
    about["items"] = {"enum": list(options)}


def readme(speech: Speech, text: str) -> str:
    """Return the guide with its tables as the code has them now."""
    tables = {
        "names": _names,
        "mechanics": _mechanics,
        "parameters": _parameters,
        "abilities": _abilities,
        "steps": _steps,
        "clauses": _clauses,
    }
    return _TABLE.sub(lambda m: f"{m[1]}{tables[m[2]](speech)}\n{m[3]}", text)


def _names(speech: Speech) -> str:
    lines = [speech.say("guide.table_names")]
    for key, theme in speech.themes.items():
        tables = (theme.roles, theme.factions, theme.channels)
        named = [
            speech.say("guide.and").join(f"{_code(name)} {shown}" for name, shown in table.items())
            for table in tables
        ]
        lines.append(_row(f"{_code(key)} {theme.word}", *named))
    return "\n".join(lines)


def _mechanics(speech: Speech) -> str:
    lines = [speech.say("guide.table_mechanics")]
    defaults = {field.name: field for field in msgspec.structs.fields(Sheet)}
    for key, mechanic in MECHANICS.items():
        needs = [speech.say("guide.mechanic_needs", name=_code(name)) for name in mechanic.needs]
        needs += [speech.say("guide.role_needs", name=_code(name)) for name in mechanic.roles]
        needs += [speech.say("guide.faction_needs", name=_code(name)) for name in mechanic.factions]
        unset = [name for name in mechanic.spans if not defaults[name].default]
        needs += [speech.say("guide.is_set", name=_code(name)) for name in unset]
        steps = [_need(speech, need) for need in mechanic.steps_needed]
        lines.append(_row(_code(key), speech.say(f"guide.mechanic.{key}"), _br(needs), _br(steps)))
    return "\n".join(lines)


def _need(speech: Speech, need: Need) -> str:
    """Return where a step must stand, and in which sheets."""
    values = {"key": _code(need.key), "name": _code(need.step)}
    conditions = []
    for name, wanted in need.when.items():
        if name == "mechanics":
            conditions.append(speech.say("guide.has_mechanic", name=_code(str(wanted))))
        elif wanted is True and get_type_hints(Sheet)[name] is int:
            conditions.append(speech.say("guide.is_set", name=_code(name)))
        else:
            conditions.append(_code(f"{name} = {json.dumps(wanted)}"))
    if not conditions:
        return speech.say("guide.step_in", **values)
    both = Rendered(speech.say("guide.and").join(conditions))
    return speech.say("guide.step_in_when", when=both, **values)


def _parameters(speech: Speech) -> str:
    lines = [speech.say("guide.table_parameters")]
    for place, kind in _STRUCTS.items():
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            lines.append(
                _row(
                    _code(_PLACES[place] + field.name),
                    _kind(speech, hints[field.name]),
                    _default(speech, field),
                    _say(speech, "parameter", place, field.name),
                )
            )
    lines.insert(2, _row(_code("base"), speech.say("guide.text"), "", speech.say("guide.base")))
    return "\n".join(lines)


def _abilities(speech: Speech) -> str:
    lines = [speech.say("guide.table_abilities")]
    for key, (mechanic, rule) in sheetcheck.ABILITIES.items():
        step = _code(rule.step) if rule is not None and rule.step else ""
        about = speech.say(f"guide.ability.{key}")
        lines.append(_row(_code(key), _code(mechanic.key), step, about))
    return "\n".join(lines)


def _steps(speech: Speech) -> str:
    lines = [speech.say("guide.table_steps")]
    for step, mechanic in sheetcheck.STEPS.items():
        owner = _code(mechanic.key) if mechanic.key in MECHANICS else ""
        lines.append(_row(_code(step), owner, speech.say(f"guide.step.{step}")))
    return "\n".join(lines)


def _clauses(speech: Speech) -> str:
    named = " ".join(_code(rule) for rule in sorted(sheetcheck.CLAUSES))
    return f"{speech.say('guide.clauses')}{named}"


def _say(speech: Speech, table: str, place: str, name: str) -> str:
    """Return what a parameter is about, and of which mechanic it is."""
    about = speech.say(".".join(part for part in ("guide", table, place, name) if part))
    owner = "" if place else sheetcheck.OWNERS.get(name, "")
    return speech.say("guide.of", about=Rendered(about), name=owner) if owner else about


def _kind(speech: Speech, kind: Any) -> str:
    """Return what is written for a type of the sheet's."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        kinds = [one for one in inner if one is not NoneType]
        return _kind(speech, kinds[0]) if len(kinds) == 1 else speech.say("guide.count")
    if origin is Literal:
        return " / ".join(_code(option) for option in inner)
    if origin in (list, dict):
        of = Rendered(_kind(speech, inner[-1]))
        return speech.say("guide.list" if origin is list else "guide.table", of=of)
    place = next((place for place, struct in _STRUCTS.items() if struct is kind), None)
    if place is not None:
        return _code(_PLACES[place] + "…")
    return speech.say({int: "guide.whole", bool: "guide.flag"}.get(kind, "guide.text"))


def _default(speech: Speech, field: FieldInfo) -> str:
    if field.required:
        return speech.say("guide.needed")
    default = field.default
    if default is msgspec.NODEFAULT:
        assert field.default_factory is not msgspec.NODEFAULT
        default = field.default_factory()
    return "" if default in (None, "", [], {}) else _code(msgspec.json.encode(default).decode())


def _code(text: str) -> Rendered:
    return Rendered(f"`{text}`")


def _br(parts: Iterable[str]) -> str:
    return "<br>".join(parts)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
