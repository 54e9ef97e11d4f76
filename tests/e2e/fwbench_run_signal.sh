#!/bin/bash
# SIGINT and SIGTERM in the middle: exit code 130, the trial is kept and marked,
# the report is there, nothing is left running. A second signal ends it at once.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario long 'device: none'
sed -i 's/duration: 1s/duration: 60s/' long.yaml
fwbench run long.yaml -o results >out.log 2>err.log &
run_pid=$!
client=$(child_of_run 'fwgen client')
server=$(child_of_run 'fwgen server')
for _ in $(seq 60); do # the window has begun
	grep -q . results/samples.csv && sleep 1.2 && break
	sleep 0.05
done
kill -INT "$run_pid"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 130, not $code" [ $code = 130 ]
check "the trial is interrupted" trials 'length == 1 and (.[0] | .state == "interrupted" and .reason == "interrupted")'
check "with what was measured" trials '.[0] | .rate.interface_bytes_per_s > 0 and .load.client.reason == "interrupted"'
check "the report is there" [ -s results/report.html ]
check "nothing is left running" no_child_left "$client" "$server"

rm -r results
fwbench run long.yaml -o results >out.log 2>err.log &
run_pid=$!
client=$(child_of_run 'fwgen client')
server=$(child_of_run 'fwgen server')
kill -STOP "$client" # it cannot answer the first signal
kill -TERM "$run_pid"
sleep 0.2
kill -TERM "$run_pid"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 130 at once, not $code" [ $code = 130 ]
check "nothing is left running then either" no_child_left "$client" "$server"
