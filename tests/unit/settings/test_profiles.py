"""Sync targets of profiles: never inside another profile's folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import Settings, remote_of


def settings(owners: str, pattern: str = "", **given: object) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        rclone_remote=owners,
        profiles_remote=pattern,
        **given,
    )


@pytest.mark.parametrize(
    ("owners", "pattern", "anas"),
    [
        ("", "", ""),
        ("drive:Sam", "", "drive:Sam-profiles/ana"),
        ("drive:Notes/Sam/", "", "drive:Notes/Sam-profiles/ana"),
        ("drive:/Sam", "", "drive:/Sam-profiles/ana"),
        ("/mnt/far", "", "/mnt/far-profiles/ana"),
        (':webdav,url="https://x:80/":Sam', "", ':webdav,url="https://x:80/":Sam-profiles/ana'),
        ("drive:Sam", "none", ""),
        ("drive:Sam", "drive:People/{profile}/vault", "drive:People/ana/vault"),
        ("drive:", "drive-2:{profile}", "drive-2:ana"),
        ("", "{profile}:Sam", "ana:Sam"),
    ],
)
def test_each_has_a_folder_of_their_own(owners: str, pattern: str, anas: str) -> None:
    known = settings(owners, pattern)
    assert remote_of(known, "owner").remote == owners
    found = remote_of(known, "ana")
    assert (found.remote, found.why) == (anas, "")
    assert known.syncs is bool(owners or anas)


@pytest.mark.parametrize(
    ("owners", "pattern"),
    [
        ("drive:", ""),  # all of it is the owner's vault
        ("drive:/", ""),
        ("drive:Sam", "drive:Sam/people/{profile}"),
        ("drive:Sam", "drive:sam/{profile}"),
        ("drive:Sam", "drive,scope=drive:Sam/{profile}"),
        ("drive:People/ana/vault", "drive:People/{profile}"),
        ("drive:ana", "drive:{profile}"),
        ("drive:", "drive:People/{profile}"),
        ("/mnt/far", "/mnt/x/../far/{profile}"),
    ],
)
def test_a_folder_inside_anothers_is_refused(owners: str, pattern: str) -> None:
    found = remote_of(settings(owners, pattern), "ana")
    assert found.remote == "" and found.why


def test_a_folder_in_the_owners_vault_is_refused(tmp_path: Path) -> None:
    known = settings("", str(tmp_path / "{profile}"), vault_dir=tmp_path)
    assert "VAULT_DIR" in remote_of(known, "ana").why


@pytest.mark.parametrize("inside", ["", "people"])
def test_the_folder_of_all_profiles_in_the_owners_vault_is_refused(
    tmp_path: Path, inside: str
) -> None:
    with pytest.raises(ValidationError, match="PROFILES_DIR"):
        settings("", vault_dir=tmp_path, data_dir="/elsewhere", profiles_dir=tmp_path / inside)


def test_names_that_differ_by_case_alone_have_no_folder_in_common() -> None:
    assert "capital letters" in remote_of(settings("drive:Sam"), "Ana").why


@pytest.mark.parametrize("pattern", ["drive:People", "None", "off"])
def test_a_setting_that_names_one_folder_for_all_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError, match=r"needs \{profile\}"):
        settings("drive:Sam", pattern)


@pytest.mark.parametrize(
    ("owners", "pattern"),
    [("drive", ""), ("none", ""), ("~/far", ""), ("./far", ""), ("", "People/{profile}")],
)
def test_a_remote_that_depends_on_the_working_folder_is_refused(owners: str, pattern: str) -> None:
    with pytest.raises(ValidationError, match="has no colon"):
        settings(owners, pattern)


@pytest.mark.parametrize("there", ["", "Sam", ".."])
def test_a_remote_in_the_vault_or_around_it_is_refused(tmp_path: Path, there: str) -> None:
    vault = tmp_path / "vault"
    with pytest.raises(ValidationError, match="RCLONE_REMOTE must not be in VAULT_DIR"):
        settings(str(vault / there), vault_dir=vault, data_dir=tmp_path / "data")
    assert settings(f"{vault}-2", vault_dir=vault).rclone_remote
