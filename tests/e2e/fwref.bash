# Sourced by fwref_*.sh: three namespaces in a row (c - d - s), fwref in the middle.
# Everything is named after the test's process and removed when it ends.
set -u
[ "$(id -u)" = 0 ] || { echo "skip: no root"; exit 77; }

run=fwref-test-$$
work=$(mktemp -d)
control=$work/fwref.sock
fwref_pid=
served=

finish() {
	local code=$?
	trap - EXIT
	[ -z "$fwref_pid" ] || kill "$fwref_pid" 2>/dev/null
	[ -z "$served" ] || kill $served 2>/dev/null
	wait 2>/dev/null
	for n in c d s; do ip netns del "$run-$n" 2>/dev/null; done
	rm -rf "$work"
	exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() { echo "FAIL: $*"; sed 's/^/  fwref: /' "$work/err" 2>/dev/null | tail -20; exit 1; }
in_c() { ip netns exec "$run-c" "$@"; }
in_d() { ip netns exec "$run-d" "$@"; }
in_s() { ip netns exec "$run-s" "$@"; }

# serve c|s COMMAND...: in the background until the test ends. The process itself is
# the job, so that it can be ended.
serve() {
	local n=$1
	shift
	nsenter --net="/run/netns/$run-$n" "$@" >"$work/served" 2>&1 &
	served="$served $!"
}

lab_up() {
	local n
	for n in c d s; do
		ip netns add "$run-$n" || { echo "skip: no kernel feature: network namespaces"; exit 77; }
		ip -n "$run-$n" link set lo up
		# No waiting for duplicate addresses: neighbours answer at once.
		ip netns exec "$run-$n" sysctl -qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0
	done
	ip link add name c0 netns "$run-c" type veth peer name in netns "$run-d"
	ip link add name out netns "$run-d" type veth peer name s0 netns "$run-s"
	ip -n "$run-c" -b - <<-E
		addr add 198.18.0.2/24 dev c0
		addr add 2001:2:0:1::2/64 dev c0 nodad
		link set c0 up
		route add default via 198.18.0.1
		route add default via 2001:2:0:1::1
		route add local 198.18.64.0/18 dev lo
		route add local 2001:2:0:40::/64 dev lo
	E
	ip -n "$run-s" -b - <<-E
		addr add 198.19.0.2/24 dev s0
		addr add 2001:2:0:2::2/64 dev s0 nodad
		link set s0 up
		route add default via 198.19.0.1
		route add default via 2001:2:0:2::1
		route add local 198.19.64.0/18 dev lo
		route add local 2001:2:0:80::/64 dev lo
	E
	ip -n "$run-d" -b - <<-E
		addr add 198.18.0.1/24 dev in
		addr add 2001:2:0:1::1/64 dev in nodad
		addr add 198.19.0.1/24 dev out
		addr add 2001:2:0:2::1/64 dev out nodad
		link set in up
		link set out up
		route add 198.18.64.0/18 via 198.18.0.2
		route add 198.19.64.0/18 via 198.19.0.2
		route add 2001:2:0:40::/64 via 2001:2:0:1::2
		route add 2001:2:0:80::/64 via 2001:2:0:2::2
	E
	for n in c s; do
		ip netns exec "$run-$n" sysctl -qw net.ipv6.ip_nonlocal_bind=1
	done
}

lab_down() {
	local n
	[ -z "$served" ] || kill $served 2>/dev/null
	served=
	for n in c d s; do ip netns del "$run-$n"; done
}

# forwarding 0|1: the kernel path asks the kernel's routing, the user path does it itself.
forwarding() {
	in_d sysctl -qw net.ipv4.ip_forward="$1" net.ipv6.conf.all.forwarding="$1"
}

# start PATH [OPTION...]: the policy is $work/policy.
start() {
	local path=$1
	shift
	case $path in kernel) forwarding 1 ;; *) forwarding 0 ;; esac
	rm -f "$work/out" "$work/err"
	: >"$work/out"
	# Not by ip netns exec: the process is to be signalled itself.
	nsenter --net="/run/netns/$run-d" fwref run --inside in --outside out \
		--policy "$work/policy" --control "$control" --path "$path" "$@" \
		>"$work/out" 2>"$work/err" &
	fwref_pid=$!
	for _ in $(seq 200); do
		grep -q '"event":"ready"' "$work/out" && return 0
		kill -0 "$fwref_pid" 2>/dev/null || break
		sleep 0.05
	done
	if [ "$path" = kernel ] && grep -q 'kernel path' "$work/err"; then
		echo "skip: no kernel feature: fwref's kernel path"
		exit 77
	fi
	fail "fwref did not get ready"
}

stop() { # fwref must end by TERM with exit code 0
	kill "$fwref_pid"
	wait "$fwref_pid"
	local code=$?
	fwref_pid=
	[ $code = 0 ] || fail "exit code $code after TERM"
}

ctl() { fwref ctl "$@" --control "$control"; }
stats() { ctl stats | jq -r "$1"; }

# paths WORK: runs the function on both paths, with the path as its argument.
paths() {
	local path
	for path in user kernel; do
		echo "path $path"
		"$1" "$path"
	done
}
