# For the fwbench_run*.sh: a folder of our own, tiny scenarios, looks at results.
set -eu
command -v jq >/dev/null || { echo "no jq: ./packages check"; exit 1; }
unshare -Ur true 2>/dev/null || [ "$(id -u)" = 0 ] || { echo "skip: no kernel feature: user namespaces"; exit 77; }
work=$(mktemp -d)
run_pid=
cleanup() {
	[ -z "$run_pid" ] || kill -9 "$run_pid" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work"

scenario() { # NAME LINES...: what is not said here is the shortest possible
	local name=$1
	shift
	{
		printf 'title: %s\nrepeat: %s\n' "$name" "${repeat:-1}"
		printf 'load: {direction: both, connections: 10, clients: 10, warm-up: 100ms, duration: 1s}\n'
		printf '%s\n' "$@"
	} >"$name.yaml"
}

check() { # TEXT COMMAND...: must succeed
	local text=$1
	shift
	"$@" || {
		echo "not so: $text"
		for file in "$work"/*.log; do [ ! -e "$file" ] || { echo "$file:"; tail -20 "$file"; }; done
		[ ! -e "$work/results/trials.jsonl" ] || jq -c 'select(.state != "ok") | {trial, state, reason}' "$work/results/trials.jsonl"
		exit 1
	}
}

trials() { # FILTER: jq over all trials as one array, true or false
	jq -es "$1" "$work/results/trials.jsonl" >/dev/null
}

# A whole run into results/, its exit code in $code. A machine that other work holds up
# fails a trial by the check "window": then once more, three times at most.
run_to_end() { # COMMAND...
	local try
	for try in 1 2 3; do
		rm -rf results
		code=0
		"$@" -o results >out.log 2>err.log || code=$?
		grep -qs 'held up by other work' results/trials.jsonl || break
	done
}

# Waits until a child of the run matches the pattern; prints its pid.
child_of_run() { # PATTERN
	local pid
	for _ in $(seq 100); do
		pid=$(pgrep -P "$run_pid" -f "$1" | head -1)
		[ -z "$pid" ] || { echo "$pid"; return; }
		sleep 0.05
	done
	return 1
}

no_child_left() { # PIDS...: none of them lives
	for pid in "$@"; do
		for _ in $(seq 40); do
			[ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null || continue 2
			sleep 0.05
		done
		return 1
	done
}
