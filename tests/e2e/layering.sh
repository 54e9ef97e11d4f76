#!/bin/bash
# Who may include whom: HACKING.md has the table in words, here it is as patterns.
set -eu
cd "$(dirname "$0")/../.."

bad=0 checked=0
for file in $(git ls-files -co --exclude-standard -- 'common/*.[ch]' 'harness/*.[ch]' 'trafficgen/*.[ch]' 'firewall-ref/*.[ch]'); do
	[ -e "$file" ] || continue
	case $file in
	common/*) allowed='^common/' ;;
	harness/scenario/*) allowed='^(common/|harness/(scenario|device|lab)/|harness/settings\.h)' ;;
	harness/lab/* | harness/probe/*) allowed='^(common/|harness/(lab|probe)/|harness/(policy|settings)\.h)' ;;
	harness/device/*) allowed='^(common/|harness/(lab|device)/|harness/(policy|settings)\.h)' ;;
	harness/report/*) allowed='^(common|harness/report)/' ;;
	harness/trial/*) allowed='^(common/|harness/(trial|lab|device|probe)/|harness/[a-z]*\.h)' ;;
	harness/*) allowed='^(common|harness)/' ;;
	trafficgen/*) allowed='^(common|trafficgen)/' ;;
	firewall-ref/datapath/*) allowed='^firewall-ref/datapath/' ;;
	firewall-ref/*) allowed='^(common|firewall-ref)/' ;;
	esac
	checked=$((checked + 1))
	while read -r include; do
		if [[ ! $include =~ $allowed ]] && [[ $include != *.skel.h ]]; then
			echo "$file includes $include"
			bad=1
		fi
	done < <(sed -n 's/^#include "\(.*\)".*/\1/p' "$file")
	case $file in
	firewall-ref/datapath/*)
		if grep -nE '^#include <' "$file" | grep -vE '<(linux|asm|bpf)/'; then
			echo "$file includes more than linux UAPI headers"
			bad=1
		fi ;;
	esac
done
[ "$checked" -gt 10 ]
exit $bad
