# shellcheck shell=bash disable=SC2034 # what is set here is used by those who read it in
# What install.sh, upgrade.sh and uninstall.sh share: where things lie, and how a release is made.
# A release is a venv of its own, never changed once it is complete; `current` names the one in use.

user_service=no dry_run=no source='' wheels='' python=''

say() { printf '%s\n' "$*"; }
die() { printf 'sam: %s\n' "$*" >&2; exit 1; }

run() { # do it, or only say it
    printf '  + %s\n' "$*"
    [ "$dry_run" = yes ] || "$@"
}

option() { # one of the options that all of them have; how many words it took, in $took
    took=1
    case $1 in
        --user) user_service=yes ;;
        --dry-run) dry_run=yes ;;
        --wheels) wheels=$(absolute "${2:?--wheels wants a folder}"); took=2 ;;
        --source) source=$(absolute "${2:?--source wants a folder or a wheel}"); took=2 ;;
        --python) python=${2:?--python wants a program}; took=2 ;;
        *) return 1 ;;
    esac
}

absolute() { (cd "$(dirname "$1")" && printf '%s/%s\n' "$PWD" "$(basename "$1")"); }

places() { # for the machine, or for one user
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    if [ "$user_service" = yes ]; then
        prefix=$HOME/.local/share/sam config=$HOME/.config/sam state=$HOME/Sam
        units=$HOME/.config/systemd/user bin=$HOME/.local/bin part=/user
        as_owner=() systemctl=(systemctl --user)
    else
        umask 022 # the program is root's, and Sam's user must be able to read it
        prefix=/opt/sam config=/etc/sam state=/var/lib/sam
        units=/etc/systemd/system bin=/usr/local/bin part=''
        # Whatever lies in a folder of the user sam is touched as that user: its links lead nowhere
        # that it could not go itself. Without root's terminal, into which it could type.
        as_owner=(setsid --wait runuser -u sam -- env -C /) systemctl=(systemctl)
        [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || die "be root: sudo $0 (or --user)"
    fi
    files=$here
    [ -n "$source" ] || source=$(dirname "$here")
    [ ! -d "$source/deploy" ] || files=$source/deploy
}

has_systemd() { [ -d /run/systemd/system ]; }

fingerprint() { # of what is to be installed: the same source is the same release
    if [ -f "$source" ]; then
        sha256sum <"$source"
    else
        (cd "$source" && find pyproject.toml README.md bot memory vault deploy -type f \
            ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
    fi | cut -c1-12
}

find_python() {
    for each in ${python:-python3 python3.13 python3.12 python3.11}; do
        if "$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$each
            return
        fi
    done
    die "there is no Python 3.11 or newer: name one with --python"
}

make_release() { # build $prefix/releases/ID where it is not there yet; the folder is in $release
    # An installed copy of the scripts does not hold the program.
    [ -e "$source/pyproject.toml" ] || [ "${source%.whl}" != "$source" ] \
        || die "$source is neither Sam's folder nor a wheel: name one with --source"
    find_python
    release=$prefix/releases/$(fingerprint)
    if [ -e "$release/complete" ]; then
        say "This release is here already: $release"
        return
    fi
    say "Making $release ..."
    run mkdir -p "$prefix/releases"
    run rm -rf "$release"
    run "$python" -m venv "$release"
    local pip=("$release/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir)
    [ -z "$wheels" ] || pip+=(--no-index --find-links "$wheels")
    if [ -r "$files/requirements.txt" ]; then
        # Nothing is installed whose content differs from what was locked (docs/dev/dependencies.md).
        run "${pip[@]}" --require-hashes --requirement "$files/requirements.txt"
        run "${pip[@]}" --no-deps --no-build-isolation "$source"
    else
        say "There is no lock file beside it: the packages' contents are not checked."
        run "${pip[@]}" "${source}[sync]"
    fi
    run "$release/bin/python" "$files/trim.py" "$release"
    run "$release/bin/sam" --version
    run cp -R "$files" "$release/deploy"
    [ -e "$release/deploy/deploy.md" ] || run cp "$files/../docs/deploy.md" "$release/deploy/"
    run touch "$release/complete"
}

switch_to() { # make $1 the release in use, in one step
    run ln -sfn "$1" "$prefix/current.new"
    run mv -T "$prefix/current.new" "$prefix/current"
}

put() { # a file into its place, only where it differs: put MODE FROM TO
    if ! cmp -s "$2" "$3"; then
        run install -D -m "$1" "$2" "$3"
    fi
}

put_files() { # the units and the command of release $1
    local file from=$1/deploy
    # Before a dry run has made it, where it would come from.
    [ -d "$from" ] || from=$files
    for file in "$from$part"/*.service "$from$part"/*.timer; do
        put 644 "$file" "$units/${file##*/}"
    done
    put 755 "$from$part/sam" "$bin/sam"
    ! has_systemd || run "${systemctl[@]}" daemon-reload
}

has_token() {
    [ -s "$config/credentials/TELEGRAM_BOT_TOKEN" ] \
        || grep -qs '^ *TELEGRAM_BOT_TOKEN=.' "$config/sam.env"
}
