#!/bin/sh
# verify-backup.sh <archive> <base backups> <kept checkpoints> [options of `backup verify`]: restores the newest base backup and all archived segments
# into a server of its own, which nobody but this script can reach, and compares it with the checkpoints that were kept elsewhere. Ends with what
# `backup verify` ends with; see docs/operations/back-up-and-restore.md.
#
# Run it as the account that owns the back-ups, never as root. OVERA_ADMIN is the operator's command (default: `overa admin`); it needs
# OVERA_SECRET_KEYS and OVERA_CREDENTIAL_KEY. BACKUP_DATABASE is the database's name (default: overa), BACKUP_USER its owner (default: overa).
set -eu
archive=$(realpath "$1") backups=$2 kept=$(realpath "$3")
shift 3
newest=$(ls -1 "$backups" | sort | tail -n 1)
[ -n "$newest" ] || { echo "verify-backup: $backups has no base backup" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'pg_ctl --pgdata="$scratch/data" --mode=immediate stop >/dev/null 2>&1 || true; rm -rf "$scratch"' EXIT
pg_verifybackup --quiet "$backups/$newest"
cp -R "$backups/$newest" "$scratch/data"
chmod 700 "$scratch/data"
touch "$scratch/data/recovery.signal"
# Debian keeps the settings of a server outside its data; what the scratch server needs is below.
[ -e "$scratch/data/postgresql.conf" ] || touch "$scratch/data/postgresql.conf"
cat >>"$scratch/data/postgresql.auto.conf" <<SETTINGS
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_timeline = 'latest'
archive_mode = off
hot_standby = off
listen_addresses = ''
unix_socket_directories = '$scratch'
port = 5432
fsync = off
synchronous_standby_names = ''
primary_conninfo = ''
ssl = off
hba_file = '$scratch/hba.conf'
SETTINGS
echo "local all all trust" >"$scratch/hba.conf"
pg_ctl --pgdata="$scratch/data" --log="$scratch/log" --wait --timeout="${BACKUP_TIMEOUT:-3600}" start >/dev/null ||
  { tail -n 20 "$scratch/log" >&2; exit 1; }
status=0
DATABASE_URL="postgres://${BACKUP_USER:-overa}@localhost/${BACKUP_DATABASE:-overa}?host=$scratch" ${OVERA_ADMIN:-overa admin} backup verify "$kept" "$@" || status=$?
exit "$status"
