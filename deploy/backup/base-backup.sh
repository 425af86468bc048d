#!/bin/sh
# base-backup.sh <archive> <base backups> [how many to keep]: takes a base backup of the server that the PG… variables name, verifies its manifest, and
# removes the oldest ones with the segments that only they need. PostgreSQL's programs must be in PATH (Debian: /usr/lib/postgresql/<version>/bin).
set -eu
archive=$1 backups=$2 keep=${3:-7}
name=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$backups"
trap 'rm -rf "$backups/.$name.new"' EXIT
pg_basebackup --pgdata="$backups/.$name.new" --checkpoint=fast --wal-method=stream --no-password
pg_verifybackup --quiet "$backups/.$name.new"
mv "$backups/.$name.new" "$backups/$name"
ls -1 "$backups" | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -rf "${backups:?}/$old"; done
# The oldest base backup that is left names the first segment that a restore needs.
oldest=$(ls -1 "$backups" | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*file \([0-9A-F]*\)).*/\1/p' "$backups/$oldest/backup_label")
pg_archivecleanup "$archive" "$first"
echo "$backups/$name"
