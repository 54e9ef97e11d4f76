#!/bin/bash
# fwgen dies in the middle: that trial is failed and says so, the run goes on.
. "$(dirname "$0")/fwbench_run_common.bash"

repeat=2 scenario dead 'device: none'
fwbench run dead.yaml -o results >out.log 2>err.log &
run_pid=$!
client=$(child_of_run 'fwgen client')
sleep 0.4
kill -9 "$client"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 1, not $code" [ $code = 1 ]
check "two trials" trials 'length == 2'
check "the first failed, the reason names the signal" trials '.[0] | .state == "failed" and
	(.reason | test("^fwgen client: killed by signal 9"))'
check "the second is ok" trials '.[1].state == "ok"'
