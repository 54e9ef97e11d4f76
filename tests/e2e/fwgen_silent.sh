#!/bin/bash
# A peer that accepts and says nothing: the client gives up within its silence.
. tests/e2e/fwgen.bash
python3 -c '
import socket, time
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True)
held = [s.accept()[0] for _ in range(2)]
time.sleep(30)' >"$work/silent" &
server=$!
until [ -s "$work/silent" ]; do sleep 0.02; done
port=$(cat "$work/silent")
client -P 2 -t 10 -R --silence 1
[ $code = 1 ] || fail "exit code $code"
check_events client
holds client '.[-1] | .reason=="peer-vanished" and (.complete|not) and .connections.moved_data==0 and
	.total.received_bytes==0 and .total.seconds<8'
