#!/bin/bash
# Starts packaging/patroni/patroni.yml as three hosts with ports of their own, kills the primary while documents are
# created, and looks for each that was acknowledged. Needs Debian's patroni, postgresql and etcd-server, and root or the
# user postgres:
#
#   tests/cluster/patroni.sh
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(echo /usr/lib/postgresql/*/bin | tr ' ' '\n' | tail -1)
folder=$(mktemp -d /tmp/quire-patroni-XXXXXX)
chmod 755 "$folder"
mkdir "$folder/etcd" "$folder/wal" "$folder/files"
cp "$here"/packaging/postgresql/archive-wal.sh "$folder"
[ "$(id -u)" != 0 ] || chown -R postgres "$folder"
as_postgres() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/tmp "$@"; else "$@"; fi
}
# The processes of a host: Patroni and PostgreSQL.
pids() { pgrep -f "$folder/db$1(\.yml|/data)" || true; }
finish() {
  [ -z "${server:-}" ] || kill -TERM "$server" || true
  for host in 1 2 3; do kill -KILL $(pids "$host") 2>/dev/null || true; done
  kill -KILL $(pgrep -f "$folder/etcd") 2>/dev/null || true
  sleep 1
  rm -rf "$folder"
}
trap finish EXIT

as_postgres etcd --data-dir "$folder/etcd" --listen-client-urls http://127.0.0.1:8320 --log-level error \
  --advertise-client-urls http://127.0.0.1:8320 --listen-peer-urls http://127.0.0.1:8321 >"$folder/etcd.log" 2>&1 &
start() {
  # Its own addresses, and what these hosts have no room for or no certificate.
  sed -e "s/^name: db1/name: db$1/" -e "s#0\.0\.0\.0:8008#127.0.0.1:830$1#" -e "s#10\.0\.0\.1:8008#127.0.0.1:830$1#" \
    -e "s#hosts: \[.*\]#hosts: [127.0.0.1:8320]#" -e "s#\(listen: \|connect_address: \).*:5432#\1127.0.0.1:831$1#" \
    -e "s#data_dir: .*#data_dir: $folder/db$1/data#" -e "s#bin_dir: .*#bin_dir: $programs#" \
    -e "s#local all all peer#local all all trust#" -e "s#hostssl#host#" -e "s#10\.0\.0\.0/24#127.0.0.1/32#" \
    -e "s#shared_buffers: .*#shared_buffers: 32MB#" -e "s#effective_cache_size: .*#effective_cache_size: 256MB#" \
    -e "s#maintenance_work_mem: .*#maintenance_work_mem: 32MB#" -e "s#max_wal_size: .*#max_wal_size: 256MB#" \
    -e "s#archive_command: .*#archive_command: $folder/archive-wal.sh %p $folder/wal/%f#" \
    "$here/packaging/patroni/patroni.yml" >"$folder/db$1.yml"
  as_postgres mkdir -p "$folder/db$1"
  as_postgres patroni "$folder/db$1.yml" >>"$folder/db$1.log" 2>&1 &
}
# Prints the number of the host that is the primary, or nothing if no host is.
primary() {
  for host in 1 2 3; do
    [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:830$host/primary")" != 200 ] || echo "$host"
  done
}
until_standbys() {
  for _ in $(seq 300); do
    found=0
    for host in 1 2 3; do
      [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:830$host/replica")" != 200 ] || found=$((found + 1))
    done
    [ "$found" != 2 ] || return 0
    sleep 0.5
  done
  tail -20 "$folder"/db?.log
  return 1
}
for host in 1 2 3; do start "$host"; done
until_standbys
first=$(primary)
echo "the primary is db$first"

ask() { PGPASSWORD=change-me psql -h 127.0.0.1 -p "831$(primary)" -U postgres -d postgres -qAtc "$1"; }
ask "create role quire login password 'quire'"
ask "create database quire owner quire"
hosts=127.0.0.1:8311,127.0.0.1:8312,127.0.0.1:8313
export QUIRE_DATABASE_URL=postgres://quire:quire@$hosts/quire QUIRE_DATABASE_READ_URLS=postgres://quire:quire@$hosts/quire
export QUIRE_SECRET=a-secret-of-this-test-that-is-long-enough QUIRE_DATA="$folder/files" QUIRE_LOG_LEVEL=fatal
export QUIRE_PORT=8204 QUIRE_SAMPLES=off
quire() { exec "$here/node_modules/node/bin/node" "$here/src/main.ts" "$@"; }
(quire user add otto >/dev/null)
token=$(quire token add otto --name "a test" 2>/dev/null | grep -o 'quire_[A-Za-z0-9_-]*' | head -1)
quire serve >/dev/null &
server=$!
for _ in $(seq 300); do curl -sf http://127.0.0.1:8204/readyz >/dev/null && break; sleep 0.2; done

# Creates documents for so many seconds; the ids of those that are acknowledged go to the list.
touch "$folder/ids"
create() {
  local until=$((SECONDS + $1))
  while [ "$SECONDS" -lt "$until" ]; do
    id=$(curl -s -m 20 http://127.0.0.1:8204/api/documents/ -H "Authorization: Bearer $token" \
      -H 'Content-Type: application/json' -d '{"title": "A document"}' | grep -o '^{"id":[0-9]*' | grep -o '[0-9]*' || true)
    if [ -n "$id" ]; then echo "$id" >>"$folder/ids"; else sleep 0.2; fi
  done
}
create 5
[ -s "$folder/ids" ] || { echo "no document was created"; exit 1; }
before=$(wc -l <"$folder/ids")
kill -KILL $(pids "$first") 2>/dev/null || true
killed=$SECONDS
while [ "$(wc -l <"$folder/ids")" = "$before" ]; do
  [ $((SECONDS - killed)) -lt 120 ] || { echo "no document was created in two minutes"; exit 1; }
  create 1
done
echo "db$first was killed; $((SECONDS - killed)) s later db$(primary) is the primary, and documents are created"
create 5
start "$first"
until_standbys
echo "db$first is a standby again"
create 5
lost=0
while read -r id; do
  curl -sf -o /dev/null "http://127.0.0.1:8204/api/documents/$id/" -H "Authorization: Bearer $token" || lost=$((lost + 1))
done <"$folder/ids"
echo "$(wc -l <"$folder/ids") documents were acknowledged, and $lost of them are lost"
[ "$lost" = 0 ]
