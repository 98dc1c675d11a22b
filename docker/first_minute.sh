#!/bin/bash
# Proves the README's first lines on hosts of four kinds: `docker/first_minute.sh FOLDER [COMMAND]`, as root, on Debian.
# FOLDER/base is a clean Debian root, made by prove.sh or debootstrap; COMMAND is run in this checkout's tree, `make demo`
# unless told. Each case ends with the line "CASE: proven"; the kind of sandbox that it must find is checked too.
# shellcheck disable=SC2016  # what stands in single quotes is for the shell inside
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 FOLDER [COMMAND]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
command=${2:-make demo}
host=$folder/host
network=$(env | grep -E '^(PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|DEFAULT_TIMEOUT)|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|npm_config_[a-z_]+|[a-zA-Z]+_proxy)=' || true)
# What an engine's usual profile leaves to root in a container.
docker=chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap
only="-all,+${docker//,/,+}"

if [ ! -e "$host/opt/firm/README.md" ]; then
  rm -rf "$host"
  cp -a "$folder/base" "$host"
  mkdir -p "$host/opt/firm"
  (cd "$here/.." && git ls-files -z | tar --create --null --files-from - --file -) | tar -x -C "$host/opt/firm"
fi

# Run in namespaces of its own, so that nothing of the case stays: the mounts of a system, then who it is to be.
enter='
host=$1; shift
mount --bind "$host" "$host"
mount -t proc proc "$host/proc"
mount --rbind /dev "$host/dev"
mount -t tmpfs -o mode=1777 tmpfs "$host/tmp"
cd "$host"
pivot_root . mnt
umount -l /mnt
exec "$@"
'

# in_host PREFIX... -- SCRIPT: a script in the host's root, behind a prefix of commands that take something away.
in_host() {
  local prefix=()
  while [ "$1" != -- ]; do prefix+=("$1"); shift; done
  # shellcheck disable=SC2086  # a list of settings
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="${home:-/root}" $network \
    unshare --mount --pid --fork --ipc --uts sh -euc "$enter" enter "$host" "${prefix[@]}" sh -euc "cd ${tree:-/opt/firm}; $2"
}

# proven CASE KIND PREFIX...: COMMAND ends well there, and doctor names the kind of sandbox that was used.
proven() {
  local name=$1 kind=$2; shift 2
  echo "== $name"
  in_host "$@" -- "rm -rf .firm; $command"
  in_host "$@" -- ".venv/bin/firm doctor" | grep "isolated by $kind"
  echo "$name: proven"
}

install -m 0755 "$here/without_namespaces.py" "$host/opt/without_namespaces"

echo "== the packages that the README names"
in_host -- "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q git make python3 python3-venv" | tail -n 1

proven "a clean Debian, as root" bubblewrap
proven "the same without user namespaces" Landlock /opt/without_namespaces
proven "a container's root" Landlock /opt/without_namespaces setpriv --bounding-set "$only" --inh-caps "$only"

in_host -- "id someone >/dev/null 2>&1 || useradd --uid 12345 --create-home someone; rm -rf .firm /home/someone/firm; ! command -v sudo
  cp -a /opt/firm /home/someone/firm; rm -rf /home/someone/firm/.venv/bin/firm; chown -R someone: /home/someone"
home=/home/someone tree=/home/someone/firm
someone=(setpriv --reuid 12345 --regid 12345 --clear-groups --inh-caps=-all --bounding-set=-all)
in_host "${someone[@]}" -- ".venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -e ."
proven "a user without sudo, packages there" bubblewrap "${someone[@]}"
proven "such a user without user namespaces" Landlock /opt/without_namespaces "${someone[@]}"
echo "all proven"
