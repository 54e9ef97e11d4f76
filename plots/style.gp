# The look of every figure. The caller sets beforehand:
#   kind    'svg' or 'png'        output  file to write
#   width, height  in pixels      data    file with the figure's data
if (kind eq 'svg') {
	set terminal svg size width, height dynamic font 'sans-serif,13' linewidth 1
} else {
	set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,10' fontscale 2 linewidth 2 background 'white'
}
set encoding utf8
set datafile separator "\t"
set datafile missing 'NaN'
set output output

ink = '#24303c'
faint = '#5f6b77'
pale = '#d5dbe1'
set border 0
set tics scale 0 textcolor rgb ink noenhanced
set key noenhanced textcolor rgb ink
set grid xtics lt -1 lc rgb pale lw 0.6
set style fill solid 1.0 noborder

# One colour a device, always the same: no firewall, nftables, fwref in the kernel,
# fwref in user space; then those of others.
set linetype 1 lc rgb '#98a2ad'
set linetype 2 lc rgb '#c8843c'
set linetype 3 lc rgb '#2f6f9f'
set linetype 4 lc rgb '#79aecf'
set linetype 5 lc rgb '#5a8f5c'
set linetype 6 lc rgb '#8d5a97'
set linetype 7 lc rgb '#b35454'
set linetype 8 lc rgb '#4a9a97'
set linetype 9 lc rgb '#7d7142'
set linetype 10 lc rgb '#5c6ac4'
