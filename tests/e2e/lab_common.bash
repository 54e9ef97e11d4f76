# For the lab_*.sh: a lab held open by the unit test's binary, seen from outside.
set -eu
driver=$BUILD/unit/harness/lab/lab_test
[ -x "$driver" ] || { echo "no $driver: make tests"; exit 1; }

need_root() {
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "skip: no root"; exit 77; }
}

# The script again in a mount namespace whose mounts are shared: what the lab
# mounts would show here if it did not keep it to itself, and nobody else's does.
alone() {
	[ -n "${ALONE:-}" ] || ALONE=1 exec unshare -m --propagation private \
		bash -c 'mount --make-rshared / && exec bash "$0"' "$0"
}

lab_pid= lab_line=
start_lab() { # arguments of `hold`; a command in front of it in $AS
	coproc LAB { exec ${AS:-} "${program:-$driver}" hold "$@"; }
	lab_pid=$LAB_PID
	# A copy: bash forgets the coprocess's descriptors when it ends.
	exec {lab_in}>&"${LAB[1]}"
	eval "exec ${LAB[1]}>&-"
	read -r lab_line <&"${LAB[0]}" || { echo "the lab did not open: $*"; exit 1; }
}
stop_lab() {
	exec {lab_in}>&-
	wait "$lab_pid"
	lab_pid=
}
kill_lab() {
	kill -9 "$lab_pid"
	wait "$lab_pid" 2>/dev/null || true
	exec {lab_in}>&-
	lab_pid=
}
trap '[ -z "$lab_pid" ] || kill -9 "$lab_pid"' EXIT

field() { # the value of NAME in the line the lab printed
	[[ " $lab_line " =~ \ $1=([^ ]*)\  ]] && echo "${BASH_REMATCH[1]}"
}
in_node() { # NODE COMMAND...
	local name
	name=$(field "$1")
	shift
	nsenter --net="/proc/$lab_pid/root/run/netns/$name" "$@"
}

check() { # TEXT COMMAND...: must succeed
	local text=$1
	shift
	"$@" || { echo "not so: $text"; exit 1; }
}

backlog=/proc/sys/net/core/netdev_max_backlog
exec {host_run}</run
# The one figure that every lab on the machine has in common: compared only where
# nobody else's run is there now or was when the script began.
others() { ls /proc/self/fd/$host_run/fwbench/*.json >/dev/null 2>&1; }
shared=no
! others || shared=yes
queue_is() { # LENGTH TEXT
	! others || shared=yes
	[ $shared = yes ] || check "the queue is as before $2" [ "$(cat $backlog)" = "$1" ]
}

# Everything on the host that a lab could have left.
picture() {
	cat /proc/self/mountinfo | cut -d' ' -f3-6
	ls -a /run /run/netns /run/fwbench /tmp 2>&1 | grep -v '^\.\|^total' | grep -v '^tmp\.\|\.XXXX' | grep -iE 'fwbench|netns|e2e|fail|host' || true
	ip -o link | cut -d: -f2
	ip -o address | awk '{print $2, $4}'
	ip route
	nft list ruleset 2>/dev/null || true
	grep -rs . /proc/sys/net/{ipv4,ipv6,core} |
		grep -vE 'netdev_rss_key|netdev_max_backlog|fastopen_key|neigh/default|stable_secret'
}
