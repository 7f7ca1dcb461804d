; a small bracket, units change on the way
G21
G90
G0 X200 Y200 Z5
G0 X10 Y10
G1 Z-1.5 F200
G1 X60 Y10
G1 Y42.25
X35 ; the command of the line before goes on
G91
G1 X-12.5 Y8
G0 Z6.5
G0 X-100
G1 X4 Y-3
G90
G20
G0 X1 Y1
G1 X2.5 (inches now) Y0.25
G1 Z-0.1
G21
G0 X-5 Y-5 Z10
M30
