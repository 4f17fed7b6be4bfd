import pytest

from tabmux.analysis.heap.closure_scopes import SCRIPT_ROOT
from tabmux.analysis.heap.dead_fields import dead_field_contexts
from tabmux.analysis.heap.query_options import SizeRange
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


class Program:
    """A script with one function that makes closures; `useHeavy` and `useLight` are those."""

    OUTER, USE_HEAVY, USE_LIGHT = 100, 200, 300

    def __init__(self, name: str = "system / Script / app.js") -> None:
        self.heap = heap = SnapshotBuilder()
        self.script = heap.child(heap.root, 1, name, "code")
        self.infos = heap.inside(self.script, "infos", "(infos)", "array")
        self.root_info = self.scope_info(SCRIPT_ROOT)
        self.info = self.scope_info(self.OUTER)
        heap.edge(self.info, self.root_info, "outer_scope_info", "internal")
        heap.edge(self.infos, self.info, 1, "element")
        heap.scope(self.script, SCRIPT_ROOT, 0, [])
        heap.scope(self.script, self.OUTER, 1, ["heavy", "light"])
        heap.scope(self.script, self.USE_HEAVY, 2, [], self.OUTER, 0)
        heap.scope(self.script, self.USE_LIGHT, 2, [], self.OUTER, 1, 999, 0, self.OUTER, 7)

    def scope_info(self, scope_id: int) -> int:
        info = self.heap.node("system / ScopeInfo", "code")
        self.heap.number(info, "scope_id", scope_id)
        return info

    def context(self, info: int | None = None) -> int:
        context = self.heap.child(self.heap.root, 1, "system / Context")
        self.heap.edge(context, self.info if info is None else info, "scope_info", "internal")
        for name, size in (("heavy", 1000), ("light", 10), ("undeclared", 5)):
            value = self.heap.node(name.title(), size=size)
            self.heap.edge(context, value, name, "context")
        return context

    def shared(self, scope_id: int) -> int:
        shared = self.heap.node("system / SharedFunctionInfo", "code")
        self.heap.edge(shared, self.script, "script", "internal")
        self.heap.number(shared, "scope_id", scope_id)
        return shared

    def closure(self, scope_id: int, context: int) -> int:
        closure = self.heap.child(self.heap.root, 1, "fn", "closure")
        self.heap.edge(closure, self.shared(scope_id), "shared", "internal")
        self.heap.edge(closure, context, "context", "internal")
        return closure

    def generator(self, closure: int, context: int, state: int) -> None:
        shape = self.heap.node("system / Map", "hidden")
        self.heap.inside(shape, "instance_type_name", "JS_GENERATOR_OBJECT_TYPE", "string")
        node = self.heap.child(self.heap.root, 1, "Generator")
        self.heap.edge(node, shape, "map", "internal")
        self.heap.edge(node, closure, "function", "internal")
        self.heap.edge(node, context, "context", "internal")
        self.heap.number(node, "continuation", state)

    def dead(self) -> dict[int, list[str]]:
        """List the dead fields by context."""
        found = dead_field_contexts(self.heap.heap()).found
        return {(c.id - 1) // 2: [field.name for field in c.dead] for c in found}


def test_variable_no_closure_reads_is_dead() -> None:
    program = Program()
    context = program.context()
    program.closure(program.USE_LIGHT, context)
    assert program.dead() == {context: ["heavy"]}


def test_variable_a_closure_reads_is_alive() -> None:
    program = Program()
    context = program.context()
    program.closure(program.USE_LIGHT, context)
    program.closure(program.USE_HEAVY, context)
    assert program.dead() == {}


def test_closure_over_another_context_does_not_count() -> None:
    program = Program()
    context, other = program.context(), program.context()
    program.closure(program.USE_HEAVY, other)
    assert program.dead() == {context: ["heavy", "light"], other: ["light"]}


def test_closure_reads_the_contexts_around_its_own() -> None:
    program = Program()
    context = program.context()
    inner = program.heap.child(program.heap.root, 1, "system / Context / inner")
    program.heap.edge(inner, context, "previous", "internal")
    program.closure(program.USE_HEAVY, inner)
    assert program.dead() == {context: ["light"]}


def test_function_inside_which_a_variable_is_read_keeps_it_alive() -> None:
    program = Program()
    context = program.context()
    program.closure(program.OUTER, context)
    assert program.dead() == {}


def test_suspended_generator_keeps_its_variables_alive() -> None:
    program = Program()
    context = program.context()
    function = program.closure(program.USE_LIGHT, program.heap.node("elsewhere"))
    program.generator(function, context, 5)
    assert program.dead() == {context: ["heavy"]}


def test_finished_module_reads_nothing_any_more() -> None:
    program = Program()
    context = program.context()
    module = program.closure(SCRIPT_ROOT, context)
    program.generator(module, context, -1)
    assert program.dead() == {context: ["heavy", "light"]}


def test_closures_without_code_or_script_are_passed_over() -> None:
    program = Program()
    context = program.context()
    program.heap.child(program.heap.root, 1, "builtin", "closure")
    bare = program.heap.child(program.heap.root, 1, "bare", "closure")
    program.heap.inside(bare, "shared", "system / SharedFunctionInfo", "code")
    program.heap.edge(bare, context, "context", "internal")
    assert program.dead() == {context: ["heavy", "light"]}


def test_function_that_has_not_run_leads_to_the_scope_around_it() -> None:
    program = Program()
    around = program.scope_info(400)
    waiting = program.shared(500)
    program.heap.edge(waiting, around, "raw_outer_scope_info_or_feedback_metadata", "internal")
    program.heap.edge(program.infos, waiting, 2, "element")
    ran = program.shared(600)
    program.heap.edge(ran, program.scope_info(600), "name_or_scope_info", "internal")
    program.heap.edge(program.infos, ran, 3, "element")
    program.heap.edge(program.infos, program.shared(SCRIPT_ROOT), 4, "element")
    program.heap.scope(program.script, 400, 1, ["heavy"])
    context = program.context(around)
    assert program.dead() == {context: ["heavy"]}


def test_scope_is_found_through_those_around_it() -> None:
    program = Program()
    inner = program.scope_info(700)
    program.heap.edge(inner, program.info, "outer_scope_info", "internal")
    program.heap.scope(program.script, 700, 2, ["light"])
    context = program.context(inner)
    assert program.dead() == {context: ["light"]}


def test_scope_of_unknown_origin_is_passed_over() -> None:
    program = Program()
    program.context(program.scope_info(SCRIPT_ROOT))
    unnumbered = program.heap.node("system / ScopeInfo", "code")
    program.heap.edge(unnumbered, program.info, "outer_scope_info", "internal")
    program.context(unnumbered)
    unlisted = program.scope_info(888)
    program.heap.edge(unlisted, program.info, "outer_scope_info", "internal")
    program.context(unlisted)
    lonely = program.scope_info(777)
    program.heap.edge(lonely, lonely, "outer_scope_info", "internal")
    program.context(lonely)
    assert program.dead() == {}


def test_script_without_scopes_is_named() -> None:
    program = Program()
    program.heap.scopes.clear()
    program.context()
    program.context()
    assert dead_field_contexts(program.heap.heap()).unknown_scripts == (("app.js", 2),)


@pytest.mark.parametrize(("address", "name"), [("x.js", "x.js"), ("", "script @3")])
def test_script_without_a_name_goes_by_its_address_or_id(address: str, name: str) -> None:
    program = Program("system / Script")
    if address:
        program.heap.inside(program.script, "source_url", address, "string")
    program.context()
    assert dead_field_contexts(program.heap.heap()).found[0].info.script_name == name


def test_contexts_are_ranked_and_selected_by_what_their_dead_fields_retain() -> None:
    program = Program()
    heap = program.heap
    heap.number(program.info, "start_position", 40)
    heap.inside(program.info, "function_name", "make", "string")
    context, other = program.context(), program.context()
    program.closure(program.USE_HEAVY, other)
    found = dead_field_contexts(heap.heap())
    assert [(c.score, c.field_count, c.info.start, c.info.name) for c in found.found] == [
        (1010, 3, 40, "make"),
        (10, 3, 40, "make"),
    ]
    assert [c.id for c in found.select(SizeRange(100))] == [2 * context + 1]
    assert len(found.select(info=2 * program.info + 1)) == 2
    assert found.select(info=1) == ()
