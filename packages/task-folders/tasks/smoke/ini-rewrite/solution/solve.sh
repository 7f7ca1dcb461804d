#!/bin/bash
set -euo pipefail
export LC_ALL=C
sed -i -E \
  -e '/^\[cache\]/,/^\[http\]/ s/^port *=.*/port = 6380/' \
  -e '/^\[http\]/,$ s/^timeout *=.*/timeout = 45\nworkers = 8/' \
  -e '/^\[database\]/,/^\[cache\]/ { /^# timeout/d; /^timeout/d }' server.ini
