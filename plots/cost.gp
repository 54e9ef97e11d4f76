# Device CPU per gigabit a row: what the device's empty form costs (pale) and its
# own cost on top (its colour), with least-most whiskers of the sum.
# data, index 0: y, empty, median, least, most, colour, device, text
#       index 1: y, heading of a group
#       index 2: y, device and why it has no bar
# The caller also sets: units, most, margin, title
set yrange [units + 0.1 : -0.6]
set xrange [0 : most * 1.22]
set lmargin margin
set rmargin 2
set tmargin 0.5
set bmargin 3.4
unset key
set xtics nomirror format '%g'
set xlabel title noenhanced textcolor rgb ink
set ytics nomirror
plot data index 0 using 3:1:2:3:($1 - 0.36):($1 + 0.36):6:ytic(7) with boxxyerror lc variable, \
	data index 0 using 2:1:(0):2:($1 - 0.36):($1 + 0.36) with boxxyerror fc rgb pale, \
	data index 0 using 3:1:4:5 with xerrorbars pt 0 ps 0 lw 1.4 lc rgb ink, \
	data index 0 using (($5 > $3 ? $5 : $3) + most * 0.012):1:8 with labels left noenhanced textcolor rgb ink, \
	data index 1 using (0):1:2 with labels left offset -0.5, 0 noenhanced textcolor rgb faint, \
	data index 2 using (most * 0.012):1:3:ytic(2) with labels left noenhanced textcolor rgb faint
unset output
