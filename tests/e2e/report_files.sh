#!/bin/bash
# `fwbench report`: every file from a results folder, the table on stdout with the
# report's path last, the same after a broken one, an exit code that tells.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

for fixture in full published exact hostile; do
	cp -r "tests/fixtures/results-$fixture" "$work/$fixture"
	fwbench report "$work/$fixture" >"$work/out" 2>"$work/err" || fail "$fixture: exit code $?: $(cat "$work/err")"
	[ ! -s "$work/err" ] || fail "$fixture: stderr: $(cat "$work/err")"
	[ "$(tail -1 "$work/out")" = "$work/$fixture/report.html" ] || fail "$fixture: last line $(tail -1 "$work/out")"
	for file in summary.csv summary.json report.md report.html plots/rate.svg plots/rate.png plots/cost.svg; do
		[ -s "$work/$fixture/$file" ] || fail "$fixture: no $file"
	done
	[ -z "$(find "$work/$fixture" -name '*.tmp')" ] || fail "$fixture: temporary files left"
	# A strict parser takes all of it; what was not measured is null, and no row is a fiction.
	jq -e '(.rows | length > 0) and all(.rows[].figures[]; (.n == 0) == (.median == null))' "$work/$fixture/summary.json" >/dev/null ||
		fail "$fixture: summary.json"
	# One line a row, as many fields everywhere (none of the fixtures has a comma in a name).
	[ "$fixture" = hostile ] || [ "$(awk -F, '{ print NF }' "$work/$fixture/summary.csv" | sort -u | wc -l)" = 1 ] ||
		fail "$fixture: lines of summary.csv differ in length"
	# Every figure that report.md links to is there.
	for link in $(grep -o '(plots/[^)]*)' "$work/$fixture/report.md" | tr -d '()'); do
		[ -s "$work/$fixture/$link" ] || fail "$fixture: report.md links to $link"
	done
	! command -v xmllint >/dev/null || xmllint --noout "$work/$fixture/report.html" || fail "$fixture: report.html"
done

fwbench report --json "$work/full" | jq -e '.title and (.rows | length == 8)' >/dev/null || fail "--json"

# Not a results folder: a line that says so, exit code 2, as for one that is not there.
mkdir "$work/none"
code=0
fwbench report "$work/none" >"$work/out" 2>"$work/err" || code=$?
[ "$code" = 2 ] || fail "no results: exit code $code"
[ "$(cat "$work/err")" = "fwbench: $work/none: no results of fwbench in it (trials.jsonl, scenario.yaml)" ] || fail "no results: $(cat "$work/err")"

# No gnuplot in PATH: all but the figures, and the exit code of a good report.
rm -r "$work/full/plots"
mkdir "$work/bin"
for program in fwbench; do ln -s "$(command -v $program)" "$work/bin/$program"; done
PATH=$work/bin fwbench report "$work/full" >"$work/out" 2>"$work/err" || fail "no gnuplot: exit code $?"
/bin/grep -q "gnuplot is not installed" "$work/err" || fail "no gnuplot: nothing said"
/bin/grep -q "gnuplot is not installed" "$work/full/report.html" || fail "no gnuplot: no note in report.html"
[ ! -e "$work/full/plots/rate.svg" ] || fail "no gnuplot, and yet a figure"

# Into a pipe: a page's width, or what $COLUMNS says, 0 being no limit.
widest() { sed -n '/^device/,/^$/p' "$work/out" | awk 'length > most { most = length } END { print most }'; }
for try in "120:" "80:COLUMNS=80" "120:COLUMNS=wide" "300:COLUMNS=0"; do
	env -u COLUMNS ${try#*:} PATH="$work/bin" fwbench report "$work/full" >"$work/out" 2>/dev/null
	most=$(widest) limit=${try%%:*}
	[ "$most" -le "$limit" ] && [ "$most" -gt $((limit * 6 / 10)) ] || fail "width $try: $most"
done
[ "$most" -gt 120 ] || fail "COLUMNS=0: $most"

# What gnuplot says is no talk of ours: its first message stands in the report.
cat >"$work/bin/gnuplot" <<'END'
#!/bin/sh
echo '"x.gp" line 3: warning: skipping a point' >&2
echo 'more of it' >&2
exit 1
END
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH fwbench report "$work/full" >/dev/null 2>"$work/err" || fail "gnuplot warns: exit code $?"
! grep -q "skipping\|more of it" "$work/err" || fail "gnuplot warns: $(cat "$work/err")"
grep -q "no svg figure: &#34;x.gp&#34; line 3: warning: skipping a point<" "$work/full/report.html" || fail "gnuplot warns: no note"

# A run of which nothing counts: notes, not noise.
cp -r tests/fixtures/results-full "$work/failed"
sed -i 's/"state": "ok"/"state": "failed"/' "$work/failed/trials.jsonl"
fwbench report "$work/failed" >/dev/null 2>"$work/err" || fail "all failed: exit code $?"
[ ! -s "$work/err" ] || fail "all failed: $(cat "$work/err")"
grep -q "no run that counts measured it" "$work/failed/report.html" || fail "all failed: no note"

# What is there of a run that was killed in the middle of a line.
head -c 9000 tests/fixtures/results-full/trials.jsonl >"$work/full/trials.jsonl"
fwbench report "$work/full" >"$work/out" 2>/dev/null || fail "cut: exit code $?"
grep -q "^INTERRUPTED: 7 of 24 trials ran" "$work/out" || fail "cut: not marked"

# Several reports of one folder at once: each is whole.
cp -r tests/fixtures/results-full "$work/shared"
for i in 1 2; do
	fwbench report "$work/shared" >/dev/null 2>"$work/err.$i" &
	eval "pid$i=$!"
done
for i in 1 2; do
	pid=pid$i
	wait "${!pid}" || fail "report $i of two at once: $(cat "$work/err.$i")"
	[ ! -s "$work/err.$i" ] || fail "report $i of two at once: $(cat "$work/err.$i")"
done
