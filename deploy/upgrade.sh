#!/bin/sh
# Installs a release on this machine without downtime. On each machine in turn:
#   upgrade.sh install latchkey-1.4.0-linux-x64.tar.gz   checks and unpacks it; nothing changes yet
#   upgrade.sh roll                                      asks doctor, restarts the worker, one web server, waits, then the others
#   upgrade.sh back                                      rolls to the release that ran before
# DOCTOR=off rolls even if doctor finds a problem.
# SIGNERS=/etc/latchkey/allowed_signers checks the signature; CANARY_SECONDS (600) is the wait after the first web server.
set -eu
home=${LATCHKEY_HOME:-/opt/latchkey}

say() { echo "$(date -u +%H:%M:%S) $*"; }
refuse() { echo "$*" >&2; exit 1; }
# Replaces the old link atomically.
point() { ln -sfn "$2" "$home/.$1.new" && mv -T "$home/.$1.new" "$home/$1"; }

install_release() {
  file=$(readlink -f "${1:?which tarball}")
  (cd "$(dirname "$file")" && sha256sum --quiet --check "$file.sha256") || refuse 'It is not the file that was released.'
  if [ -n "${SIGNERS:-}" ]; then
    ssh-keygen -q -Y verify -f "$SIGNERS" -I latchkey -n latchkey-release -s "$file.sig" <"$file" || refuse 'Its signature is wrong.'
  fi
  name=$(basename "$file" .tar.gz)
  mkdir -p "$home/releases"
  [ ! -e "$home/releases/$name" ] || refuse "$home/releases/$name is there already."
  tar -xzf "$file" -C "$home/releases" --no-same-owner
  # While both releases run, pages of one request scripts from servers of the other; the names contain a hash.
  if [ -d "$home/current/build/client/assets" ]; then
    cp -n "$home/releases/$name"/build/client/assets/* "$home/current/build/client/assets/"
    cp -n "$home/current"/build/client/assets/* "$home/releases/$name/build/client/assets/"
  fi
  point next "releases/$name"
  say "$name is installed; upgrade.sh roll starts it"
}

units() { systemctl list-units --plain --no-legend --state=active "latchkey-$1@*.service" | cut -d ' ' -f 1; }

restart_all() {
  # If the servers' role may not change tables, the owner's address is used.
  owner=/etc/latchkey/owner/DATABASE_URL
  if [ -r "$owner" ]; then DATABASE_URL_FILE=$owner "$home/current/deploy/latchkey" migrate; fi
  canary=${CANARY_SECONDS:-600}
  for unit in $(units worker) $(units web); do
    say "restarting $unit"
    # Returns once the new server is ready; meanwhile only the other servers serve.
    systemctl restart "$unit" || refuse "$unit does not become ready: look at journalctl -u $unit, then upgrade.sh back"
    case $unit in latchkey-web@*)
      if [ "$canary" -gt 0 ]; then
        say "$unit is ready; for $canary s look at errors and payments, Ctrl-C stops here"
        sleep "$canary"
        canary=0
      fi ;;
    esac
  done
  say "all of this machine run $(readlink "$home/current")"
}

case ${1:-} in
  install) install_release "${2:-}" ;;
  roll)
    [ -e "$home/next" ] || refuse 'Nothing is installed: upgrade.sh install <tarball> first.'
    # The new release runs doctor before anything changes; a first installation has no settings yet.
    if [ -e "$home/current" ] && [ "${DOCTOR:-on}" != off ]; then
      "$home/next/deploy/latchkey" doctor || refuse 'Nothing was changed. Cure what is wrong and roll again, or roll with DOCTOR=off.'
    fi
    if [ -e "$home/current" ]; then point previous "$(readlink "$home/current")"; fi
    point current "$(readlink "$home/next")"
    rm "$home/next"
    restart_all ;;
  back)
    [ -e "$home/previous" ] || refuse 'There is no release before this one.'
    now=$(readlink "$home/current")
    point current "$(readlink "$home/previous")"
    point previous "$now"
    CANARY_SECONDS=0 restart_all ;;
  *) sed -n '2,8s/^# //p' "$0" >&2; exit 2 ;;
esac
