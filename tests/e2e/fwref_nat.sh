#!/bin/bash
# NAPT behind the egress interface and behind an address of its own: the server sees
# nothing else; two clients with the same source port; the stack sends no RST.
. "$(dirname "$0")/fwref.bash"

# The peer that the server saw.
peer() { # SOURCE [PORT]
	in_c socat -T1 -u "TCP:198.19.64.1:5001,bind=$1${2:+:$2},reuseaddr,connect-timeout=1" - 2>"$work/socat"
}

check() {
	local seen
	lab_up
	ip -n "$run-s" route add 198.19.128.1 via 198.19.0.1
	serve s socat TCP-LISTEN:5001,fork,reuseaddr SYSTEM:'echo $SOCAT_PEERADDR; sleep 0.2'
	printf 'nat 198.18.64.0/18 to interface\npermit ip from any to any\n' >"$work/policy"
	start "$1"
	seen=$(peer 198.18.64.1 4000 & peer 198.18.64.2 4000; wait) || fail "no connection: $(cat "$work/socat")"
	[ "$(echo "$seen" | sort -u)" = 198.19.0.1 ] || fail "the server saw '$seen'"
	[ "$(echo "$seen" | wc -l)" = 2 ] || fail "two clients with one port: '$seen'"
	[ "$(peer 198.18.0.2)" = 198.18.0.2 ] || fail "translated what is not in the prefix"
	ctl flows | jq -e '[.flows[] | select(.nat_source == "198.19.0.1")] | length >= 2' >/dev/null || fail "flows"
	in_c ping -q -c 1 -W 1 -I 198.18.64.3 198.19.0.2 >/dev/null || fail "ping through NAT"
	in_s ping -q -c 1 -W 1 198.19.0.1 >/dev/null || fail "the firewall itself does not answer"
	printf 'nat 198.18.64.0/18 to 198.19.128.1\npermit ip from any to any\n' >"$work/policy"
	ctl reload >/dev/null || fail "reload"
	[ "$(peer 198.18.64.5)" = 198.19.128.1 ] || fail "not behind the address"
	stop
	lab_down
}
paths check
