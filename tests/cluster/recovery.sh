#!/bin/bash
# Goes back to an earlier moment with the scripts of packaging/postgresql and `quire backup --files-only`. Needs Debian's
# postgresql, and root or the user postgres:
#
#   tests/cluster/recovery.sh
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(echo /usr/lib/postgresql/*/bin | tr ' ' '\n' | tail -1)
folder=$(mktemp -d /tmp/quire-recovery-XXXXXX)
chmod 755 "$folder"
mkdir "$folder/backups" "$folder/backups/wal" "$folder/socket"
cp "$here"/packaging/postgresql/*.sh "$folder"
[ "$(id -u)" != 0 ] || chown -R postgres "$folder"
as_postgres() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/tmp PATH="$programs:$PATH" "$@"; else env PATH="$programs:$PATH" "$@"; fi
}
running=
finish() {
  [ -z "$running" ] || as_postgres pg_ctl -D "$running" -m immediate stop >/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
start() {
  as_postgres pg_ctl -D "$1" -w -l "$folder/socket/log" start >/dev/null || { cat "$folder/socket/log"; exit 1; }
  running=$1
}
ask() { as_postgres psql -h "$folder/socket" -d "$1" -qAtc "$2"; }
socket=$(echo "$folder/socket" | sed "s#/#%2F#g")
export QUIRE_DATABASE_URL="postgres://postgres@$socket:5432/quire" QUIRE_SECRET=a-secret-of-this-test-that-is-long-enough
export QUIRE_DATA="$folder/data" QUIRE_LOG_LEVEL=error
quire() { "$here/node_modules/node/bin/node" "$here/src/main.ts" "$@"; }
mkdir "$folder/data" "$folder/files"

as_postgres initdb -D "$folder/one" --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
cat >>"$folder/one/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$folder/socket'
archive_mode = on
archive_command = '$folder/archive-wal.sh %p $folder/backups/wal/%f'
END
start "$folder/one"
as_postgres createdb -h "$folder/socket" quire
quire migrate >/dev/null
# A document with a file, whose title is its name.
add() {
  echo "A file: $1" >"$folder/files/$1.txt"
  quire import --user otto "$folder/files/$1.txt" >/dev/null 2>"$folder/said" || { cat "$folder/said"; exit 1; }
}

quire user add otto >/dev/null
add before-the-base-backup
base=$(as_postgres "$folder/base-backup.sh" "postgres:///?host=$folder/socket" "$folder/backups")
add before-the-moment
moment=$(quire backup --files-only "$folder/backups-of-files" | sed -n 's/.*as of \([^,]*\),.*/\1/p')
[ -n "$moment" ]
sleep 1
add after-the-moment
ask quire "select pg_switch_wal()" >/dev/null
for _ in $(seq 100); do
  [ "$(ask quire "select last_archived_wal is not null and last_archived_time > now() - interval '1 min' from pg_stat_archiver")" = t ] && break
  sleep 0.2
done
as_postgres pg_ctl -D "$folder/one" -m fast -w stop >/dev/null

as_postgres "$folder/restore.sh" "$base" "$folder/backups/wal" "$folder/two" "$moment"
start "$folder/two"
for _ in $(seq 100); do [ "$(ask quire 'select pg_is_in_recovery()')" = f ] && break; sleep 0.2; done
found=$(ask quire "select string_agg(slug, ',' order by slug) from documents")
echo "restored to $moment: $found"
[ "$found" = before-the-base-backup,before-the-moment ]
quire restore --files-only "$folder/backups-of-files"
quire doctor
