#!/bin/bash
# A firewall that lets nothing through: the trial fails, says so, and stays out
# of the means; the run goes on. The nft in front of the real one spoils the rules.
. "$(dirname "$0")/../fwbench_run_common.bash"

real=$(command -v nft || echo /usr/sbin/nft)
[ -x "$real" ] || { echo "no nft: ./packages check"; exit 1; }
mkdir bin
cat >bin/nft <<EOF
#!/bin/sh
[ "\$1" = -f ] || exec $real "\$@"
sed 's/ accept\$/ drop/' | $real -f -
EOF
chmod +x bin/nft
scenario denied 'device: nftables' 'policy: {filters: 10}'
code=0
PATH=$work/bin:$PATH fwbench run denied.yaml -o results >out.log 2>err.log || code=$?
check "exit code 1, not $code" [ $code = 1 ]
check "the row failed and says why" trials 'map(select(.hidden | not)) | length == 1 and
	(.[0] | .state == "failed" and (.reason | test("fwgen client.*(connect-failed|ETIMEDOUT)")))'
check "nothing was measured" trials 'map(select(.hidden | not)) | .[0].rate == null'
check "its drops are counted" trials 'map(select(.hidden | not)) | .[0].device.drops == null or .[0].device.drops.policy >= 0'
check "stderr names it" grep -q 'failed: fwgen client' err.log
check "the report is there" [ -s results/report.html ]
