"""Results that are kept go to a directory of the test run, one for all its processes, never to the user's own."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _cache_directory(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[None]:
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
        yield
