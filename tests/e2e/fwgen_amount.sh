#!/bin/bash
# By amount: to the byte, each way, over one connection and dealt to several,
# also fewer bytes than connections.
. tests/e2e/fwgen.bash
start_server
tests=0
for amount in 1 10240 131071 131072 131073; do
	for how in "-P 1" "-P 3 -R" "-P 2 --bidir" "-P 4 --verify --bidir -l 1000"; do
		client -n $amount $how
		[ $code = 0 ] || fail "-n $amount $how: exit code $code"
		check_events client
		tests=$((tests + 1))
		await_end $tests
		up=$amount down=0
		[[ $how = *-R* ]] && up=0 down=$amount
		[[ $how = *--bidir* ]] && down=$amount
		holds client ".[-1] | .complete and .total.sent_bytes==$up and .total.received_bytes==$down and
			.window.sent_bytes==$up and .window.received_bytes==$down"
		holds server "map(select(.event==\"end\"))[-1] | .complete and
			.total.received_bytes==$up and .total.sent_bytes==$down"
	done
done
stop_server
