#!/bin/bash
# The README's example scenario and policy load as they stand there, and the
# scenario keeps to a newcomer's patience.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sed -n '/^```yaml$/,/^```$/p' README.md | sed '1d; /^```$/,$d' >"$folder/my.yaml"
[ -s "$folder/my.yaml" ] || { echo "README.md has no yaml block"; exit 1; }
fwbench check --json "$folder/my.yaml" >"$folder/plan.json"
jq -e '.expected_seconds < 180 and (.rows | length) > 1' "$folder/plan.json" >/dev/null ||
	{ echo "README.md: the example takes $(jq .expected_seconds "$folder/plan.json") s"; exit 1; }

awk '/^```/ { if (policy) exit; next } /^inspect / { policy = 1 } policy' README.md >"$folder/my.policy"
[ "$(wc -l <"$folder/my.policy")" = 3 ] || { echo "README.md has no policy of three lines"; exit 1; }
fwref check "$folder/my.policy" >/dev/null
