#!/usr/bin/env bash
# Removes Sam's program, units and command. Vault, databases and settings stay, unless --purge.
# It shows what it is about to do, and asks.
set -euo pipefail
# shellcheck source=deploy/release.sh
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"

usage() {
    cat <<'END'
uninstall.sh [OPTIONS]

  --purge     also the vault, the databases, the settings and the user `sam`
  --yes       do not ask
  --dry-run   say what would be done, and do nothing
  --user      the service of a user
END
}

purge=no yes=no
while [ $# -gt 0 ]; do
    case $1 in
        --purge) purge=yes took=1 ;;
        --yes) yes=yes took=1 ;;
        -h | --help) usage; exit 0 ;;
        *) option "$@" || { usage >&2; exit 2; } ;;
    esac
    shift "$took"
done
places

names=(sam.service sam-sync.service sam-sync.timer sam-alert@.service)
remove=("$prefix" "$bin/sam")
for each in "${names[@]}"; do remove+=("$units/$each"); done
keep=("$state" "$config")
if [ "$purge" = yes ]; then
    remove+=("${keep[@]}")
    keep=()
fi

say "This is removed:"
for each in "${remove[@]}"; do
    [ ! -e "$each" ] || say "  $each ($(du -sh "$each" 2>/dev/null | cut -f1))"
done
[ "$purge" = no ] || [ "$user_service" = yes ] || say "  the user sam"
if [ ${#keep[@]} -gt 0 ]; then
    say "This stays:"
    for each in "${keep[@]}"; do
        [ ! -e "$each" ] || say "  $each ($(du -sh "$each" 2>/dev/null | cut -f1))"
    done
fi
if [ "$dry_run" = no ] && [ "$yes" = no ]; then
    word=yes
    if [ "$purge" = yes ]; then
        say "With the vault goes everything that Sam remembers. Backups elsewhere are not touched."
        word=purge
    fi
    printf 'Type "%s" to go on: ' "$word"
    read -r answer || answer=''
    [ "$answer" = "$word" ] || die "nothing was removed"
fi

if has_systemd; then
    run "${systemctl[@]}" disable --now sam.service sam-sync.timer || true
    run "${systemctl[@]}" stop sam-sync.service || true
fi
for each in "${remove[@]}"; do
    [ ! -e "$each" ] || run rm -rf "$each"
done
! has_systemd || run "${systemctl[@]}" daemon-reload
if [ "$purge" = yes ] && [ "$user_service" = no ] && id sam >/dev/null 2>&1; then
    run userdel sam
fi
[ "$dry_run" = no ] || say "Nothing was done: this was a dry run."
