#!/bin/bash
# Super-packets: an interface counts one frame for many segments, and the account
# is right all the same. Device none, one direction, IPv6.
. "$(dirname "$0")/fwbench_run_common.bash"

scenario super 'device: none' 'ip: 6' 'lab: {segmentation-offload: on}'
run_to_end fwbench run super.yaml --quiet
check "exit code 0, not $code" [ $code = 0 ]
check "the account is right" trials 'all(.checks[] | select(.name == "accounting") | .ok)'
check "frames stand for several segments" trials 'all(.load.client.tcp.segments_out > 0) and
	all(.rate.interface_bytes_per_s / .rate.interface_pps > 2000)'
check "quiet is quiet" [ ! -s err.log ] || check "quiet but for notes" bash -c '! grep -q "^trial" err.log'
