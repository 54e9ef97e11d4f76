# Sourced by the fwgen scripts: a server on loopback and what to do with it.
set -u
work=$(mktemp -d)
server=
server_code=
trap 'code=$?; [ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"; exit $code' EXIT

fail() { echo "FAIL: $*"; for f in "$work"/*; do echo "--- $f"; tail -5 "$f"; done; exit 1; }

# A port that nobody listens on; the server says so if another was quicker.
port=$((20000 + ($$ * 7 + RANDOM) % 12000))

start_server() { # options
	local try
	for try in 1 2 3; do
		: >"$work/server"
		fwgen server -p $port --json "$@" >"$work/server" 2>"$work/server.err" &
		server=$!
		while kill -0 $server 2>/dev/null; do
			grep -q '"event":"ready"' "$work/server" && return
			sleep 0.02
		done
		wait $server
		port=$((port + 1))
	done
	fail "no server"
}

stop_server() {
	kill "$server"
	wait "$server"
	server_code=$?
	server=
}

# The client's lines go to $work/client, its exit code to $code.
client() {
	timeout 60 fwgen client -c "${to:-127.0.0.1}" -p $port --json "$@" >"$work/client" 2>"$work/client.err"
	code=$?
}

# Waits for the server's n-th end record.
await_end() { # n
	local i
	for i in $(seq 400); do
		[ "$(grep -c '"event":"end"' "$work/server")" -ge "$1" ] && return
		sleep 0.02
	done
	fail "the server reported no end number $1"
}

# Every line is JSON, and the expression holds for the list of all of them.
holds() { # file expression
	jq -es "$2" "$work/$1" >"$work/jq" 2>&1 || fail "$1: $2"
}

# What every whole run has to keep to.
check_events() { # file
	holds "$1" 'def ends: map(select(.event=="end")); def ivs: map(select(.event=="interval"));
		(ends|length)==1 and .[0].event=="start" and .[-1].event=="end"'
	holds "$1" 'map(select(.event=="interval")) as $i | map(select(.event=="end"))[0] as $e |
		($i|map(.sent_bytes)|add // 0) == $e.total.sent_bytes and
		($i|map(.received_bytes)|add // 0) == $e.total.received_bytes'
	holds "$1" 'map(select(.event=="interval" and (.omitted|not))) as $i | map(select(.event=="end"))[0] as $e |
		if $i == [] then true else
		($i|map(.sent_bytes)|add) == $e.window.sent_bytes and
		($i|map(.received_bytes)|add) == $e.window.received_bytes end'
	! grep -Eqi '\b(nan|inf|infinity)\b' "$work/$1" || fail "nan or inf in $1"
}
