#!/bin/sh
# One backup, checked, into $BACKUPS; older than $KEEP_DAYS are removed. KEYS are not in it: keep them elsewhere.
set -eu
folder=${BACKUPS:-/var/backups/latchkey}
release=$(dirname "$(dirname "$(readlink -f "$0")")")
day=$(date -u +%Y-%m-%dT%H%M)
url=${DATABASE_URL:-}
[ -z "${DATABASE_URL_FILE:-}" ] || url=$(cat "$DATABASE_URL_FILE")
if [ -n "$url" ]; then
  pg_dump --format=custom --no-owner --file="$folder/.latchkey-$day.dump" "$url"
  pg_restore --list "$folder/.latchkey-$day.dump" >/dev/null
  mv "$folder/.latchkey-$day.dump" "$folder/latchkey-$day.dump"
  "${NODE:-/usr/bin/node}" "$release/operator/launch.mjs" backup --taken
else
  "${NODE:-/usr/bin/node}" "$release/operator/launch.mjs" backup "$folder/latchkey-$day.sqlite"
fi
find "$folder" -maxdepth 1 -name 'latchkey-*' -mtime "+${KEEP_DAYS:-35}" -delete
