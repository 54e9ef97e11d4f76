#!/bin/bash
# Standard streams that are closed or that nobody reads any more, a terminal that goes
# away, and the short PATH of an ordinary user.
. "$(dirname "$0")/fwbench_run_common.bash"

# No file of the results may get the number of a closed stream: what is meant for the
# stream would go into it.
scenario closed 'device: none'
for _ in 1 2 3; do # as run_to_end, with the streams closed
	rm -rf results
	code=0
	fwbench run closed.yaml -o results <&- >&- 2>&- || code=$?
	grep -qs 'held up by other work' results/trials.jsonl || break
done
check "exit code 1, not $code: the table could not be printed" [ $code = 1 ]
check "trials.jsonl holds trials only" trials 'length == 1 and .[0].state == "ok"'
check "samples.csv holds samples only" bash -c '! grep -qv "^trial,\|^1," results/samples.csv'
check "the report is there" [ -s results/report.html ]

# A progress that nobody reads ends nothing; SIGHUP ends a run as SIGTERM does.
rm -r results
scenario long 'device: none'
sed -i 's/duration: 1s/duration: 60s/' long.yaml
exec 9> >(exec true)
fwbench run long.yaml -o results >out.log 2>&9 &
run_pid=$!
exec 9>&-
client=$(child_of_run 'fwgen client')
server=$(child_of_run 'fwgen server')
kill -HUP "$run_pid"
code=0
wait "$run_pid" || code=$?
run_pid=
check "exit code 130, not $code" [ $code = 130 ]
check "the trial is interrupted" trials 'length == 1 and .[0].state == "interrupted"'
check "the report is there then too" [ -s results/report.html ]
check "nothing is left running" no_child_left "$client" "$server"

# nft and tc are where the PATH of an ordinary user does not look.
PATH=$BUILD:/usr/bin:/bin fwbench doctor --json >doctor.json 2>err.log || true
for program in nft tc; do
	[ ! -x /usr/sbin/$program ] ||
		check "$program is found" jq -e "all(.why != \"there is no program $program\")" doctor.json >/dev/null
done
