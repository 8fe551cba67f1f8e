"""Lists in quotations and callouts of Obsidian."""

from __future__ import annotations

import pytest

from memory.notes.chunker import chunks


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("> - the door #sam/sensitive\n>   - is 1234\n> - other", ["> - the door\n>   - is 1234"]),
        ("> [!info] Home\n> - the door #sam/sensitive\n>\n>   is 1234\n>\n> other", None),
        ("> > - the door #sam/sensitive\n> >   is 1234\n> - other", None),
        ("- x\n  > - the door #sam/sensitive\n  >   is 1234\n- other", None),
        ("> - the door #sam/sensitive\n>   is 1234\n\n- other", None),
        ("- the door is 1234 #sam/sensitive\n\n> other", ["- the door is 1234"]),
        ("- the door #sam/sensitive\n\n  > is 1234\n\nother", None),
        ("a > b #sam/sensitive\n  other", ["a > b"]),
    ],
)
def test_a_mark_on_an_item_covers_what_is_below_it_in_a_quotation(
    text: str, private: list[str] | None
) -> None:
    found = chunks(text)
    hidden = [each.text for each in found if each.privacy != "normal"]
    if private is not None:
        assert hidden == private
    assert any("1234" in each for each in hidden) or "1234" not in text
    assert not any("other" in each for each in hidden)
    assert not any("1234" in each.text for each in found if each.privacy == "normal")
