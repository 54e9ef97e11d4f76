#!/bin/bash
# After an orderly end, after kill -9 and `clean`, after a failure at each step:
# the host is as before. With and without a /run/netns on the host.
. "$(dirname "$0")/lab_common.bash"
need_root
alone

for with_netns in yes no; do
	mount -t tmpfs tmpfs /run
	mount --make-shared /run
	[ $with_netns = no ] || mkdir /run/netns
	touch /run/a-file
	before=$(picture) queue=$(cat $backlog)
	same() {
		local after
		after=$(picture)
		[ "$before" = "$after" ] || { echo "$1 ($with_netns /run/netns):"
			diff <(echo "$before") <(echo "$after") || true; exit 1; }
		queue_is "$queue" "$1"
		rm -f /run/a-file && touch /run/a-file # still the host's own
	}

	start_lab routed off end
	check "the queue is raised" [ "$(cat $backlog)" -ge 65536 ]
	check "the state is on the host" [ -s /run/fwbench/end.json ]
	check "what was in /run can be seen inside" [ -f /proc/"$lab_pid"/root/run/a-file ]
	stop_lab
	same "after an orderly end"

	start_lab routed off killed
	kill_lab
	check "a killed lab leaves its state file" [ -s /run/fwbench/killed.json ]
	check "clean finds it" [ "$("$driver" clean)" = "removed 1" ]
	same "after kill -9 and clean"
	check "clean finds nothing more" [ "$("$driver" clean)" = "removed 0" ]

	# Two at once: the one that ends last puts the value back.
	start_lab direct on first
	first_pid=$lab_pid first_in=$lab_in
	exec {hold}< <(sleep 0.3; exec "$driver" hold bridged off second </dev/null)
	cat <&"$hold" >/dev/null
	exec {hold}<&-
	check "the first one still has it" [ "$(cat $backlog)" -ge 65536 ]
	lab_pid=$first_pid lab_in=$first_in
	stop_lab
	same "after two at once"

	for topology in direct bridged routed; do
		check "failing after each step of $topology" "$driver" fail $topology off
		same "after failures of $topology"
	done

	# An `ip` that fails at its first, second, third call.
	folder=$(mktemp -d)
	for call in 1 2 3; do
		echo 0 >"$folder/count"
		cat >"$folder/ip" <<-END
			#!/bin/bash
			n=\$((\$(cat $folder/count) + 1))
			echo \$n >$folder/count
			[ \$n != $call ] || { echo "no luck" >&2; exit 1; }
			exec $(command -v ip) "\$@"
		END
		chmod +x "$folder/ip"
		code=0
		err=$(PATH=$folder:$PATH "$driver" hold routed off 2>&1 </dev/null) || code=$?
		check "exit code 1, not $code" [ $code = 1 ]
		check "says it: $err" grep -q 'ip -batch failed: no luck' <<<"$err"
		same "after an ip that fails at call $call"
	done
	rm -r "$folder"
	umount /run
done
