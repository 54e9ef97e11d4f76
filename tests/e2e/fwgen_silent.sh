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

# A hello that comes in two parts is one; the beginning of something else is not.
kill "$server"
wait "$server" 2>/dev/null
start_server
python3 - "$port" <<'EOP' || fail "a hello in two parts"
import socket, struct, sys, time
hello = b"fwg1" + bytes([1, 1, 0, 0]) + b"partedby" + struct.pack("!QIIIIII", 0, 1, 0, 0, 0, 0, 0) + bytes(16)
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(hello[:30])
time.sleep(0.2)
s.sendall(hello[30:] + bytes(1000))
s.shutdown(socket.SHUT_WR)
assert s.recv(1) == b""
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(b"SSH-2.0")
try:
    assert s.recv(1) == b""
except ConnectionResetError:
    pass
EOP
await_end 1
holds server 'map(select(.event=="end")) | length==1 and .[0].reason=="done" and .[0].total.received_bytes==1000'
stop_server
