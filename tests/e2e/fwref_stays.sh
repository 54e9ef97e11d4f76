#!/bin/bash
# One fwref an interface; whoever read its messages may go; an interface that goes is
# said, and ends it.
. "$(dirname "$0")/fwref.bash"

pings() { in_c ping -c 2 -i 0.05 -W 1 198.19.0.2 >"$work/pings"; }

check() {
	local second
	lab_up
	echo 'permit icmp from any to any' >"$work/policy"
	start "$1"
	for second in user kernel; do
		nsenter --net="/run/netns/$run-d" timeout 10 fwref run --inside in --outside out \
			--policy "$work/policy" --path "$second" --control "$work/second.sock" \
			>/dev/null 2>"$work/second"
		[ $? = 1 ] && grep -q 'another fwref runs on in' "$work/second" || fail "a second one on its interfaces"
		[ ! -e "$work/second.sock" ] || fail "the second one's socket is left"
	done
	pings || fail "ping after the second one was refused"
	grep -q DUP "$work/pings" && fail "forwarded twice"
	stop

	# Nobody reads stderr any more when it has something to say.
	mkfifo "$work/fifo"
	sleep 10 <"$work/fifo" &
	reader=$!
	: >"$work/out"
	nsenter --net="/run/netns/$run-d" fwref run --inside in --outside out --policy "$work/policy" \
		--control "$control" --path "$1" >"$work/out" 2>"$work/fifo" &
	fwref_pid=$!
	for _ in $(seq 200); do grep -q ready "$work/out" && break; sleep 0.05; done
	kill "$reader"
	wait "$reader" 2>/dev/null
	echo nonsense >"$work/policy"
	kill -HUP "$fwref_pid"
	sleep 0.2
	[ "$(stats .generation)" = 1 ] || fail "it went with the reader of its messages"
	pings || fail "ping"
	stop
	rm "$work/fifo"

	echo 'permit icmp from any to any' >"$work/policy"
	start "$1"
	in_s ip link del s0
	wait "$fwref_pid"
	[ $? = 1 ] && grep -q 'the interface out is gone' "$work/err" || fail "an interface that is gone"
	fwref_pid=
	[ ! -e "$control" ] || fail "the socket is left"
	lab_down
}
paths check
