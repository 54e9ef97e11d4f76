#!/bin/bash
# fwref check and the command line: what is said, where it is said, exit codes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*"; exit 1; }

# expect CODE PATTERN COMMAND...: stdout and stderr together match the pattern.
expect() {
	local code=$1 pattern=$2 got=0
	shift 2
	"$@" >said 2>&1 || got=$?
	[ "$got" = "$code" ] || { cat said; fail "$*: exit code $got instead of $code"; }
	grep -qE -- "$pattern" said || { cat said; fail "$*: no '$pattern'"; }
}

cat >good <<'E'
classifier tuple
inspect tcp on
nat 198.18.64.0/18 to interface
permit tcp from 198.18.64.0/24 to any port 80,443,8000-8100
permit ip between 198.18.64.1 and any limit 4Mbit burst 64KiB
deny udp from any port 53 to 2001:db8::/32
E
expect 0 '^good: ok: 3 rules, 5 entries for IPv4 and 1 for IPv6 in [0-9]+ and 1 tuples$' fwref check good
printf 'permit tcp from any to any\npermti udp from any to any\n' >typo
expect 2 '^typo:2:1: expected permit, .*got "permti" \(did you mean "permit"\?\)$' fwref check typo
printf 'inspect tcp on\npermit tcp from 10.0.0.0/8 to any port 70000\n' >port
expect 2 '^port:2:40: expected a port \(0-65535\)' fwref check port
printf 'nat 2001:db8::/32 to interface\n' >nat6
expect 2 'unsupported' fwref check nat6
printf 'permit ip from any to any\ndeny tcp from 10.0.0.1 to any port 22\n' >shadow
expect 0 '^shadow:2:1: warning: never matches: line 1 covers it$' fwref check shadow
expect 2 '^missing: cannot read: No such file' fwref check missing
expect 2 'check wants one policy file' fwref check
for i in $(seq 30); do echo nonsense; done >many
expect 2 '^many: and 10 more$' fwref check many
yes 'permit tcp from any port 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 to any port 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31' |
	head -5000 >large
expect 2 'past 1048576 entries here' fwref check large

expect 0 '^fwref [0-9]+\.' fwref --version
expect 0 'fwref run .*fwref ctl|fwref ctl' fwref --help
expect 2 'no command' fwref rnu
expect 2 'unknown option --polcy' fwref run --polcy x
expect 2 '--inside IF and --outside IF are needed' fwref run --policy good
expect 2 'both lo' fwref run --inside lo --outside lo --policy good
expect 2 'no interface nix0' fwref run --inside nix0 --outside lo --policy good
expect 2 'expected kernel, user or auto' fwref run --path tc --inside a --outside b
expect 2 '--cores wants a value' fwref run --cores
expect 1 "no fwref listens on $work/none" fwref ctl stats --control "$work/none"
expect 2 'expected stats, flows or reload' fwref ctl stat
