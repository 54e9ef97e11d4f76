#!/bin/bash
# --verify accepts what is right, and a relay that changes, loses or repeats one
# byte is found out, with the place.
. tests/e2e/fwgen.bash
start_server
client -P 4 -n 3M --bidir --verify
[ $code = 0 ] || fail "a clean path: exit code $code"
holds client '.[-1].verified | .bytes==3*1024*1024 and .mismatches==0 and .first==null'
target=$port

cat >"$work/relay.py" <<'PYTHON'
import socket, sys, threading
target, kind, at = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
client, _ = listener.accept()
server = socket.create_connection(("127.0.0.1", target))
def pump(a, b, spoil):
    passed = 0
    try:
        while data := a.recv(65536):
            n = len(data)
            if spoil and passed <= at < passed + n:
                i = at - passed
                data = {"change": data[:i] + bytes([data[i] ^ 4]) + data[i + 1:],
                        "lose": data[:i] + data[i + 1:],
                        "repeat": data[:i] + data[i:i + 1] + data[i:]}[kind]
            passed += n
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        a.close(); b.close()
back = threading.Thread(target=pump, args=(server, client, True))
back.start()
pump(client, server, False)
back.join()
PYTHON
for kind in change lose repeat; do
	rm -f "$work/relay"
	python3 "$work/relay.py" $target $kind 123456 >"$work/relay" 2>"$work/relay.err" &
	relay=$!
	until [ -s "$work/relay" ]; do sleep 0.02; done
	port=$(cat "$work/relay")
	client -n 1M -R --verify
	[ $code = 1 ] || fail "$kind: exit code $code"
	holds client '.[-1] | (.complete|not) and .verified.mismatches==1'
	# Where the next byte happens to be equal, a loss or repetition shows later.
	grep -q 'connection 0, byte 1234[5-6][0-9]' "$work/client.err" || fail "$kind: the place is not named"
	kill $relay 2>/dev/null
	wait $relay 2>/dev/null
done
