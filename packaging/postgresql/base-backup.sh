#!/bin/sh
# Makes a base backup of PostgreSQL, for restore.sh. Run it once a week, on any machine that may connect for replication:
#
#   base-backup.sh postgres://quire-backup@db1.example.org/ /mnt/backups/postgresql
#
# The server needs wal_level = replica, archive_mode = on, and archive-wal.sh as its archive_command. Remove old base
# backups by hand, and segments of the log that are older than the oldest base backup by pg_archivecleanup.
set -eu
address=$1
target=$2/base/$(date -u +%Y-%m-%dT%H%M%SZ)
mkdir -p "$2/base" "$2/wal"
pg_basebackup --dbname="$address" --pgdata="$target.unfinished" --format=tar --gzip --checkpoint=fast --wal-method=stream
mv "$target.unfinished" "$target"
sync
echo "$target"
