#!/bin/bash
# The words of fwbench in one place each: schema, list, help, manual, completion.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fwbench --version | grep -qx "fwbench $(cat VERSION)"
fwbench check --schema >"$folder/schema.json"
jq -e '.properties.load.properties.connections.default != null and
	.properties.matrix.properties.connections and .properties.rows.items.properties.published' \
	"$folder/schema.json" >/dev/null

fwbench list --json >"$folder/list.json"
jq -e '[.scenarios[].name] | contains(["minimal", "quick", "published/bmf"])' "$folder/list.json" >/dev/null
jq -e '[.devices[].name] | contains(["none", "nftables", "fwref"])' "$folder/list.json" >/dev/null
fwbench list keys --json >"$folder/keys.json"

# The manual names every key and every option.
for key in $(jq -r '.keys[].name' "$folder/keys.json"); do
	case $key in
	device.* | policy.*) key=${key#*.} ;;
	esac
	grep -q "^\.I[ct] Ic .*\b$key\b\|^\.Ic $key\b" man/fwbench-scenario.5 || { echo "fwbench-scenario(5) lacks $key"; exit 1; }
done
# … and what each key takes: a range as it is, else every word.
block() { # KEY [SECTION]: the text of its item
	awk -v key="$1" -v section="${2:-}" '
		section != "" { if ($0 == ".It Ic " section) section = ""; next }
		/^\.(It|El)/ { inside = 0; for (i = 3; i <= NF; i++) inside = inside || $i == key; next }
		inside' man/fwbench-scenario.5
}
while IFS=$'\t' read -r key values; do
	case $key in
	device.* | policy.*) text=$(block "${key#*.}" "${key%.*}") ;;
	name | published) text="Values: $(sed -n "/^\.Ic $key\$/,/^\.Pq/s/^\.Pq //p" man/fwbench-scenario.5 | tail -1)." ;;
	*) text=$(block "$key") ;;
	esac
	if [[ $values == "at most "* || $values == *" to "* ]]; then
		grep -qxF "Values: $values." <<<"$text" || { echo "fwbench-scenario(5): $key lacks: Values: $values."; exit 1; }
		continue
	fi
	for word in ${values//,/}; do
		[ "$word" = or ] || grep -qw -e "$word" <<<"$text" || { echo "fwbench-scenario(5): $key lacks $word"; exit 1; }
	done
done < <(jq -r '.keys[] | [.name, .values] | @tsv' "$folder/keys.json")
for command in run check report clean doctor list; do
	grep -q "^\.It Cm $command" man/fwbench.1 || { echo "fwbench(1) lacks $command"; exit 1; }
	fwbench help "$command" >"$folder/help"
	for option in $(grep -o -e '--[a-z-]*' "$folder/help"); do
		grep -q -e "Fl $option\b" -e "Fl -${option#--}\b" man/fwbench.1 || { echo "fwbench(1) lacks $option"; exit 1; }
	done
done
fwbench help | grep -q 'fwbench run quick'
fwbench check --help | diff - <(fwbench help check)

# Pages that are not installed are no fault of the text.
if command -v mandoc >/dev/null; then
	mandoc -T lint man/fwbench.1 man/fwbench-scenario.5 | grep -v 'referenced manual not found' && exit 1
fi

# A program in another folder finds its scenarios.
(cd "$folder" && fwbench check quick >/dev/null && fwbench list scenarios | grep -q '^  quick ')

# Completion.
# shellcheck disable=SC1091
source man/completion/fwbench
source man/completion/fwgen
source man/completion/fwref
complete_words() { # words typed so far; the last one is completed
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	"_${1##*/}"
	echo "${COMPREPLY[*]}"
}
compopt() { :; }
typed() { # EXPECTED WORD...
	local expected=$1 got
	shift
	got=$(complete_words "$@")
	[ "$got" = "$expected" ] || { echo "completion of '$*': '$got' instead of '$expected'"; exit 1; }
}
typed report fwbench re
typed help fwbench hel
[[ " $(complete_words fwbench '') " == *" help "* ]]
typed --repeat fwbench run quick --rep
typed --set fwbench run quick --s
typed nftables fwbench run quick --device nf
typed quick fwbench run qui
typed load.duration= fwbench run quick --set load.dur
typed '' fwbench run quick --set load.duration =
typed '' fwbench run quick --set load.duration = 5
typed keys fwbench list ke
typed quick "$BUILD/fwbench" run qui
touch "$folder/my.yaml" "$folder/my.txt"
mkdir "$folder/my.folder"
typed "$folder/my.folder $folder/my.yaml" fwbench check "$folder/my"
typed "client server" fwgen ''
[[ " $(complete_words fwgen client '') " == *" --parallel "* ]]
[[ " $(complete_words "$BUILD/fwgen" server --json '') " == *" --port "* ]]
typed '' fwgen client -c ''
typed '' fwgen client --port ''
typed stream fwgen client --workload ''
[[ " $(complete_words "$BUILD/fwref" run '') " == *" --inside "* ]]
typed --policy fwref run --inside eth0 --po
typed "kernel user auto" fwref run --path ''
typed "stats flows reload --control" fwref ctl ''
typed "run check ctl --help --version" fwref ''
