#!/bin/bash
# After kill -9 the next fwref takes over what was left and removes it at its end; a
# hook of somebody else's stays.
. "$(dirname "$0")/fwref.bash"

pings() { in_c ping -q -c 1 -W "${1:-1}" 198.19.0.2 >/dev/null; }
hooks() { in_d tc qdisc show | grep -c 'qdisc clsact'; }

check() {
	lab_up
	echo 'permit icmp from any to any' >"$work/policy"
	start "$1"
	kill -9 "$fwref_pid"
	wait "$fwref_pid" 2>/dev/null
	[ -S "$control" ] || fail "kill -9 removed the socket?"
	start "$1"
	pings || fail "ping after a kill"
	stop
	[ "$(hooks)" = 0 ] || fail "a qdisc is left after a take-over"

	# Somebody else's hook stays.
	in_d tc qdisc add dev in clsact
	start "$1"
	stop
	[ "$(hooks)" = 1 ] || fail "removed somebody else's qdisc"
	lab_down
}
paths check
