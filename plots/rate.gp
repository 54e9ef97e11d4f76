# Bytes/sec a row: bars with least-most whiskers, grouped by policy.
# data, index 0: y, median, least, most, colour, device, text, published (or NaN)
#       index 1: y, heading of a group
#       index 2: y, device and why it has no bar
# The caller also sets: units (lines of the figure), most (end of the axis),
# margin (letters of the longest device), published (1: some row has one), title
set yrange [units + 0.1 : -0.6]
set xrange [0 : most * 1.22]
set lmargin margin
set rmargin 2
set tmargin 0.5
set bmargin 3.4
unset key
set xtics nomirror format '%.0f'
if (most < 20) { set xtics format '%g' }
set xlabel title noenhanced textcolor rgb ink
set ytics nomirror
plot data index 0 using 2:1:(0):2:($1 - 0.36):($1 + 0.36):5:ytic(6) with boxxyerror lc variable, \
	data index 0 using 2:1:3:4 with xerrorbars pt 0 ps 0 lw 1.4 lc rgb ink, \
	data index 0 using (($4 > $2 ? $4 : $2) + most * 0.012):1:7 with labels left noenhanced textcolor rgb ink, \
	data index 1 using (0):1:2 with labels left offset -0.5, 0 noenhanced textcolor rgb faint, \
	data index 0 using (published ? $8 : NaN):($1 - 0.36):(0):(0.72) with vectors nohead lw 2.5 lc rgb ink, \
	data index 2 using (most * 0.012):1:3:ytic(2) with labels left noenhanced textcolor rgb faint
unset output
