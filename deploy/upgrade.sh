#!/usr/bin/env bash
# Upgrade Sam: build the new release next to the old one, back up, switch, and run `sam doctor`; roll
# back automatically if that fails. The old release is kept: `upgrade.sh --rollback` returns to it.
set -euo pipefail
# shellcheck source=deploy/release.sh
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"

usage() {
    cat <<'END'
upgrade.sh [OPTIONS]

  --rollback      go back to the previous release
  --dry-run       print what would be done, and change nothing
  --user          for a user service
  --source PATH   Sam's folder, or a wheel of Sam (default: this folder)
  --wheels DIR    install only from the wheels in DIR, without a network
  --python PROG   the Python to use, 3.11 or newer
  --voice         install the extra voice: speech without a server (--no-voice: remove it)
  --server        install the extra server: PostgreSQL, /metrics (--no-server: remove it)
  --wait SECONDS  how long a start may take (300)
END
}

rollback=no wait_seconds=300
while [ $# -gt 0 ]; do
    case $1 in
        --rollback) rollback=yes took=1 ;;
        --wait) valued "$@"; wait_seconds=$2 took=2 ;;
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

sam() { # run the command of the current release, as the service does
    "$bin/sam" "$@"
}

data_dir() { # read DATA_DIR as Sam does: quotes, comments, ~, $HOME and ${HOME}
    local given='' home=$state quote
    [ "$user_service" = no ] || home=$HOME
    [ ! -r "$config/sam.env" ] || given=$(sed -nE \
        's/^\s*(export\s+)?DATA_DIR\s*=\s*(.*\S)?\s*$/\2/p' "$config/sam.env" | tail -n 1)
    case $given in
        [\'\"]*) quote=${given:0:1} given=${given:1} given=${given%%"$quote"*} ;;
        *) given=$(sed -E 's/\s+#.*//' <<<"$given") ;;
    esac
    given=${given//\$\{HOME\}/$home}
    given=${given//\$HOME\//$home/}
    case $given in
        '') given=$state/data ;;
        \~ | \~/*) given=$home${given#\~} ;;
        [!/]*) given=$home/$given ;;
    esac
    printf '%s\n' "$given"
}

start() {
    [ "$was_running" = yes ] || return 0
    # With Type=notify this returns when Sam is ready, or when the start has failed.
    run timeout "$wait_seconds" "${systemctl[@]}" start sam.service
}

sound() { # whether `sam doctor` finds no problem and the unit is active
    [ "$dry_run" = no ] || return 0
    sam doctor || return 1
    [ "$was_running" = no ] || "${systemctl[@]}" is-active --quiet sam.service
}

keep_data() { # copy the databases, now that nothing writes to them
    data=$(data_dir)
    kept=$state/before-upgrade/$stamp
    run "${as_owner[@]}" mkdir -p "$state/before-upgrade" || return 1
    run "${as_owner[@]}" chmod 700 "$state/before-upgrade" || return 1
    if [ -d "$data" ]; then
        copy_data "$data" "$kept"
    else
        say "There is no folder $data, so no databases are copied."
    fi
}

copy_data() { # copy the data folder without the backups, which are many and large
    run "${as_owner[@]}" mkdir -p -m 700 "$2" || return 1
    run "${as_owner[@]}" find "$1/" -mindepth 1 -maxdepth 1 ! -name backups ! -name '.*' \
        -exec cp -a -t "$2" -- {} +
}

set_aside() { # move the newer databases out of their folder, to $aside
    aside=$data.failed-$stamp
    # If the owner cannot write to the parent folder.
    "${as_owner[@]}" test -w "$(dirname "$data")" || aside=$state/data.failed-$stamp
    run "${as_owner[@]}" mkdir -m 700 "$aside" || return 1
    run "${as_owner[@]}" find "$data/" -mindepth 1 -maxdepth 1 ! -name backups ! -name '.*' \
        -exec mv -t "$aside" -- {} +
}

rehearse() { # let the new release migrate and check a copy of the data first
    [ -d "$kept" ] || return 0
    local code=0
    copy_data "$kept" "$kept.try" || return 1
    SAM_RELEASE=$release DATA_DIR=$kept.try run "$bin/sam" doctor || code=$?
    run "${as_owner[@]}" rm -rf -- "$kept.try"
    return "$code"
}

back() { # return to the old release; restore its databases only if it cannot read the newer ones
    say "Going back to $old ..."
    run "${systemctl[@]}" stop sam.service || true
    switch_to "$old"
    put_files "$old"
    if [ -d "$kept" ] && ! sound_stopped; then
        say "The old release cannot read the databases. Restoring those from before the upgrade ..."
        set_aside || die "The newer databases cannot be moved out of $data. The older ones are in $kept."
        say "The newer databases are kept in $aside; they contain the messages of the last minutes."
        copy_data "$kept" "$data" || die "The older databases cannot be copied to $data. They are kept in $kept."
    fi
    again
}

again() { # start the release that was there before
    start || true
    sound || die "The old release has problems too: see \`sam doctor\` and \`journalctl -u sam\`."
    say "Sam runs as before: $old"
}

sound_stopped() {
    [ "$dry_run" = yes ] || sam doctor >/dev/null 2>&1
}

prune() { # delete all releases but the current and the previous one
    for each in "$prefix"/releases/*; do
        [ "$each" = "$1" ] || [ "$each" = "$2" ] || run rm -rf "$each"
    done
    # Keep the last three copies of the databases.
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
        say "Nothing to upgrade: $old is already in use."
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
    say "$release failed its check with a copy of these databases. Nothing was changed."
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
        say "Sam now runs $release. To go back: $prefix/current/deploy/upgrade.sh --rollback"
    fi
else
    say "The new release has problems."
    back
    exit 1
fi
