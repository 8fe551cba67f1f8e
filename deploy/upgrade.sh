#!/usr/bin/env bash
# Upgrades Sam: a new release beside the old one, a backup, the switch, a look at everything; and the
# way back when it does not go well. The old release is kept: `upgrade.sh --rollback` returns to it.
set -euo pipefail
# shellcheck source=deploy/release.sh
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"

usage() {
    cat <<'END'
upgrade.sh [OPTIONS]

  --rollback      go back to the release before this one
  --dry-run       say what would be done, and do nothing
  --user          the service of a user
  --source PATH   Sam's folder, or a wheel of it (this folder, if nothing is said)
  --wheels DIR    install from the wheels in DIR alone, without a network
  --python PROG   the Python to use, 3.11 or newer
  --wait SECONDS  how long a start may take (300)
END
}

rollback=no wait_seconds=300
while [ $# -gt 0 ]; do
    case $1 in
        --rollback) rollback=yes took=1 ;;
        --wait) wait_seconds=${2:?--wait wants seconds} took=2 ;;
        -h | --help) usage; exit 0 ;;
        *) option "$@" || { usage >&2; exit 2; } ;;
    esac
    shift "$took"
done
places
[ -e "$prefix/current" ] || die "Sam is not installed: install.sh does that"

stamp=$(date -u +%Y%m%d-%H%M%S)
old=$(readlink -f "$prefix/current")
was_running=no
! "${systemctl[@]}" is-active --quiet sam.service || was_running=yes

sam() { # the command, as the service has it, of whatever is current
    "$bin/sam" "$@"
}

data_dir() {
    local given=''
    [ ! -r "$config/sam.env" ] || given=$(sed -n 's/^ *DATA_DIR=//p' "$config/sam.env" | tail -n 1)
    printf '%s\n' "${given:-$state/data}"
}

start() {
    [ "$was_running" = yes ] || return 0
    # Type=notify: it returns when Sam is ready, or when the start has failed.
    run timeout "$wait_seconds" "${systemctl[@]}" start sam.service
}

sound() { # Sam's own look at everything, and at its unit
    [ "$dry_run" = no ] || return 0
    sam doctor || return 1
    [ "$was_running" = no ] || "${systemctl[@]}" is-active --quiet sam.service
}

keep_data() { # the databases as they are, now that nothing writes to them
    data=$(data_dir)
    kept=$state/before-upgrade/$stamp
    run "${as_owner[@]}" mkdir -p "$state/before-upgrade" || return 1
    run "${as_owner[@]}" chmod 700 "$state/before-upgrade" || return 1
    [ ! -d "$data" ] || copy_data "$data" "$kept"
}

copy_data() { # all of it but the backups, which are many and large
    run "${as_owner[@]}" mkdir -p -m 700 "$2" || return 1
    run "${as_owner[@]}" find "$1/" -mindepth 1 -maxdepth 1 ! -name backups ! -name '.*' \
        -exec cp -a -t "$2" -- {} +
}

set_aside() { # the newer databases, out of their folder; where to, in $aside
    aside=$data.failed-$stamp
    # Where the folder above is not the owner's.
    "${as_owner[@]}" test -w "$(dirname "$data")" || aside=$state/data.failed-$stamp
    run "${as_owner[@]}" mkdir -m 700 "$aside" || return 1
    run "${as_owner[@]}" find "$data/" -mindepth 1 -maxdepth 1 ! -name backups ! -name '.*' \
        -exec mv -t "$aside" -- {} +
}

rehearse() { # the new release migrates and looks at a copy, before it may touch anything
    [ -d "$kept" ] || return 0
    local code=0
    copy_data "$kept" "$kept.try" || return 1
    SAM_RELEASE=$release DATA_DIR=$kept.try run "$bin/sam" doctor || code=$?
    run "${as_owner[@]}" rm -rf -- "$kept.try"
    return "$code"
}

back() { # to the old release; to its databases only when it cannot read the newer ones
    say "Going back to $old ..."
    run "${systemctl[@]}" stop sam.service || true
    switch_to "$old"
    put_files "$old"
    if [ -d "$kept" ] && ! sound_stopped; then
        say "The old release cannot read the databases: those from before the upgrade come back."
        set_aside || die "They cannot be set aside. They are in $data, those from before in $kept."
        say "The newer ones stay in $aside: messages of the last minutes are there."
        copy_data "$kept" "$data" || die "Those from before the upgrade stay in $kept."
    fi
    again
}

again() { # what was there before, once more
    start || true
    sound || die "The old release is not sound either: \`sam doctor\`, \`journalctl -u sam\`."
    say "Sam runs as before: $old"
}

sound_stopped() {
    [ "$dry_run" = yes ] || sam doctor >/dev/null 2>&1
}

prune() { # all but the release in use and the one before it
    for each in "$prefix"/releases/*; do
        [ "$each" = "$1" ] || [ "$each" = "$2" ] || run rm -rf "$each"
    done
    # Of the databases before an upgrade the last three.
    while IFS= read -r -d '' each; do
        run "${as_owner[@]}" rm -rf -- "$each" </dev/null
    done < <("${as_owner[@]}" find "$state/before-upgrade" -mindepth 1 -maxdepth 1 -print0 \
        2>/dev/null | sort -rz | tail -zn +4)
}

if [ "$rollback" = yes ]; then
    [ -e "$prefix/previous" ] || die "there is no release to go back to"
    release=$(readlink -f "$prefix/previous")
else
    make_release
    if [ "$release" = "$old" ]; then
        put_files "$release"
        say "Nothing to upgrade: $old is what runs."
        exit 0
    fi
    say "Backing up ..."
    run "$bin/sam" backup
fi

run "${systemctl[@]}" stop sam.service
if ! keep_data; then
    say "The databases cannot be copied into $state/before-upgrade. Nothing was changed."
    again
    exit 1
fi
if ! rehearse; then
    say "$release is not sound with a copy of these databases. Nothing was changed."
    again
    exit 1
fi
switch_to "$release"
put_files "$release"
if start && sound; then
    run ln -sfn "$old" "$prefix/previous"
    prune "$release" "$old"
    if [ "$dry_run" = yes ]; then
        say "Nothing was done: this was a dry run."
    else
        say "Sam is at $release now. The way back: $prefix/current/deploy/upgrade.sh --rollback"
    fi
else
    say "The new release is not sound."
    back
    exit 1
fi
