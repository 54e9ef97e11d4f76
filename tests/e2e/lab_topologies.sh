#!/bin/bash
# The three topologies from outside: interfaces, addresses, forwarding, offloads,
# steering. That packets pass, lab_open itself and lab_test show.
. "$(dirname "$0")/lab_common.bash"
need_root
alone

offload() { # NODE INTERFACE FEATURE
	in_node "$1" ethtool -k "$2" | sed -n "s/^[[:space:]]*$3: \(on\|off\).*/\1/p"
}

for topology in direct bridged routed; do
	for wanted in off on; do
		start_lab $topology $wanted "top-$topology"
		nodes="client:c0 device:in device:out server:s0"
		[ $topology != direct ] || nodes="client:c0 server:s0"
		for pair in $nodes; do
			node=${pair%:*} interface=${pair#*:}
			for feature in tx-tcp-segmentation tx-tcp6-segmentation generic-segmentation-offload; do
				is=$(offload $node $interface $feature)
				check "$topology $interface: $feature $wanted, not $is" [ "$is" = $wanted ]
			done
			[ $wanted = on ] || check "$interface: GRO off" \
				[ "$(offload $node $interface generic-receive-offload)" = off ]
		done
		for node in client server; do
			check "no duplicate address detection in the $node" \
				[ -z "$(in_node $node ip -6 address show tentative)" ]
			check "reno or cubic in the $node" [ "$(in_node $node \
				sysctl -n net.ipv4.tcp_congestion_control)" = "$(field congestion-control)" ]
		done
		case $topology in
		routed) check "the device forwards" [ "$(in_node device sysctl -n net.ipv4.ip_forward \
			net.ipv6.conf.all.forwarding | tr -d '\n')" = 11 ] ;;
		bridged) check "in and out are in a bridge" [ "$(in_node device ip -o link show master br0 | wc -l)" = 2 ] ;;
		direct) check "there is no device" [ ! -e "/proc/$lab_pid/root/run/netns/$(field device)" ] ;;
		esac
		if [ "$(field shares)" = 1 ] && [ $topology = routed ]; then
			for pair in "client c0 $(field generator-cores)" "device in $(field device-cores)" \
				"device out $(field device-cores)" "server s0 $(field generator-cores)"; do
				read -r node interface cores <<<"$pair"
				mask=$(in_node $node unshare -m sh -c "mount -t sysfs none /sys &&
					cat /sys/class/net/$interface/queues/rx-0/rps_cpus")
				# The masks of one core each, as on two cores.
				case $cores in
				*[!0-9]*) check "$interface is steered" [ -n "${mask//[0,]/}" ] ;;
				*) check "$interface is steered to core $cores, not $mask" [ $((0x${mask//,/})) = $((1 << cores)) ] ;;
				esac
			done
		fi
		stop_lab
	done
done
