#!/bin/bash
# An ordinary user: a run in a user namespace, without CPU shares; what was
# not measured is null.
. "$(dirname "$0")/fwbench_run_common.bash"

as=
if [ "$(id -u)" = 0 ]; then
	as="setpriv --reuid 65534 --regid 65534 --clear-groups"
	$as unshare -Ur true 2>/dev/null || { echo "skip: no kernel feature: user namespaces"; exit 77; }
	mkdir bin
	cp "$BUILD"/fwbench "$BUILD"/fwgen bin/
	PATH=$work/bin:$PATH
	chown -R 65534 "$work"
fi
scenario user 'device: none'
chmod 644 user.yaml
run_to_end $as "$(command -v fwbench)" run user.yaml
check "exit code 0, not $code" [ $code = 0 ]
check "it accounts for the traffic" trials 'all(.state == "ok")'
check "device CPU is unknown, not 0" trials 'all(.cpu.method == "none" and .cpu.device_s == null and .cpu.per_gigabit_ms == null)'
check "it says what that rules out" grep -q 'without CPU shares' err.log
