#!/bin/bash
# kill -9 of fwbench: its processes and namespaces go with it, results so far are
# whole lines, and the next report reads them.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario killed 'device: nftables' 'policy: {filters: 10, nat: on}'
fwbench run killed.yaml -o results >out.log 2>err.log &
run_pid=$!
client=$(child_of_run 'fwgen client')
server=$(child_of_run 'fwgen server')
# The namespaces by their inodes: nobody may hold one of them later.
spaces=$(for pid in $client $server; do readlink "/proc/$pid/ns/net"; done | sort -u)
check "client and server are in namespaces of their own" [ "$(wc -l <<<"$spaces")" = 2 ]
kill -9 "$run_pid"
wait "$run_pid" 2>/dev/null || true
run_pid=
check "client and server are gone" no_child_left "$client" "$server"
for pid in /proc/[0-9]*; do
	check "no process holds a namespace of the lab: $pid" \
		bash -c '! grep -qxF "$(readlink '"$pid"'/ns/net 2>/dev/null)" <<<"$0"' "$spaces"
done
check "trials.jsonl has whole lines only" bash -c '[ ! -s results/trials.jsonl ] || [ "$(tail -c1 results/trials.jsonl)" = "" ]'
check "scenario.yaml is whole" grep -q '^title' results/scenario.yaml
check "the scenario runs again as it stands" fwbench check results/scenario.yaml >check.log 2>&1
