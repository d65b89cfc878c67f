"""The shipped package: a wheel with all of sql/ that works with only the core dependencies.

If it fails, the installed package lacks a file, or a room imports from a floor above it.
"""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Container, Iterator
from email.parser import Parser
from graphlib import TopologicalSorter
from importlib.metadata import metadata, version
from pathlib import Path

import pytest

import recsql
from recsql.base.package import DISTRIBUTION
from recsql.catalog.kept import kept_or_made as kept

pytestmark = pytest.mark.shipped
ROOT = Path(__file__).parents[2]
LONGEST_FILE = 350
LARGEST_SDIST = 700_000  # bytes; the tests and examples would make it 3 MB
PROJECT = {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO", ".gitignore"}  # the last is what hatch leaves out
URLS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]
# The rooms of recsql/, from the lowest floor up.
FLOORS = (("base",), ("catalog", "engines"), ("query",), ("tables", "display", "shell"), ("calls",), ("page", "cli"))
TEXTS, READ = ("recsql", "sql", "docs", "examples", "tests", ".ci"), (".md", ".py", ".sql", ".sh", ".toml", "")
# PyPI's recsql, or an extra of it; a text may say what that is.
OTHERS = re.compile(r"""pip install (?:-\S+ )*['"]?recsql(?![\w-]|` installs another project)|\brecsql\[\w""")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as a release is: the sdist, and the wheel from the sdist alone."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--outdir", out, ROOT], check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment with the wheel and no extras."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", str(wheel)], check=True)
    return folder / "bin"


def test_the_wheel_has_every_file_of_sql(wheel: Path) -> None:
    shipped = {name.removeprefix("recsql/sql/") for name in zipfile.ZipFile(wheel).namelist() if name.startswith("recsql/sql/")}
    assert shipped == {str(path.relative_to(ROOT / "sql")) for path in (ROOT / "sql").rglob("*") if path.is_file()}


def test_the_wheel_is_typed(wheel: Path) -> None:
    assert {"recsql/py.typed", "recsql/__init__.pyi"} <= {*zipfile.ZipFile(wheel).namelist()}


