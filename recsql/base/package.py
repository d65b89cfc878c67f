"""The distribution: its version, its folder `sql`, its skill for agents, and how to install its extras."""

from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from recsql.base.errors import RecsqlError

DISTRIBUTION = "recsql-metrics"  # recsql, on PyPI, is another project
SKILLS = ".agents/skills"  # where agents look in a project, and programs that link skills in a package


@cache
def release() -> str:
    return version(DISTRIBUTION)


def to_install(extra: str) -> str:
    """How to install an extra. Until there is a release, this needs a checkout."""
    return f"run pip install '.[{extra}]' in a checkout of recsql"


def sql_root() -> Traversable:
    """The folder `sql`: inside the installed package, else beside it (a checkout, an editable install)."""
    packaged = files("recsql") / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "sql"


def skill(link: str | None = None) -> str:
    """The text of the skill. Or links it into a folder of skills, where it follows the installed version, and says so."""
    source, file = files("recsql") / SKILLS / "recsql/SKILL.md", Path(link or SKILLS, "recsql/SKILL.md")
    if link is None:
        return source.read_text(encoding="utf-8").rstrip()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.unlink(missing_ok=True)  # a link into an environment that is gone
            try:
                file.symlink_to(Path(str(source)).resolve(strict=True))
            except OSError:  # Windows does not let everybody make links
                file.write_bytes(source.read_bytes())
        if file.read_bytes() != source.read_bytes():
            raise RecsqlError(f"{file}: this is not the skill of the installed recsql; remove it, or name another folder")
    except OSError as error:
        raise RecsqlError(f"{file}: it can't be written: {error.strerror}; name another folder") from None
    return f"{file}: {'a link to' if file.is_symlink() else 'the same text as'} {source}"
