#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh <path of the segment> <its name> <archive>. A segment is in the archive whole, or not at all; one that is
# there already with the same bytes is success, with other bytes a failure that PostgreSQL logs and retries.
set -eu
source=$1 name=$2 archive=$3
if [ -e "$archive/$name" ]; then exec cmp -s "$source" "$archive/$name"; fi
cp "$source" "$archive/.$name.new"
sync "$archive/.$name.new"
mv "$archive/.$name.new" "$archive/$name"
sync "$archive"
