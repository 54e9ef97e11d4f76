#!/bin/bash
# nftables with inspection and NAT; the run is interrupted after its first trial,
# which is whole and in the report.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario nft 'device: nftables' 'policy: {filters: 10, inspect: tcp, nat: on}'
fwbench run nft.yaml -o results >out.log 2>err.log &
run_pid=$!
for _ in $(seq 200); do
	! grep -q . results/trials.jsonl 2>/dev/null || break
	sleep 0.05
done
kill -INT "$run_pid"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 130, not $code" [ $code = 130 ]
check "the first trial is the row, and ok" trials '.[0] | .hidden == false and .state == "ok"'
check "every check is there and ok" trials '.[0] | (.checks | map({(.name): .ok}) | add) ==
	{window: true, permitted: true, stranger: true, peers: true, accounting: true}'
check "the server saw the NAT address" trials '.[0] | .load.server.peers.addresses == ["198.19.0.1"]'
check "the policy is in it" trials '.[0] | .policy_text | contains("ct state established,related accept")'
check "flows were tracked" trials '.[0] | .device.flows >= 10'
check "the stranger was dropped and counted before the traffic" trials '.[0] | .device.drops.policy >= 1 and .drops.device.policy == 0'
check "the report is there" [ -s results/report.html ]
