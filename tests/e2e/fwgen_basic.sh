#!/bin/bash
# Both ways over loopback: valid events that add up, and what one end has sent
# the other has received, in each direction.
. tests/e2e/fwgen.bash
start_server
for how in --bidir -R "--bidir --copy"; do
	client -P 20 -t 0.3 -O 0.1 -i 0.2 $how
	[ $code = 0 ] || fail "exit code $code ($how)"
	check_events client
	holds client 'map(.event) | index("connected") < index("measure")'
	holds client '.[-1] | .reason=="done" and .complete and .connections.open==20 and
		.connections.moved_data==20 and .connections.failed=={} and .window.seconds>=0.3 and
		.per_connection.least_bytes>0 and .per_connection.fairness<=1'
	holds client '.[-1].tcp | .header_bytes_per_segment==52 and .mss_least_bytes>0 and
		.segments_out>=.data_segments_out'
	holds client '.[-1].memory | .peak_rss_bytes>0 and .socket_bytes!=null'
done
await_end 3
holds server 'map(select(.event=="end")) | all(.complete and .reason=="done" and
	.peers=={"count":1,"addresses":["127.0.0.1"]})'
holds server '(map(select(.event=="end"))[2].total) as $s | ('"$(tail -1 "$work/client")"').total as $c |
	$s.sent_bytes==$c.received_bytes and $s.received_bytes==$c.sent_bytes and
	$c.sent_bytes>0 and $c.received_bytes>0'
stop_server
[ $server_code = 0 ] || fail "server: exit code $server_code"
[ "$(sed -n 1p "$work/server" | jq -r .role)" = server ] || fail "start event"
# iperf3's spelling, and text for people.
fwgen -s -p $port >"$work/text.server" & server=$!
sleep 0.3
fwgen -c 127.0.0.1 -p $port -P 2 -t 0.3 >"$work/text" || fail "-c: exit code $?"
grep -q '^done$' "$work/text" && grep -q 'bit/s' "$work/text" || fail "text"
