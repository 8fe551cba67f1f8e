# shellcheck shell=bash disable=SC2034 # the variables are used by the scripts that source this file
# Shared by install.sh, upgrade.sh and uninstall.sh: paths, and how a release is built.
# A release is a separate venv, never changed once it is complete; `current` links to the one in use.

user_service=no dry_run=no source='' wheels='' python='' voice='' server=''

say() { printf '%s\n' "$*"; }
die() { printf 'sam: %s\n' "$*" >&2; exit 1; }

run() { # print the command, and run it unless this is a dry run
    printf '  + %s\n' "$*"
    [ "$dry_run" = yes ] || "$@"
}

option() { # parse an option common to all scripts; set $took to the number of words
    took=1
    case $1 in
        --user) user_service=yes ;;
        --dry-run) dry_run=yes ;;
        --wheels) valued "$@"; [ -d "$2" ] || die "there is no folder $2"; wheels=$(absolute "$2"); took=2 ;;
        --source) valued "$@"; source=$(absolute "$2") || die "there is no $2"; took=2 ;;
        --python) valued "$@"; python=$2; took=2 ;;
        --voice) voice=yes ;;
        --no-voice) voice=no ;;
        --server) server=yes ;;
        --no-server) server=no ;;
        *) printf 'sam: there is no option %s\n\n' "$1" >&2; return 1 ;;
    esac
}

valued() { # end unless the option $1 has a value
    [[ ${2--} != -* ]] || die "$1 needs a value: --help lists the options"
}

absolute() { # the path of what is there
    [ -e "$1" ] && (cd "$(dirname "$1")" && printf '%s/%s\n' "$PWD" "$(basename "$1")")
}

places() { # set the paths, system-wide or for one user
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    if [ "$user_service" = yes ]; then
        prefix=$HOME/.local/share/sam config=$HOME/.config/sam state=$HOME/Sam
        units=$HOME/.config/systemd/user bin=$HOME/.local/bin part=/user
        as_owner=() systemctl=(systemctl --user)
    else
        umask 022 # the program belongs to root, and Sam's user must be able to read it
        prefix=/opt/sam config=/etc/sam state=/var/lib/sam
        units=/etc/systemd/system bin=/usr/local/bin part=''
        # Files in a folder of the user sam are accessed as that user, so that its links lead only
        # where it may go itself. Without root's terminal, which it could type into.
        as_owner=(setsid --wait runuser -u sam -- env -C /) systemctl=(systemctl)
        [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || die "run this as root: sudo $0 (or use --user)"
    fi
    files=$here
    [ -n "$source" ] || source=$(dirname "$here")
    [ ! -d "$source/deploy" ] || files=$source/deploy
}

has_systemd() { [ -d /run/systemd/system ]; }

fingerprint() { # identify the source to install: the same source gives the same release
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
    die "no Python 3.11 or newer was found: specify one with --python"
}

with_extra() { # whether to install extra $1, by wish $2; an upgrade keeps it unless told otherwise
    local wish=$2
    [ -n "$wish" ] || case $(readlink -f "$prefix/current") in *-"$1") wish=yes ;; esac
    [ "$wish" = yes ]
}

make_release() { # build $prefix/releases/ID unless it exists; set $release to the folder
    # An installed copy of the scripts does not contain the program.
    [ -e "$source/pyproject.toml" ] || [ "${source%.whl}" != "$source" ] \
        || die "$source is neither Sam's folder nor a wheel: specify one with --source"
    find_python
    release=$prefix/releases/$(fingerprint)
    local lock=$files/requirements.txt extras=sync
    local each added=()
    for each in voice server; do
        if with_extra "$each" "${!each}"; then added+=("$each"); fi
    done
    [ "${#added[@]}" -le 1 ] || die "there is no lock file for both extras: --no-voice or --no-server"
    for each in "${added[@]}"; do
        release+=-$each lock=$files/$each.txt extras+=,$each
    done
    if [ -e "$release/complete" ]; then
        say "This release exists already: $release"
        return
    fi
    say "Building $release ..."
    run mkdir -p "$prefix/releases"
    run rm -rf "$release"
    run "$python" -m venv "$release"
    local pip=("$release/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir)
    [ -z "$wheels" ] || pip+=(--no-index --find-links "$wheels")
    if [ -r "$lock" ]; then
        # Install only packages whose hashes match the lock file (docs/dev/dependencies.md).
        run "${pip[@]}" --require-hashes --requirement "$lock"
        run "${pip[@]}" --no-deps --no-build-isolation "$source"
    else
        say "There is no lock file: the packages' hashes are not checked."
        run "${pip[@]}" "${source}[$extras]"
    fi
    run "$release/bin/python" "$files/trim.py" "$release"
    run "$release/bin/sam" --version
    run cp -R "$files" "$release/deploy"
    [ -e "$release/deploy/deploy.md" ] || run cp "$files/../docs/deploy.md" "$release/deploy/"
    run touch "$release/complete"
}

switch_to() { # make $1 the release in use, atomically
    run ln -sfn "$1" "$prefix/current.new"
    run mv -T "$prefix/current.new" "$prefix/current"
}

put() { # install a file if it differs: put MODE FROM TO
    if ! cmp -s "$2" "$3"; then
        run install -D -m "$1" "$2" "$3"
    fi
}

put_files() { # install the units and the command of release $1
    local file from=$1/deploy
    # A dry run does not build the release, so use the source of its files.
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
