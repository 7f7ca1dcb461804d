#!/bin/bash
# Usage: backup.sh SOURCE TARGET
# Copies every .txt file directly below SOURCE to TARGET (made if needed), adds ".bak" to its name,
# and prints "copied N" with the number of copies. Without a SOURCE folder: message on stderr, exit code 2.

source=$1
target=$2
count=0

if [ ! -d $source ]; then
  echo "no such folder: $source"
  exit 1
fi

mkdir $target
ls $source/*.txt | while read file; do
  name=`basename $file .txt`
  cp $file $target/$name.bak
  count=$((count + 1))
done

echo "copied $count"
