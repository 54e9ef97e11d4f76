# A killed fwref leaves nothing attached, and the next one starts as if it had not been.
. "$(dirname "$0")/fwref.bash"

lab_up
echo 'deny ip from any to any' >"$work/policy"
start kernel
in_c ping -c 1 -W 1 198.19.0.2 >/dev/null && fail "a denied ping passed"
kill -KILL "$fwref_pid"
wait "$fwref_pid" 2>/dev/null
fwref_pid=
if [ -n "$(in_d tc filter show dev in ingress)" ]; then
	echo "skip: no kernel feature: tcx links"
	exit 77
fi
in_c ping -c 1 -W 2 198.19.0.2 >/dev/null || fail "the killed program still drops"

echo 'permit icmp from any to any' >"$work/policy"
start kernel
in_c ping -c 1 -W 2 198.19.0.2 >/dev/null || fail "a permitted ping did not pass"
[ "$(stats '.flows.icmp')" = 1 ] || fail "flows: $(stats .flows)"
stop
