#!/bin/bash
# A whole run: nftables with inspection and NAT, MTU-size packets.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario tiny 'device: nftables' 'policy: {filters: 10, inspect: tcp, nat: on}'
code=0
fwbench run tiny.yaml -o results >out.log 2>err.log || code=$?
check "exit code 0, not $code" [ $code = 0 ]
check "the report's path comes last" [ "$(tail -1 out.log)" = results/report.html ]
for file in scenario.yaml environment.json trials.jsonl samples.csv summary.json report.html; do
	check "$file is there" [ -s results/$file ]
done
check "environment.json is JSON and knows the run" jq -e '.run.trials > 0 and .lab' results/environment.json >out2.log
check "every trial is ok" trials 'length > 0 and all(.state == "ok" and .reason == null)'
row='map(select(.hidden | not)) | length == 1 and (.[0] |'
check "it accounts for the traffic" trials "$row (.checks | map({(.name): .ok}) | add) ==
	{permitted: true, stranger: true, peers: true, accounting: true})"
check "the server saw the NAT address" trials "$row .load.server.peers.addresses == [\"198.19.0.1\"])"
check "every connection moved data" trials "$row .connections == {asked: 10, open: 10, failed: 0})"
check "it has rates" trials "$row .rate.interface_bytes_per_s > 0 and .rate.goodput_bps > 0)"
check "interface bytes are more than payload" trials "$row .rate.interface_bytes_per_s * 8 > .rate.goodput_bps)"
check "the policy is in it" trials "$row (.policy_text | contains(\"ct state established,related accept\")))"
check "the stranger was dropped and counted before the traffic" trials "$row .device.drops.policy >= 1 and .drops.device.policy == 0)"
check "samples: head and a line a second" [ "$(grep -c '^1,' results/samples.csv)" -ge 1 ]
check "eleven fields a line" awk -F, 'NF != 11 { bad = 1 } END { exit bad }' results/samples.csv
check "a plain line a trial on stderr" grep -q '^trial 1 of .*/s' err.log
check "no terminal codes on stderr" bash -c '! grep -q $'"'\\033'"' err.log'
