#!/bin/bash
# Every device with every policy, MTU-size packets and super-packets: all trials
# are ok but IPv6 with NAT, which is unsupported and says so.
. "$(dirname "$0")/../fwbench_run_common.bash"

path=user
[ "$(id -u)" != 0 ] || path=kernel
scenario devices 'matrix:' '  lab.segmentation-offload: [off, on]' '  ip: [4, 6]' \
	"  device: [none, nftables, {name: fwref, kind: fwref, path: $path}]" \
	'  policy:' '    - {name: filters, filters: 20}' \
	'    - {name: all, filters: 10, inspect: tcp, nat: on}' \
	'    - {name: limit, filters: 10, limit: 40Mbit}'
code=0
fwbench run devices.yaml -o results >out.log 2>err.log || code=$?
check "exit code 0, not $code" [ $code = 0 ]
check "no trial failed" trials 'all(.state == "ok" or .state == "unsupported")'
check "IPv6 NAT is unsupported on both devices, and says why" trials '
	map(select(.state == "unsupported")) | length == 4 and
	all(.key.ip == 6 and .key.policy == "all" and (.reason | test("NAT")))'
check "nothing else is" trials 'map(select(.state == "ok")) | length >= 16'
check "behind NAT the server saw one address" trials 'map(select(.key.policy == "all" and .state == "ok")) |
	length > 0 and all(.load.server.peers.count == 1)'
check "every limit was judged" trials 'map(select(.key.policy == "limit")) |
	length == 8 and all(.checks | any(.name == "limit" and .ok))'
check "super-packets were super" trials 'map(select(.key["segmentation-offload"] == "on" and .key.policy == "filters")) |
	all(.rate.interface_bytes_per_s / .rate.interface_pps > 2000)'
