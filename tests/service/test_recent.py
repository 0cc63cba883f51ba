from __future__ import annotations

from service.recent import Recent


def test_what_was_made_last_is_made_once() -> None:
    made: list[int] = []
    recent: Recent[int, str] = Recent(limit=2)

    def get(key: int) -> str:
        return recent.get(key, lambda: made.append(key) or str(key))  # type: ignore[func-returns-value]

    assert [get(1), get(1), get(2), get(1)] == ["1", "1", "2", "1"]
    assert made == [1, 2]
    get(3)
    get(1)
    assert made == [1, 2, 3, 1]
