#!/bin/bash
# Runs that cannot be: where the results go, what the machine has not.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario refused 'device: {kind: fwref, path: user}' 'policy: {filters: 10}'

mkdir full
touch full/other file
for output in full file; do
	code=0
	fwbench run refused.yaml -o "$output" >out.log 2>err.log || code=$?
	check "$output as the results folder: a wrong argument, not $code" [ $code = 2 ]
	check "$output: one line" [ "$(wc -l <err.log)" = 1 ]
	check "$output: nothing run" [ ! -e "$output/trials.jsonl" ]
done

code=0
fwbench run refused.yaml -s lab.device-cores=250 -o results >out.log 2>err.log || code=$?
check "no trial could run for what is missing: exit code 5, not $code" [ $code = 5 ]
check "each trial says why" trials 'length > 0 and all(.[]; .state == "unsupported" and
	(.reason | test("core 250 is not among the allowed cores")))'
fwbench check refused.yaml -s lab.device-cores=250 >out.log
check "check says it before" grep -q "not here.*core 250 is not among" out.log
