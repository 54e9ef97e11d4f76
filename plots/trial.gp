# One trial as a system monitor draws it: Bytes/sec above, CPU below.
# data: time_s, Bytes/sec in the unit of the axis, device CPU %, generator CPU %
# The caller also sets: most (end of the rate's axis), unit, last (seconds), step,
# window_start, window_end, colour (of the device), has_rate,
# has_device, has_generator, rate_text, cpu_text (the averages, printed under each graph)
set multiplot
set xrange [0 : last]
set lmargin 7
set rmargin 1.5
set grid xtics ytics lt -1 lc rgb pale lw 0.6
set style fill solid 0.35 noborder
set object 1 rectangle from 0, graph 0 to window_start, graph 1 behind fc rgb '#eceff2' fs solid noborder
set object 2 rectangle from window_end, graph 0 to last, graph 1 behind fc rgb '#eceff2' fs solid noborder

set tmargin at screen 0.91
set bmargin at screen 0.58
set title unit noenhanced textcolor rgb faint offset 0, -0.6
set xtics step nomirror format ''
set ytics nomirror
set yrange [0 : most]
set ytics most / 2.0
set xlabel rate_text noenhanced textcolor rgb ink offset 0, 0.9
if (has_rate) {
	plot data using 1:2 with filledcurves y1=0 lc colour notitle, \
		data using 1:2 with lines lw 1.6 lc colour notitle
} else {
	set label 9 'Bytes/sec was not measured' at graph 0.5, 0.5 center textcolor rgb faint
	plot -1 notitle
	unset label 9
}

set tmargin at screen 0.38
set bmargin at screen 0.17
set title 'CPU %: device (filled), generator (line)' noenhanced textcolor rgb faint offset 0, -0.6
set xtics step nomirror format '%g s'
set yrange [0 : 100]
set ytics 50
set xlabel cpu_text noenhanced textcolor rgb ink offset 0, 0.5
if (has_device && has_generator) {
	plot data using 1:4 with lines lw 1.2 lc rgb faint notitle, \
		data using 1:3 with filledcurves y1=0 lc colour notitle, \
		data using 1:3 with lines lw 1.6 lc colour notitle
} else { if (has_device) {
	plot data using 1:3 with filledcurves y1=0 lc colour notitle, \
		data using 1:3 with lines lw 1.6 lc colour notitle
} else { if (has_generator) {
	plot data using 1:4 with lines lw 1.2 lc rgb faint notitle
} else {
	set label 9 'CPU was not measured' at graph 0.5, 0.5 center textcolor rgb faint
	plot -1 notitle
	unset label 9
} } }
unset multiplot
unset output
