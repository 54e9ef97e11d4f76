#!/bin/bash
# What goes wrong ends in time, with valid JSON and the right exit code.
. tests/e2e/fwgen.bash
# Nobody listens.
client -P 3 -t 1
[ $code = 1 ] || fail "nobody listens: exit code $code"
check_events client
holds client '.[-1] | .reason=="connect-failed" and (.complete|not) and
	.connections.failed=={"ECONNREFUSED":3} and .connections.open==0 and
	.window.seconds==null and .per_connection.fairness==null'

# Source addresses that are not this host's: named, and the way out said.
fwgen client -c 127.0.0.1 -p $port -B 198.18.64.1-198.18.64.2 -P 2 -t 1 >"$work/out" 2>"$work/err"
[ $? = 1 ] || fail "foreign addresses: not exit code 1"
grep -q 'ip route add local' "$work/err" || fail "foreign addresses: no way out: $(cat "$work/err" "$work/out")"

# Usage.
for wrong in "client" "client -c 127.0.0.1 -P 0" "server -R" "client -c 127.0.0.1 -C nosuchcc"; do
	fwgen $wrong >"$work/out" 2>"$work/err"
	[ $? = 2 ] || fail "fwgen $wrong: not exit code 2"
	[ "$(wc -l <"$work/err")" = 1 ] || fail "fwgen $wrong: not one line"
done
fwgen --help | grep -q -- '--bidir' || fail "--help"
[ "$(fwgen --version)" = "fwgen $(cat VERSION)" ] || fail "--version"

# SIGINT in the middle: what was measured, marked, on both ends.
start_server
timeout 20 fwgen client -c 127.0.0.1 -p $port -P 5 -t 30 --bidir --json >"$work/client" 2>"$work/client.err" &
wrapped=$!
until grep -q '"event":"measure"' "$work/client"; do sleep 0.05; done
sleep 0.4
kill -INT "$(pgrep -P $wrapped)"
wait $wrapped
code=$?
[ $code = 130 ] || fail "SIGINT: exit code $code"
check_events client
holds client '.[-1] | .reason=="interrupted" and (.complete|not) and .window.sent_bytes>0 and
	.window.seconds>0.2 and .window.seconds<10'
await_end 1

# kill -9 of a client; the next one is served at once.
fwgen client -c 127.0.0.1 -p $port -P 5 -t 30 --bidir --json >"$work/killed" 2>&1 &
killed=$!
until grep -q '"event":"measure"' "$work/killed"; do sleep 0.05; done
kill -9 $killed
wait $killed 2>/dev/null
client -P 5 -t 0.3 --bidir
[ $code = 0 ] || fail "after a killed client: exit code $code"
await_end 3
holds server 'map(select(.event=="end")) | map(.reason) | sort == ["done","done","peer-vanished"]'
holds server 'map(select(.event=="end" and .reason=="peer-vanished")) | .[0].complete|not'

# Strangers do no harm.
# In a shell of its own: a reset between its two writes is the right answer, too.
(printf 'GET / HTTP/1.0\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' \
	>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || :
client -P 2 -n 5000
[ $code = 0 ] || fail "after a stranger: exit code $code"

# The server goes away in the middle.
rm -f "$work/client"
timeout 20 fwgen client -c 127.0.0.1 -p $port -P 5 -t 30 --bidir --json >"$work/client" 2>"$work/client.err" &
wrapped=$!
until grep -qs '"event":"measure"' "$work/client"; do sleep 0.05; done
stop_server
[ $server_code = 130 ] || fail "server in a test, TERM: exit code $server_code"
wait $wrapped
code=$?
[ $code = 1 ] || fail "server gone: exit code $code"
check_events client
check_events_server() { tail -1 "$work/server" | jq -e '.event=="end" and .reason=="interrupted"' >/dev/null; }
check_events_server || fail "the server's last word"
holds client '.[-1] | .reason=="peer-vanished" and (.complete|not) and .connections.aborted==5'
