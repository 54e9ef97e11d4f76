#!/bin/bash
# An ordinary user in a user and network namespace: auto takes the user path, says so
# and why; ctl works; asked for the kernel path it ends with exit code 5.
set -eu
unshare -Urn true 2>/dev/null || { echo "skip: no kernel feature: user namespaces"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
as=
if [ "$(id -u)" = 0 ]; then
	as="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 777 "$work"
fi
# The build folder may be closed to others: a copy.
cp "$(command -v fwref)" "$work/fwref"
echo 'permit ip from any to any' >"$work/policy"
cat >"$work/inner" <<'E'
set -eu
cd "$1"
ip link add in type veth peer name in2
ip link add out type veth peer name out2
for i in in in2 out out2; do ip link set "$i" up; done
set +e
./fwref run --inside in --outside out --policy policy --control k --path kernel >out.k 2>err.k
echo $? >code.k
./fwref run --inside in --outside out --policy policy --control s >out 2>err &
for _ in $(seq 100); do grep -q ready out && break; sleep 0.05; done
./fwref ctl stats --control s >stats
kill $!
wait $!
echo $? >code
tc qdisc show >left
E
$as unshare -Urn bash "$work/inner" "$work" || { cat "$work"/err*; exit 1; }
grep -q '"path":"user"' "$work/out" || { echo "FAIL: not ready"; cat "$work/err"; exit 1; }
grep -q 'path user: the kernel path is not possible here' "$work/err" || { echo "FAIL: did not say why"; cat "$work/err"; exit 1; }
grep -q '"event":"stats"' "$work/stats" || { echo "FAIL: stats"; exit 1; }
[ "$(cat "$work/code")" = 0 ] || { echo "FAIL: exit code $(cat "$work/code") after TERM"; exit 1; }
[ "$(cat "$work/code.k")" = 5 ] || { echo "FAIL: kernel path: exit code $(cat "$work/code.k")"; cat "$work/err.k"; exit 1; }
! grep -q clsact "$work/left" || { echo "FAIL: a qdisc is left"; exit 1; }
