#!/bin/bash
# fwref on the user path, which every user has; it dies in the middle: the trial
# fails and says how, the run goes on.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario fwref 'device: {kind: fwref, path: user}' 'policy: {filters: 10, inspect: tcp, nat: on}'
sed -i 's/duration: 1s/duration: 2s/' fwref.yaml
fwbench run fwref.yaml -o results >out.log 2>err.log &
run_pid=$!
client=$(child_of_run 'fwgen client')
fwref=$(child_of_run 'fwref run')
sleep 0.5
kill -9 "$fwref"
for _ in $(seq 200); do
	! grep -q . results/trials.jsonl 2>/dev/null || break
	sleep 0.05
done
check "the next trial begins" child_of_run 'fwref run' >pid.log
kill -INT "$run_pid"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 130, not $code" [ $code = 130 ]
check "the trial failed, the reason names the signal" trials '.[0] | .state == "failed" and
	(.reason | test("^fwref: killed by signal 9"))'
check "its client is gone" no_child_left "$client"
