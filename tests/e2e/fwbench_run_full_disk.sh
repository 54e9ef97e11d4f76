#!/bin/bash
# The disk is full when the trial is to be kept: the run ends and says so, what is
# there is whole.
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "skip: no root"; exit 77; }
# A mount namespace of our own for the small disk.
[ -n "${ALONE:-}" ] || ALONE=1 exec unshare -m --propagation private bash "$0"
. "$(dirname "$0")/fwbench_run_common.bash"

mkdir disk
mount -t tmpfs -o size=64k none disk
scenario full 'device: nftables' 'policy: {filters: 4000, nat: on}'
code=0
fwbench run full.yaml -o disk/results >out.log 2>err.log || code=$?
check "exit code 1, not $code" [ $code = 1 ]
check "it says so" grep -q 'No space left on device; the results so far are whole' err.log
check "scenario.yaml is whole" grep -q '^title' disk/results/scenario.yaml
check "trials.jsonl is empty or ends with a newline" bash -c '[ ! -s disk/results/trials.jsonl ] || [ "$(tail -c1 disk/results/trials.jsonl)" = "" ]'
check "so does samples.csv" [ "$(tail -c1 disk/results/samples.csv)" = "" ]
umount disk

# A limit on the size of files is no different from a full disk.
code=0
(ulimit -f 1; fwbench run full.yaml -o limited >out.log 2>err.log) || code=$?
check "exit code 1 then too, not $code" [ $code = 1 ]
check "it says so then too" grep -q 'environment.json: File too large' err.log
check "nothing half-written is left" [ "$(cd limited && echo $(ls -A))" = "plots samples.csv scenario.yaml trials.jsonl" ]
