#!/bin/bash
# What a firewall in the middle does to a run: SYNs that vanish (a full table)
# fail by name while the rest goes on; a cut cable ends the run on both ends,
# and the server serves the next one. Many client addresses, routed, not
# configured on an interface.
[ "$(id -u)" = 0 ] || { echo "skip: no root"; exit 77; }
. tests/e2e/fwgen.bash
near=fwgent$$-c far=fwgent$$-s
cleanup() {
	code=$?
	kill $(ip netns pids $near 2>/dev/null; ip netns pids $far 2>/dev/null) 2>/dev/null
	wait
	ip netns del $near 2>/dev/null
	ip netns del $far 2>/dev/null
	rm -rf "$work"
	exit $code
}
trap cleanup EXIT
ip netns add $near && ip netns add $far || fail "no namespaces"
ip link add c0 netns $near type veth peer name s0 netns $far
ip -n $near addr add 198.18.0.2/24 dev c0
ip -n $far addr add 198.18.0.1/24 dev s0
for end in "$near c0" "$far s0"; do
	set -- $end
	ip -n $1 link set lo up
	ip -n $1 link set $2 up
done
ip -n $near route add local 198.18.64.0/18 dev lo
ip -n $far route add 198.18.64.0/18 via 198.18.0.2

port=5201
ip netns exec $far fwgen server -p $port --silence 1 --json >"$work/server" 2>"$work/server.err" &
until grep -q '"ready"' "$work/server"; do sleep 0.02; done
run_client() { # options
	timeout 30 ip netns exec $near fwgen client -c 198.18.0.1 -p $port -B 198.18.64.1-198.18.64.10 \
		--json --silence 1 "$@" >"$work/client" 2>"$work/client.err"
	code=$?
}

ip netns exec $far nft 'add table ip t; add chain ip t in { type filter hook input priority 0; };
	add rule ip t in ip saddr 198.18.64.6-198.18.64.10 tcp flags syn drop' || fail "nft"
run_client -P 40 --bidir -t 0.3 --connect-timeout 0.4
[ $code = 1 ] || fail "a full table: exit code $code"
check_events client
holds client '.[-1] | .reason=="done" and (.complete|not) and .connections.open==20 and
	.connections.failed=={"ETIMEDOUT":20} and .connections.moved_data==20 and .window.received_bytes>0'
ip netns exec $far nft delete table ip t
await_end 1
holds server 'map(select(.event=="end"))[0] | .peers.count==5 and .connections.open==20'

(until grep -qs '"measure"' "$work/client"; do sleep 0.02; done; sleep 0.2
	ip -n $near link set c0 down) &
run_client -P 20 --bidir -t 20
[ $code = 1 ] || fail "a cut cable: exit code $code"
check_events client
holds client '.[-1] | .reason=="peer-vanished" and (.complete|not) and .window.received_bytes>0 and
	.total.seconds<10'
await_end 2
holds server 'map(select(.event=="end"))[1] | .reason=="peer-vanished" and (.complete|not)'
ip -n $near link set c0 up
run_client -P 20 --verify -n 1M
[ $code = 0 ] || fail "after the cable is back: exit code $code"
