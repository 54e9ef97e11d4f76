#!/bin/bash
# A whole run without a firewall, MTU-size packets: what it leaves behind.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario tiny 'device: none'
run_to_end fwbench run tiny.yaml
check "exit code 0, not $code" [ $code = 0 ]
check "the report's path comes last" [ "$(tail -1 out.log)" = results/report.html ]
for file in scenario.yaml environment.json trials.jsonl samples.csv summary.json report.html; do
	check "$file is there" [ -s results/$file ]
done
check "environment.json is JSON and knows the run" jq -e '.run.trials == 1 and .lab' results/environment.json >jq.log
check "the trial is ok" trials 'length == 1 and (.[0] | .state == "ok" and .reason == null)'
check "it accounts for the traffic" trials '.[0] | (.checks | map({(.name): .ok}) | add) ==
	{window: true, permitted: true, peers: true, accounting: true}'
check "every connection moved data" trials '.[0] | .connections == {asked: 10, open: 10, failed: 0}'
check "frames carry a segment each" trials '.[0] | .rate.interface_bytes_per_s / .rate.interface_pps < 1515'
check "interface bytes are more than payload" trials '.[0] | .rate.interface_bytes_per_s * 8 > .rate.goodput_bps and .rate.goodput_bps > 0'
check "samples: a line a second" [ "$(grep -c '^1,' results/samples.csv)" -ge 1 ]
check "eleven fields a line" awk -F, 'NF != 11 { bad = 1 } END { exit bad }' results/samples.csv
check "a plain line a trial on stderr" grep -q '^trial 1 of 1 .*/s' err.log
check "no terminal codes on stderr" bash -c '! grep -q $'"'\\033'"' err.log'
code=0
fwbench run tiny.yaml -o results >again.log 2>&1 || code=$?
check "results are not overwritten: exit code 2, not $code" [ $code = 2 ]
check "it says so" grep -q 'results: not empty' again.log
