#!/usr/bin/env bash
# Install Sam as a service: system-wide (as root), or for one user (--user). Running it again only
# changes what is not yet right. For Debian 12 and 13, Ubuntu 24.04, and others with Python 3.11.
set -euo pipefail
# shellcheck source=deploy/release.sh
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"

usage() {
    cat <<'END'
install.sh [OPTIONS]

  --dry-run       print what would be done, and change nothing
  --user          install as a user service, without root: ~/.local/share/sam, ~/.config/sam, ~/Sam
  --source PATH   Sam's folder, or a wheel of Sam (default: this folder)
  --wheels DIR    install only from the wheels in DIR, without a network
  --python PROG   the Python to use, 3.11 or newer
  --voice         also install the extra voice: speech without a server (500 MB)
  --server        also install the extra server: PostgreSQL, /metrics (docs/scale.md)
  --sync-timer    sync with sam-sync.timer, every five minutes (see docs/deploy.md)
  --no-bot        do not enable sam.service, on a machine that only syncs
END
}

sync_timer=no bot=yes
while [ $# -gt 0 ]; do
    case $1 in
        --sync-timer) sync_timer=yes took=1 ;;
        --no-bot) bot=no took=1 ;;
        -h | --help) usage; exit 0 ;;
        *) option "$@" || { usage >&2; exit 2; } ;;
    esac
    shift "$took"
done
places

known_system() {
    local id='' version=''
    if [ -r /etc/os-release ]; then
        id=$(. /etc/os-release && printf '%s' "${ID-}")
        version=$(. /etc/os-release && printf '%s' "${VERSION_ID-}")
    fi
    case $id-$version in
        debian-12 | debian-13 | ubuntu-24.04) ;;
        *) say "This is $id $version. Sam was tested on Debian 12 and 13 and Ubuntu 24.04; it may work here." ;;
    esac
    has_systemd || [ "$dry_run" = yes ] || die "systemd is not running on this machine"
}

need_venv() { # on Debian, venv is in a separate package
    python3 -c 'import ensurepip, venv' 2>/dev/null && return
    if [ "$user_service" = yes ]; then
        die "Python cannot make a venv: sudo apt-get install python3 python3-venv"
    fi
    command -v apt-get >/dev/null || die "Python cannot make a venv: install its venv module"
    run apt-get update -q
    run env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends \
        python3 python3-venv ca-certificates
}

make_user() {
    [ "$user_service" = no ] || return 0
    id sam >/dev/null 2>&1 \
        || run useradd --system --user-group --home-dir "$state" --shell /usr/sbin/nologin sam
    [ -d "$state" ] || run install -d -m 700 -o sam -g sam "$state"
}

make_config() {
    if [ "$user_service" = yes ]; then
        [ -d "$config" ] || run install -d -m 700 "$config"
        [ -e "$config/sam.env" ] || run install -m 600 /dev/null "$config/sam.env"
        return
    fi
    [ -d "$config" ] || run install -d -m 755 "$config"
    [ -d "$config/credentials" ] || run install -d -m 700 "$config/credentials"
    if [ ! -e "$config/sam.env" ]; then
        run install -m 640 -g sam /dev/null "$config/sam.env"
        [ "$dry_run" = yes ] || cat >"$config/sam.env" <<END
# Sam's settings (docs/reference.md lists them). Secrets belong in credentials/, one file each.
VAULT_DIR=$state/vault
DATA_DIR=$state/data
PROFILES_DIR=$state/profiles
END
    fi
}

enable_units() {
    if [ "$sync_timer" = yes ]; then
        run "${systemctl[@]}" enable --now sam-sync.timer
    fi
    [ "$bot" = yes ] || return 0
    run "${systemctl[@]}" enable sam.service
    if [ "$dry_run" = yes ] || has_token; then
        # Only start it: a running Sam is restarted only by upgrade.sh, after a backup.
        run "${systemctl[@]}" start sam.service
    fi
}

known_system
need_venv
make_user
if [ -e "$prefix/current" ]; then
    say "Sam is already installed; its program is not changed (upgrade.sh does that)."
    release=$(readlink -f "$prefix/current")
else
    make_release
    switch_to "$release"
fi
make_config
put_files "$release"
enable_units

say ""
if [ "$dry_run" = yes ]; then
    say "Nothing was done: this was a dry run."
    exit 0
fi
sam=sam
[ "$user_service" = yes ] || sam='sudo sam'
case ":$PATH:" in *":$bin:"*) ;; *) sam="${sam%sam}$bin/sam" ;; esac
if has_token; then
    say "Sam is installed. \`$sam doctor\` checks everything."
else
    say "Sam is installed, but has no bot token yet: \`$sam setup\` asks for it, and starts Sam."
fi
if [ "$user_service" = yes ]; then
    say "It runs while you are logged in. To keep it running: \`sudo loginctl enable-linger $(id -un)\`."
fi
