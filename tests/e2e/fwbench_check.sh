#!/bin/bash
# fwbench check: the scenarios that come with it, the time they take, JSON, messages.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Every scenario is right and plans at least one row; the resolved form plans the same.
for scenario in scenarios/*.yaml scenarios/published/*.yaml; do
	fwbench check "$scenario" >"$folder/plan"
	fwbench check --json "$scenario" >"$folder/plan.json"
	jq -e '(.rows | length) >= 1 and (.trials | length) == (.rows | length) * .repetitions' "$folder/plan.json" >/dev/null
	grep -q "^$(jq -r .title "$folder/plan.json") (" "$folder/plan"
done

# quick stays under two minutes, with the rows it promises.
fwbench check --json quick >"$folder/quick.json"
jq -e '.expected_seconds < 120 and .expected_seconds > 30' "$folder/quick.json" >/dev/null
jq -e '[.rows[] | select(.hidden | not) | .key.device] | group_by(.) | map(length) == [4, 4, 1]' "$folder/quick.json" >/dev/null
jq -e '.rows[] | select(.hidden) | .key.device == "fwref (empty)"' "$folder/quick.json" >/dev/null

# The published table, row by row, as the data has it.
fwbench check --json published/bmf >"$folder/bmf.json"
jq -r '.rows[] | select(.hidden | not) | [.key.connections, .key.device, .published_bps / 1e6] | @csv' \
	"$folder/bmf.json" | tr -d '"' | sed 's/fwref/bmf/' >"$folder/rows"
[ "$(wc -l <"$folder/rows")" = 17 ]
if [ -e results/published/bmf.csv ]; then
	grep -v -e '^#' -e ^connections results/published/bmf.csv | cut -d, -f1,2,7 | diff - "$folder/rows"
fi

# Overrides.
fwbench check --json quick --set connections=50 --set policy.filters=50 --repeat 2 --device fwref >"$folder/less.json"
jq -e '.repetitions == 2 and (.rows | length) == 5' "$folder/less.json" >/dev/null
fwbench run --dry-run quick --repeat 1 | grep -q '1 repetition:'

# The same seed gives the same order, another seed another one.
order() { fwbench check --json quick --set seed="$1" | jq -c '[.trials[].row]'; }
[ "$(order 1)" = "$(order 1)" ]
[ "$(order 1)" != "$(order 2)" ]

# What is wrong is one line on stderr, nothing on stdout, exit 2.
wrong() { # expected words...
	local expected=$1 code=0
	shift
	fwbench "$@" >"$folder/out" 2>"$folder/err" || code=$?
	if [ "$code" != 2 ] || [ -s "$folder/out" ] || [ "$(wc -l <"$folder/err")" != 1 ] ||
		! grep -qF -- "$expected" "$folder/err"; then
		echo "fwbench $*: exit $code, not 2 with: $expected"
		cat "$folder/out" "$folder/err"
		exit 1
	fi
}
printf 'load:\n  conections: 200\n' >"$folder/bad.yaml"
wrong "bad.yaml:2:3: unknown key \"conections\"; the nearest is \"connections\"" check "$folder/bad.yaml"
wrong "bad.yaml:2:3:" run "$folder/bad.yaml"
wrong "nowhere: no such scenario" check nowhere
wrong "--set load.duration=5: load.duration: expected a time" check quick --set load.duration=5
wrong "--device iptables: scenarios/quick.yaml has no such device" check quick --device iptables
wrong "a command is missing"
wrong "no command chekc, did you mean check?" chekc quick
wrong "check: FILE is missing" check
wrong "run: FILE is missing" run --repeat 2
wrong "check: one word too many: b" check a b
wrong "clean: one word too many: x" clean x
wrong "check: unknown option --jsno, did you mean --json" check --jsno quick
wrong "check: unknown option -x" check -x quick
wrong "run: unknown option -nqx" run -nqx quick
wrong "--device nftabels: " check quick -d fwref -d nftabels
wrong "--device : " check quick -d ""
wrong "run: --output needs its argument FOLDER" run quick --output
wrong "check: --json takes no argument" check --json=yes quick
wrong "list: planets: expected scenarios, devices, workloads or keys" list planets
wrong "help: no command bake" help bake
(cd "$folder" && wrong "no results below results/ here" report)
# A folder scenarios of one's own does not hide those that come with fwbench.
mkdir -p "$folder/own/scenarios"
echo 'title: mine' >"$folder/own/scenarios/mine.yaml"
(cd "$folder/own" && fwbench check quick >/dev/null && fwbench check mine | grep -q '^mine (scenarios/mine.yaml)')
wrong "report: $folder/none: No such file or directory" report "$folder/none"
wrong "report: $folder/plan: Not a directory" report "$folder/plan"
mkdir "$folder/empty"
wrong "$folder/empty: no results of fwbench in it" report "$folder/empty"

# Letters may stand together, and one with an argument may end them.
fwbench run -nJqr2 quick | jq -e '.repetitions == 2' >/dev/null

# What cannot be printed is not passed over.
for command in --version help "help run" "run --help" "list keys" "check quick" "check --schema"; do
	code=0
	# shellcheck disable=SC2086
	fwbench $command >/dev/full 2>"$folder/err" || code=$?
	[ "$code" = 1 ] && [ "$(grep -v 'not root' "$folder/err")" = "fwbench: cannot write to stdout" ] ||
		{ echo "fwbench $command >/dev/full: exit $code"; cat "$folder/err"; exit 1; }
done
