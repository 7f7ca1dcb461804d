#!/bin/bash
set -euo pipefail
export LC_ALL=C
octet='(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
sed 's/[^0-9A-Za-z.]/\n/g' firewall.txt | sed -E 's/\.+$//' | grep -E "^$octet\.$octet\.$octet\.$octet$" |
  sort -u | sort -t. -k1,1n -k2,2n -k3,3n -k4,4n > addresses.txt
