#!/bin/sh
# Stores a segment of the write-ahead log of PostgreSQL. In postgresql.conf:
#
#   archive_command = '/opt/quire/packaging/postgresql/archive-wal.sh %p /mnt/backups/postgresql/wal/%f'
#   archive_timeout = 60      # at most so many seconds are lost with the server
#
# A segment that is there already must be the same: the file of another one is never replaced.
set -eu
if [ -e "$2" ]; then
  cmp -s "$1" "$2"
  exit
fi
cp "$1" "$2.unfinished"
sync "$2.unfinished"
mv "$2.unfinished" "$2"
