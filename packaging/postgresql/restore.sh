#!/bin/sh
# Makes a new data folder of PostgreSQL with the state at one moment, or with the latest one:
#
#   restore.sh /mnt/backups/postgresql/base/2026-11-22T023000Z /mnt/backups/postgresql/wal /var/lib/postgresql/15/main \
#     2026-11-27T02:30:00.000Z
#
# Run it as the user of PostgreSQL, with the server stopped. Then start the server, and see that it has reached the
# moment: it says so in its log, takes connections, and is a primary again.
set -eu
base=$1
wal=$2
data=$3
# PostgreSQL takes no T and no Z.
moment=$(printf %s "${4:-}" | sed 's/T/ /; s/Z$/+00/')
if [ -d "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "$data is not empty" >&2
  exit 1
fi
mkdir -p "$data"
chmod 700 "$data"
tar -xzf "$base/base.tar.gz" -C "$data"
mkdir -p "$data/pg_wal"
tar -xzf "$base/pg_wal.tar.gz" -C "$data/pg_wal"
# A standby that does not exist any more must not be waited for.
{
  echo "restore_command = 'cp \"$wal/%f\" \"%p\"'"
  echo "synchronous_standby_names = ''"
  if [ -n "$moment" ]; then
    echo "recovery_target_time = '$moment'"
    echo "recovery_target_action = 'promote'"
  fi
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
