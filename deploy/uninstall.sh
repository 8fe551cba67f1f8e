#!/usr/bin/env bash
# Remove Sam's program, units and command. Vault, databases and settings are kept, unless --purge.
# Shows what will be removed, and asks.
set -euo pipefail
# shellcheck source=deploy/release.sh
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"

usage() {
    cat <<'END'
uninstall.sh [OPTIONS]

  --purge     also remove the vault, the databases, the settings and the user `sam`
  --yes       do not ask
  --dry-run   print what would be done, and change nothing
  --user      for a user service
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

there=() account=no
for each in "${remove[@]}"; do [ ! -e "$each" ] || there+=("$each"); done
if [ "$purge" = yes ] && [ "$user_service" = no ] && id sam >/dev/null 2>&1; then account=yes; fi
[ ${#there[@]} -gt 0 ] || [ "$account" = yes ] \
    || die "there is nothing to remove: Sam is not installed"
say "This will be removed:"
for each in "${there[@]}"; do say "  $each ($(du -sh "$each" 2>/dev/null | cut -f1))"; done
[ "$account" = no ] || say "  the user sam"
if [ ${#keep[@]} -gt 0 ]; then
    say "This stays:"
    for each in "${keep[@]}"; do
        [ ! -e "$each" ] || say "  $each ($(du -sh "$each" 2>/dev/null | cut -f1))"
    done
fi
if [ "$dry_run" = no ] && [ "$yes" = no ]; then
    word=yes
    if [ "$purge" = yes ]; then
        say "Deleting the vault deletes everything that Sam remembers. Backups elsewhere are kept."
        word=purge
    fi
    printf 'Type "%s" to continue: ' "$word"
    read -r answer || answer=''
    [ "$answer" = "$word" ] || die "nothing was removed"
fi

if has_systemd; then
    run "${systemctl[@]}" disable --now sam.service sam-sync.timer || true
    run "${systemctl[@]}" stop sam-sync.service || true
fi
for each in "${there[@]}"; do run rm -rf "$each"; done
! has_systemd || run "${systemctl[@]}" daemon-reload
[ "$account" = no ] || run userdel sam
[ "$dry_run" = no ] || say "Nothing was done: this was a dry run."
