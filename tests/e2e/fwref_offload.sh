#!/bin/bash
# field-cases.md 81 and 82: TCP is whole through both paths with default offloads
# (partial checksums, 64 KB super-packets) and with all of them off, with NAT, both
# families. And a frame too large for the way out is counted.
. "$(dirname "$0")/fwref.bash"

moves() { # FAMILY SOURCE DESTINATION: 8 MB up and down, compared
	rm -f "$work/got"
	in_c socat -t2 -T5 "TCP$1:$3:5001,bind=$2" EXEC:"cat $work/data",nofork 2>"$work/socat" >/dev/null
	for _ in $(seq 50); do cmp -s "$work/data" "$work/got" && return 0; sleep 0.02; done
	ls -l "$work/data" "$work/got"
	return 1
}

offloads() {
	local n
	for n in c:c0 s:s0 d:in d:out; do
		ip netns exec "$run-${n%:*}" ethtool -K "${n#*:}" tso "$1" gso "$1" gro "$1" tx "$1" rx "$1" >/dev/null 2>&1
	done
}

check() {
	lab_up
	head -c 8000000 /dev/urandom >"$work/data"
	printf 'nat 198.18.64.0/18 to interface\npermit ip from any to any\n' >"$work/policy"
	start "$1"
	serve s socat -u TCP4-LISTEN:5001,fork,reuseaddr "OPEN:$work/got,creat,append"
	serve s socat -u TCP6-LISTEN:5001,fork,reuseaddr,ipv6only "OPEN:$work/got,creat,append"
	sleep 0.2
	for state in on off; do
		offloads "$state"
		moves 4 198.18.64.1 198.19.64.1 || fail "IPv4 with offloads $state"
		moves 6 '[2001:2:0:40::1]' '[2001:2:0:80::1]' || fail "IPv6 with offloads $state"
	done
	# IPv4 without DF, larger than the way out: dropped, counted.
	ip -n "$run-d" link set out mtu 1280
	in_c ping -q -c 1 -W 0.3 -s 1400 -M want 198.19.0.2 >/dev/null && fail "1428 bytes passed an MTU of 1280"
	[ "$(stats '.drops["too-big"]')" -ge 1 ] || fail "too-big is not counted"
	in_c ping -q -c 1 -W 1 -s 1200 198.19.0.2 >/dev/null || fail "1228 bytes"
	stop
	lab_down
}
paths check
