#!/bin/bash
# Reload by ctl and by HUP; a bad policy leaves the old one; the socket: mode, stale,
# taken, silent clients; TERM leaves nothing behind.
. "$(dirname "$0")/fwref.bash"

pings() { in_c ping -q -c 1 -W "${1:-1}" 198.19.0.2 >/dev/null; }
# The kernel path hangs on tcx where the kernel has it: nothing to see, nothing left.
hooks() { in_d tc qdisc show | grep -c 'qdisc clsact'; }

check() {
	lab_up
	echo 'permit icmp from any to any' >"$work/policy"
	start "$1"
	[ "$(stat -c %a "$control")" = 600 ] || fail "mode of the socket"
	pings || fail "ping"
	echo 'permit tcp from any to any' >"$work/policy"
	ctl reload | jq -e '.event == "reload" and .generation == 2 and .filters == 1' >/dev/null || fail "reload"
	pings 0.3 && fail "an established flow survived a policy that denies it"
	printf 'permit icmp from any to any\npermit tcp form any to any\n' >"$work/policy"
	ctl reload >"$work/said" 2>"$work/why" && fail "a bad policy was taken"
	ctl reload >"$work/said" 2>"$work/why"
	[ $? = 2 ] || fail "exit code of a bad reload"
	grep -q "^fwref: .*policy:2:12: expected from or between" "$work/why" || { cat "$work/why"; fail "the line"; }
	jq -e '.event == "error"' "$work/said" >/dev/null || fail "the answer"
	rm "$work/policy"
	mkfifo "$work/policy"
	timeout 5 fwref ctl reload --control "$control" 2>"$work/why" >/dev/null
	[ $? = 2 ] && grep -q 'is a pipe' "$work/why" || fail "waits for a pipe"
	rm "$work/policy"
	[ "$(stats .generation)" = 2 ] || fail "the old policy is gone"
	echo 'permit icmp from any to any' >"$work/policy"
	kill -HUP "$fwref_pid"
	for _ in $(seq 50); do [ "$(stats .generation)" = 3 ] && break; sleep 0.02; done
	pings || fail "ping after HUP"

	# Silent clients and half lines hold nobody up.
	for _ in 1 2 3; do socat -u EXEC:'sleep 2' "UNIX-CONNECT:$control" & served="$served $!"; done
	printf sta | socat -t1 - "UNIX-CONNECT:$control" & served="$served $!"
	pings || fail "ping with silent clients"
	stats .event | grep -q stats || fail "stats with silent clients"
	printf 'nonsense\n' | socat -t1 - "UNIX-CONNECT:$control" | grep -q '"event":"error"' || fail "nonsense"

	nsenter --net="/run/netns/$run-d" fwref run --inside in --outside out --policy "$work/policy" \
		--path user --control "$control" >/dev/null 2>"$work/second"
	[ $? = 1 ] && grep -q 'is in use' "$work/second" || fail "a second fwref on the socket"
	pings || fail "ping after a second fwref was refused"
	echo 'permit tcp from any to any' >"$work/policy"
	ctl reload >/dev/null || fail "reload"
	pings 0.2 && fail "ping under a policy that denies it"
	stop
	[ ! -e "$control" ] || fail "the socket is still there"
	[ "$(hooks)" = 0 ] || fail "a qdisc is left"
	if [ "$1" = kernel ]; then # nothing judges any more: plain routing
		pings || fail "a program is left"
	fi
	echo 'permit icmp from any to any' >"$work/policy"
	lab_down
}
paths check
