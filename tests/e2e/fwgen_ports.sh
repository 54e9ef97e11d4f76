#!/bin/bash
# Too few local ports are predicted before the start; so is a descriptor limit
# that cannot be raised.
. tests/e2e/fwgen.bash
read -r low high </proc/sys/net/ipv4/ip_local_port_range
each=$((high - low + 1))
wanted=$((each * 2 + 1000))
[ $wanted -le 1000000 ] || wanted=1000000
# As many descriptors are not at hand everywhere: predict, then be refused or fail.
timeout 20 fwgen client -c 127.0.0.1 -p $port -P $wanted -t 0.1 --json --connect-timeout 0.1 \
	>"$work/client" 2>"$work/client.err" &
client=$!
for i in $(seq 100); do
	[ -s "$work/client.err" ] && break
	sleep 0.05
done
kill -INT "$(pgrep -P $client)" 2>/dev/null
wait $client
if grep -q 'file descriptors are needed' "$work/client.err"; then
	grep -q "ulimit -Hn [0-9]" "$work/client.err" || fail "the number needed is not named"
else
	grep -q "$wanted connections find $each local ports" "$work/client.err" || fail "not predicted"
	holds client ".[0].ports | .wanted==$wanted and .found==$each"
fi
# A low soft limit is raised, silently.
(ulimit -S -n 64 && fwgen client -c 127.0.0.1 -p $port -P 3 -t 0.1 --json) >"$work/few" 2>&1
grep -q '"ports":{"wanted":3,"found":3}' "$work/few" || fail "three connections"