def test_the_sdist_has_what_a_build_needs_and_no_more(dist: Path) -> None:
    sdist = next(dist.glob("*.tar.gz"))
    with tarfile.open(sdist) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {name.partition("/")[0] for name in names} == {"recsql", "sql", *PROJECT}
    files = {str(path.relative_to(ROOT)) for folder in ("recsql", "sql") for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert names - PROJECT == {name for name in files if "__pycache__" not in name}
    assert sdist.stat().st_size < LARGEST_SDIST


def test_a_page_on_pypi_says_what_it_is_and_links_to_this_version(wheel: Path) -> None:
    """PyPI shows the README alone: a relative link would lead nowhere."""
    with zipfile.ZipFile(wheel) as opened:
        about = Parser().parsestr(opened.read(f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info/METADATA").decode())
    page, release, source = str(about.get_payload()), f"v{about['Version']}", URLS["Source"]
    links = re.findall(r"\]\(([^)]*)\)", page)
    assert len(links) > 30 and [link for link in links if not link.startswith("https://")] == []
    assert f"{source}/blob/{release}/docs/rag.md#spans" in links
    assert f"{source.replace('github', 'raw.githubusercontent', 1)}/{release}/docs/report.png" in links
    readme = re.sub(r"\]\([^)]*\)", "", (ROOT / "README.md").read_text())
    assert re.sub(r"\]\([^)]*\)", "", page).strip() == readme.strip(), "nothing but links differs"
    assert about.get_all("Project-URL") == [f"{name}, {address}" for name, address in URLS.items()]
    assert all(address.startswith(source) for address in URLS.values())
    assert "ndcg" in about["Keywords"].split(",") and "Typing :: Typed" in about.get_all("Classifier", [])


def test_the_command_also_has_the_name_of_the_package(bare: Path) -> None:
    """Which `uvx recsql-metrics` runs. Its help tells the shorter name."""
    for command in ("recsql", "recsql-metrics"):
        shown = subprocess.run([bare / command, "evaluate", "--help"], check=True, capture_output=True, text=True).stdout
        assert shown.splitlines()[0] == "usage: recsql evaluate RECS ... TRUTH [options]", command


def test_it_works_without_extras(bare: Path, tmp_path: Path) -> None:
    example = ROOT / "examples/movietweetings"
    files = [str(example / "recs.parquet"), str(example / "truth.parquet")]
    command = [str(bare / "recsql"), "evaluate", *files, "-k", "10", "-m", "ndcg"]
    shown = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert shown.splitlines()[2].split() == ["ndcg@10", "0.0322", "0.0373", "0.0259", "0.0472"]
    macros = subprocess.run([bare / "recsql", "macros"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert macros == (ROOT / "sql/recsql.sql").read_text()


def test_the_skill_leads_into_the_installed_package(bare: Path, tmp_path: Path) -> None:
    """A folder whose name begins with a dot is in the wheel as well."""
    subprocess.run([bare / "recsql", "skill", "--link"], cwd=tmp_path, env={}, check=True, capture_output=True)
    linked = tmp_path / ".agents/skills/recsql/SKILL.md"
    assert linked.resolve().is_relative_to(bare.parent.resolve())
    assert linked.read_bytes() == (ROOT / "recsql/.agents/skills/recsql/SKILL.md").read_bytes()


def test_it_does_not_have_the_name_of_another_project(bare: Path) -> None:
    """On PyPI, recsql is somebody else's package; the command and the import have that name all the same."""
    shown = subprocess.run([bare / "recsql", "--version"], check=True, capture_output=True, text=True).stdout
    assert shown.startswith(f"recsql {version(DISTRIBUTION)}, duckdb ")
    assert metadata(DISTRIBUTION)["Name"] == DISTRIBUTION != "recsql"


def test_no_text_installs_another_project() -> None:
    """Until there is a release, whatever tells to install recsql tells it from a checkout."""
    assert all(map(OTHERS.search, ("`pip install recsql`", "pip install -q 'recsql>=0.1'", "with `recsql[plot]`")))
    assert "`pip install recsql` installs another project." in (ROOT / "README.md").read_text().partition("\n## ")[0]
    found = (one for folder in TEXTS for one in (ROOT / folder).rglob("*") if one.suffix in READ)
    texts = [ROOT / "README.md", *(one for one in found if "node_modules" not in one.parts)]
    assert [path for path in texts if path != Path(__file__) and path.is_file() and OTHERS.search(path.read_text())] == []


def test_it_can_be_imported_from_the_wheel_file(bare: Path, wheel: Path, tmp_path: Path) -> None:
    text = f"import sys; sys.path.insert(0, {str(wheel)!r}); import recsql; print(recsql.__file__, recsql.metrics().num_rows)"
    shown = subprocess.run([bare / "python", "-c", text], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert shown.split() == [f"{wheel}/recsql/__init__.py", str(recsql.metrics().num_rows)]


def test_an_import_reads_no_catalogue() -> None:
    """Neither the files of sql nor what was kept of them: the catalogue is read when a call needs it."""
    text = (
        "import sys; read = [];"
        "sys.addaudithook(lambda event, args: event == 'open' and read.append(str(args[0]).endswith(('.sql', '.pickle'))));"
        "import recsql; print(sum(read)); recsql.metrics(); print(sum(read))"
    )
    shown = subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    before, after = map(int, shown.split())
    assert before == 0 < after


def test_names_are_imported_when_they_are_used() -> None:
    text = (
        "import sys, recsql; before = {name for name in ('duckdb', 'jinja2', 'pyarrow') if name in sys.modules};"
        "lost = [name for name in recsql.__all__ if getattr(recsql, name).__name__ != name];"
        "print(before, lost, hasattr(recsql, 'nothing'), callable(recsql.show))"
    )
    shown = subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert shown == "set() [] False True\n"


def test_the_catalogue_is_kept_until_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recsql.catalog.kept.FILE", tmp_path / "kept" / "catalog.pickle")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "one.sql").write_text("1")
    made: list[int] = []

    def build() -> int:
        made.append(1)
        return len(made)

    assert [kept(tmp_path, build), kept(tmp_path, build)] == [1, 1]
    (tmp_path / "one.sql").write_text("22")
    assert [kept(tmp_path, build), kept(tmp_path, build)] == [2, 2]
    file = tmp_path / "kept" / "catalog.pickle"
    file.write_bytes(file.read_bytes()[:-2])
    assert [kept(tmp_path, build), kept(tmp_path, build)] == [3, 3], "a damaged file is made anew"
    (tmp_path / "two.sql").write_text("2")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [kept(tmp_path, build), kept(tmp_path, build)] == [4, 5]
    assert [path.name for path in file.parent.iterdir()] == ["catalog.pickle"]


def test_a_file_can_be_held_in_mind() -> None:
    long = {path.name for path in (ROOT / "recsql").rglob("*.py") if len(path.read_text().splitlines()) > LONGEST_FILE}
    assert not long


def test_each_test_file_says_what_is_broken_if_it_fails() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        assert "If it fails, " in str(ast.get_docstring(ast.parse(path.read_text()))), path


def test_imports_run_one_way() -> None:
    """Between rooms, imports run to a lower floor. Within one, no module needs one that needs it, not even for a type."""
    modules = {name_of(path): path for path in (ROOT / "recsql").rglob("*.py")}
    reads = {name: {*imported(path, modules)} for name, path in modules.items()}
    inside = reads.keys() - {"recsql"}  # the face, which names the functions of calls and report
    between = [(one, other) for one in inside for other in reads[one] if room_of(one) != room_of(other)]
    assert [(one, other) for one, other in between if floor(one) <= floor(other)] == []
    TopologicalSorter(reads).prepare()  # raises CycleError


def test_each_module_is_in_a_room() -> None:
    assert {path.stem for path in (ROOT / "recsql").glob("*.py")} == {"__init__", "__main__", "shell"}
    assert {path.parent.name for path in (ROOT / "recsql").glob("*/*.py")} == {room for rooms in FLOORS for room in rooms} - {
        "shell"
    }


def room_of(module: str) -> str:
    """The folder of a module. Whoever imports recsql calls functions; `python -m recsql` is the command line."""
    return {"recsql": "calls", "recsql.__main__": "cli"}.get(module) or module.split(".")[1]


def floor(module: str) -> int:
    return next(place for place, rooms in enumerate(FLOORS) if room_of(module) in rooms)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, modules: Container[str]) -> Iterator[str]:
    """The modules of the package that a file imports, anywhere in it."""
    for found in ast.walk(ast.parse(path.read_text())):
        if isinstance(found, ast.ImportFrom) and str(found.module).startswith("recsql"):
            names = [f"{found.module}.{alias.name}" for alias in found.names]
            yield from (name if name in modules else str(found.module) for name in names)
        elif isinstance(found, ast.Import):
            yield from (alias.name for alias in found.names if alias.name in modules)
