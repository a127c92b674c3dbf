#!/bin/sh
# Writes one checked backup into $BACKUPS and removes those older than $KEEP_DAYS. It does not contain KEYS: keep them
# elsewhere. With NOTED=elsewhere, where there is no Node, note-backups.mjs records the backup.
set -eu
umask 077
folder=${BACKUPS:-/var/backups/latchkey}
release=$(dirname "$(dirname "$(readlink -f "$0")")")
day=$(date -u +%Y-%m-%dT%H%M)
url=${DATABASE_URL:-}
if [ -n "${DATABASE_URL_FILE:-}" ]; then
  # The systemd unit may not read the secrets' folder, but gets a copy of each.
  copy=${CREDENTIALS_DIRECTORY:-}/secrets_DATABASE_URL
  [ -r "$copy" ] || copy=$DATABASE_URL_FILE
  url=$(cat "$copy")
fi
latchkey() { "${NODE:-/usr/bin/node}" "$release/operator/launch.mjs" "$@" >/dev/null; }
if [ -n "$url" ]; then
  pg_dump --format=custom --no-owner --file="$folder/.latchkey-$day.dump" "$url"
  pg_restore --list "$folder/.latchkey-$day.dump" >/dev/null
  mv "$folder/.latchkey-$day.dump" "$folder/latchkey-$day.dump"
  [ "${NOTED:-}" = elsewhere ] || latchkey backup --taken
else
  latchkey backup "$folder/latchkey-$day.sqlite"
fi
find "$folder" -maxdepth 1 -name 'latchkey-*' -mtime "+${KEEP_DAYS:-35}" -delete
