#!/bin/bash
# The lab of an ordinary user, and what is said to one who may not have one.
. "$(dirname "$0")/lab_common.bash"

folder=$(mktemp -d)
trap '[ -z "$lab_pid" ] || kill -9 "$lab_pid"; rm -r "$folder"' EXIT
chmod 755 "$folder"
cp "$driver" "$folder/lab_test"
program=$folder/lab_test
AS=
[ "$(id -u)" != 0 ] || AS="setpriv --reuid 65534 --regid 65534 --clear-groups"
cd /

$AS unshare -U true 2>/dev/null || { echo "skip: no kernel feature: namespaces"; exit 77; }
before=$(picture)
for topology in direct bridged routed; do
	start_lab $topology off 2>"$folder/err"
	check "it is no root's lab: $lab_line" [ "$(field root)$(field shares)" = 00 ]
	check "it says what that rules out" grep -q 'without CPU shares' "$folder/err"
	stop_lab
	start_lab $topology off 2>/dev/null
	kill_lab
done
check "nothing is recorded" [ ! -e /run/fwbench/e2e.json ]
after=$(picture)
[ "$before" = "$after" ] || { diff <(echo "$before") <(echo "$after"); exit 1; }

# No user namespaces: one line, exit code 5. The limit is one of a namespace of ours.
refused() { # TEXT COMMAND...
	local text=$1 code=0 err
	shift
	err=$("$@" "$program" hold routed off 2>&1 </dev/null) || code=$?
	check "exit code 5, not $code: $err" [ $code = 5 ]
	check "one line: $err" [ "$(wc -l <<<"$err")" = 1 ]
	check "names $text: $err" grep -q "$text" <<<"$err"
}
refused 'sysctl user.max_user_namespaces' $AS unshare -U --map-user=1000 --keep-caps \
	bash -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' bash
if [ "$(id -u)" = 0 ]; then
	for capability in sys_admin net_admin; do
		refused "CAP_${capability^^}" setpriv --bounding-set=-$capability --inh-caps=-$capability
	done
fi
