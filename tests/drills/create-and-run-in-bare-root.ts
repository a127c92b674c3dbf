/** Root folder of a machine with Node and nothing else, for a container or a chroot. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, linkSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** User id of the processes in the root. */
export const BARE_USER = 10001

/** Files of glibc that native modules or look-ups of host names load, and that `ldd node` does not list. */
const LIBC_FILES = ['librt.so.1', 'libresolv.so.2', 'libnss_files.so.2', 'libnss_dns.so.2']

/** Creates a folder that other users can enter, whatever the umask. */
function folderAt(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  for (let at = path; first && at.startsWith(first); at = dirname(at)) chmodSync(at, 0o755)
}

/**
 * Creates a root folder that contains only this process's Node program, as `/usr/bin/node`, and the files that it needs.
 * @returns the folder
 */
export function createBareRoot(folder: string): string {
  const copy = (from: string, to: string) => {
    folderAt(dirname(join(folder, to)))
    // Linked where possible, because the Node program alone is about 100 MB.
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
      for (const name of LIBC_FILES) copy(join(dirname(path), name), join(dirname(path), name))
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

/** Returns whether this machine allows a process its own root and network. */
export const canIsolate = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', '-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0

export interface BareMachine {
  root: string
  /** The only writable folder, mounted at /var/lib/latchkey. */
  writable: string
  env: Record<string, string>
}

/**
 * Runs a shell script without network except a loopback. In it, `$bare <program> …` runs a program inside the root:
 * read-only, as an unprivileged user, with only `env` as its environment.
 */
export function runBare({ root, writable, env }: BareMachine, script: string) {
  const bare = join(writable, '..', 'bare')
  const variables = Object.entries(env).map(([name, value]) => `'${name}=${value}'`)
  const as = `/usr/sbin/chroot --userspec=${BARE_USER}:${BARE_USER} --groups= '${root}'`
  writeFileSync(bare, `#!/bin/sh\nexec env -i ${variables.join(' ')} /usr/bin/setpriv --no-new-privs ${as} "$@"\n`, {
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
  // All processes of the script end with the script.
  const isolation = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  return spawnSync('unshare', [...isolation, 'sh', '-c', program], { encoding: 'utf8', timeout: 60_000, cwd: '/' })
}
