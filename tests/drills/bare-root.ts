/** A machine with Node and nothing else: the folder that a container or a chroot has as its root. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, linkSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Whose the processes in it are. */
export const BARE_USER = 10001

/** Every machine has them, and what we bring along in machine code asks for them. */
const OF_LIBC = ['librt.so.1', 'libresolv.so.2', 'libnss_files.so.2', 'libnss_dns.so.2']

/** Another user walks through it, whatever our umask. */
function folderAt(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  for (let at = path; first && at.startsWith(first); at = dirname(at)) chmodSync(at, 0o755)
}

/** @returns the folder, with `/usr/bin/node` of this process and the libraries that it needs */
export function bareRoot(folder: string): string {
  const copy = (from: string, to: string) => {
    folderAt(dirname(join(folder, to)))
    // Node alone is 190 MB.
    try {
      linkSync(realpathSync(from), join(folder, to))
    } catch {
      copyFileSync(realpathSync(from), join(folder, to))
    }
  }
  copy(process.execPath, '/usr/bin/node')
  const linked = spawnSync('ldd', [process.execPath], { encoding: 'utf8' }).stdout
  for (const [path] of linked.matchAll(/\/\S+(?= \(0x)/g)) {
    copy(path, path)
    if (basename(path) === 'libc.so.6')
      for (const name of OF_LIBC) copy(join(dirname(path), name), join(dirname(path), name))
  }
  for (const empty of ['proc', 'dev', 'etc/latchkey', 'opt/latchkey', 'var/lib/latchkey']) folderAt(join(folder, empty))
  for (const [name, text] of Object.entries({
    passwd: `latchkey:x:${BARE_USER}:${BARE_USER}::/var/lib/latchkey:/usr/sbin/nologin\n`,
    group: `latchkey:x:${BARE_USER}:\n`,
    hosts: '127.0.0.1 localhost\n',
  }))
    writeFileSync(join(folder, 'etc', name), text)
  return folder
}

/** Whether this machine lets us take a root and a network away from a process. */
export const canIsolate = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', '-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0

export interface Bare {
  root: string
  /** The one folder that can be written; it stands at /var/lib/latchkey. */
  writable: string
  env: Record<string, string>
}

/**
 * Runs `script`, with no network but a loopback of its own, in a shell of this machine where `$bare <program> …` runs a
 * program in the root: read-only, as a user without rights, with nothing in its environment but `env`.
 */
export function runBare({ root, writable, env }: Bare, script: string) {
  const bare = join(writable, '..', 'bare')
  const given = Object.entries(env).map(([name, value]) => `'${name}=${value}'`)
  const as = `/usr/sbin/chroot --userspec=${BARE_USER}:${BARE_USER} --groups= '${root}'`
  writeFileSync(bare, `#!/bin/sh\nexec env -i ${given.join(' ')} /usr/bin/setpriv --no-new-privs ${as} "$@"\n`, {
    mode: 0o755,
  })
  const program = `set -e
    ip link set lo up
    mount --bind '${root}' '${root}'
    mount -o remount,ro,bind '${root}'
    mount --bind '${writable}' '${root}/var/lib/latchkey'
    mount -t proc proc '${root}/proc'
    chown ${BARE_USER}:${BARE_USER} '${writable}'
    bare='${bare}'
    ${script}`
  // What it has started ends with it.
  const apart = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  return spawnSync('unshare', [...apart, 'sh', '-c', program], { encoding: 'utf8', timeout: 60_000, cwd: '/' })
}
