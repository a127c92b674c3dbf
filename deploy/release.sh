#!/bin/sh
# Makes a release of this commit: deploy/release.sh 1.4.0. Tests, packs, hashes and signs it into dist/.
# SIGNING_KEY names an SSH key (ssh-keygen -t ed25519); upgrade.sh checks the signature with your allowed_signers file.
# SKIP_TESTS=yes leaves the tests out.
set -eu
version=${1:?which version, such as 1.4.0}
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || { echo 'There are changes that are not committed.' >&2; exit 1; }
npm ci
[ "${SKIP_TESTS:-}" = yes ] || npm test
npm run -s package -- --version "$version"
for file in dist/latchkey-"$version"-*.tar.gz; do
  [ -n "${SIGNING_KEY:-}" ] || { echo 'Not signed: SIGNING_KEY is not set.' >&2; exit 1; }
  ssh-keygen -q -Y sign -f "$SIGNING_KEY" -n latchkey-release "$file"
  ls -l "$file" "$file.sha256" "$file.sig"
done
