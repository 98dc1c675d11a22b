#!/bin/bash
# Proves the Dockerfile without a container engine: `docker/prove.sh FOLDER`, as root, on Debian with debootstrap and bubblewrap.
# The instructions run in clean Debian roots below FOLDER; the result is started as compose.yaml starts it: read-only, another
# user, no capabilities, no network but its own loopback. Repeated with the same FOLDER it starts from the base that is there.
# shellcheck disable=SC2016  # what stands in single quotes is for the shell inside
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
base=$folder/base

if [ ! -e "$base/usr/bin/python3" ]; then
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$base"
  # The environment's own way to the packages: its resolver, its authorities, its sources.
  cp -L /etc/resolv.conf "$base/etc/resolv.conf"
  cp -L /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/ca-certificates.crt"
  [ ! -d /etc/apt/apt.conf.d ] || cp -L /etc/apt/apt.conf.d/*prox* "$base/etc/apt/apt.conf.d/" 2>/dev/null || true
  ln -s ../../bin/python3 "$base/usr/local/bin/python"
fi

python3 "$here/stages.py" "$here/Dockerfile" "$base" "$folder"

state=$folder/state
rm -rf "$state"
user='' directory='' health='' start='' environment=''
# shellcheck source=/dev/null
. "$folder/firmament.env"
for name in worlds runs trajectories run secrets scratch proxy; do
  install -d -o "${user%:*}" -g "${user#*:}" -m 0700 "$state/$name"
done

# Run by root in namespaces of its own: the mounts of a container, then its user. Arguments: root, state, ids, script, "masked" or "".
enter='
root=$1; state=$2; ids=$3; script=$4; masks=$5; shift 5
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
if [ "$masks" = masked ]; then
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t tmpfs -o ro tmpfs "$root/proc/acpi" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$root/proc/irq"
fi
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
for place in "$state"/*; do mount --bind "$place" "$root/data/${place##*/}"; done
for place in "$@"; do mount -t tmpfs -o "ro,mode=0755" tmpfs "$root/data/$place"; done
cd "$root"
pivot_root . mnt
umount -l /mnt
exec setpriv --reuid "${ids%:*}" --regid "${ids#*:}" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all sh -euc "$script"
'

# One container: $1 runs in it as the image's user, $2 says whether /proc is masked as engines do it, the rest are volumes taken away.
contained() {
  # shellcheck disable=SC2086  # the environment is a list of settings
  bwrap --bind / / --dev-bind /dev /dev --unshare-net --die-with-parent --clearenv $environment -- \
    unshare --mount --pid --fork --ipc --uts sh -euc "$enter" enter "$folder/firmament" "$state" "$user" "cd $directory; $1" "${@:2}"
}

echo "== who it runs as, and what it cannot do"
contained '
  test "$(id -u)" = 10001
  grep -q "^CapBnd:.0000000000000000" /proc/self/status
  grep -q "^NoNewPrivs:.1" /proc/self/status
  for place in /opt/firm /etc /data /data/images /usr; do ! touch "$place/written" 2>/dev/null || { echo "$place can be written"; exit 1; }; done
  for tool in gcc cc ld make; do ! command -v "$tool" || { echo "$tool is in the image"; exit 1; }; done
  test -z "$(find /var/cache/apt /var/lib/apt/lists -type f)"
' masked

echo "== what firm doctor finds as compose.yaml starts it: Landlock for CI, and no browser"
contained 'firm doctor || true' masked | tee "$folder/doctor"
test "$(grep '^BAD ' "$folder/doctor")" = 'BAD  playwright'
grep -q 'isolated by Landlock' "$folder/doctor"
echo "== and with compose.ci.yaml laid over it: bubblewrap"
contained 'firm doctor || true' '' | tee "$folder/doctor-ci"
test "$(grep '^BAD ' "$folder/doctor-ci")" = 'BAD  playwright'
grep -q 'isolated by bubblewrap' "$folder/doctor-ci"

echo "== the solution scores 1, an idle agent 0"
contained '
  firm run flapping_alert --agent oracle --door rest --json /tmp/oracle.json >/dev/null
  firm run flapping_alert --agent null --json /tmp/null.json >/dev/null && exit 1
  python -c "import json; found = [json.load(open(f\"/tmp/{name}.json\")) for name in (\"oracle\", \"null\")]
scores = [one.get(\"verdict\", one)[\"score\"] for one in found]
print(\"oracle, null:\", scores)
assert scores == [1.0, 0.0]"
' masked

echo "== it starts as its own command does, answers its health check, hands out a task, keeps and grades the run"
contained "
  $start --allow-host world --scenario flapping_alert > /tmp/log 2>&1 & server=\$!
  tries=0
  until $health; do tries=\$((tries + 1)); test \$tries -lt 60 || { cat /tmp/log; exit 1; }; sleep 0.5; done 2>/dev/null
  echo healthy
  firm world task --url http://world:8400 --out /tmp/task.json
  test \"\$(stat -c %a /tmp/task.json)\" = 600
  kill \$server
  wait \$server || true
  tail -n 1 /tmp/log
" masked
contained 'firm regrade /data/runs/*-served-*' masked run secrets worlds

echo "== the agent's image knows nothing of tasks and graders"
if find "$folder/agent/opt" "$folder/agent/task" "$folder/agent/work" | grep -E 'rubric|oracle|scenario|seeds|/images|\.db$'; then exit 1; fi
chroot "$folder/agent" env PATH=/opt/agent/bin:/usr/bin:/bin PYTHONPATH=/opt/agent/code python -m world.agents.reference --help
du -sh "$folder/firmament" "$folder/agent" "$folder/base"

"$here/first_minute.sh" "$folder"
echo proven
