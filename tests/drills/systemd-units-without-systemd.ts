/**
 * Runs the site's processes on a machine with Node only, from the shipped systemd units, with tini instead of systemd.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { collectOutput, end, hasEnded, type Running, type Site } from '../actors/run-site-process.ts'
import { BARE_USER, createBareRoot } from './create-and-run-in-bare-root.ts'
import { findProgram } from './drill-definition.ts'

const shipped = join(import.meta.dirname, '..', '..', 'deploy', 'systemd')

/** Folders that some process writes, as paths below the machine's root. */
const DATA_FOLDERS = ['var/lib/latchkey', 'srv/latchkey-files', 'tmp']

/** Returns the data folders that a unit's sandbox makes writable. `ProtectSystem=strict` protects all others. */
export function writablePaths(unit: string): string[] {
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, line = '']) => line.split(' '))
  const open = [
    ...values('StateDirectory').map((name) => `var/lib/${name}`),
    ...values('ReadWritePaths').map((path) => path.replace(/^-?\//, '')),
    ...(values('PrivateTmp').includes('yes') ? ['tmp'] : []),
  ]
  return DATA_FOLDERS.filter((path) => open.includes(path))
}

export interface Machine {
  root: string
  /** Returns a unit of the site, such as `latchkey-web@3000`. */
  unit(name: string): Site
  /** Runs the command `latchkey` of the installed release. */
  latchkey(...words: string[]): Running['ended']
}

const own = (folder: string, mode: number) => {
  mkdirSync(folder, { recursive: true })
  chownSync(folder, BARE_USER, BARE_USER)
  chmodSync(folder, mode)
}

/** Writes a file that the servers' group can read, as production.md requires. */
function writeForGroup(group: number, file: string, text: string): void {
  writeFileSync(file, text)
  chownSync(file, 0, group)
  chmodSync(file, 0o640)
}

/**
 * Creates the files of a test machine that runs the site from the shipped systemd units.
 * @param options `settings` of the environment file; `secrets` by the names of their files; `hosts` besides localhost;
 * `authority`: PEM certificate that the machine trusts
 */
export function newMachine(
  folder: string,
  options: {
    settings: Record<string, string>
    secrets: Record<string, string>
    hosts: readonly string[]
    authority: string
  },
): Machine {
  const root = createBareRoot(join(folder, 'root'))
  const etc = join(root, 'etc/latchkey')
  mkdirSync(join(etc, 'secrets'), { recursive: true })
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${options.hosts.join(' ')}\n`)
  writeFileSync(join(etc, 'ca.pem'), options.authority)
  for (const [name, text] of Object.entries(options.secrets)) writeForGroup(BARE_USER, join(etc, 'secrets', name), text)
  const secretFiles = Object.keys(options.secrets).map(
    (name) => [`${name}_FILE`, `/etc/latchkey/secrets/${name}`] as const,
  )
  const lines = [...Object.entries(options.settings), ...secretFiles].map(([name, text]) => `${name}="${text}"`)
  writeForGroup(BARE_USER, join(etc, 'latchkey.env'), `${lines.join('\n')}\n`)
  for (const path of [...DATA_FOLDERS, 'run/credentials']) own(join(root, path), 0o700)

  /** Returns shell commands that mount the machine read-only, except for these paths. */
  const mountsWith = (
    writable: readonly string[],
  ) => `mount --bind '${root}' '${root}' && mount -o remount,ro,bind '${root}'
    for path in ${DATA_FOLDERS.join(' ')}; do mount --bind '${folder}/'$path '${root}/'$path; mount -o remount,ro,bind '${root}/'$path; done
    for path in ${writable.join(' ')}; do mount -o remount,rw,bind '${root}/'$path; done
    mount -t proc proc '${root}/proc'`
  const mounts = mountsWith(DATA_FOLDERS)
  for (const path of DATA_FOLDERS) own(join(folder, path), 0o700)
  const inside = `/usr/sbin/chroot --userspec=${BARE_USER}:${BARE_USER} --groups= '${root}'`
  const words = (script: string, mount: string) => [
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-ec',
    `${mount}\n${script}`,
  ]
  const asUser = (env: Record<string, string>) =>
    `/usr/bin/env -i ${Object.entries(env)
      .map(([name, text]) => `'${name}=${text}'`)
      .join(' ')} /usr/bin/setpriv --no-new-privs ${inside}`

  function unit(name: string): Site {
    const [kind = '', port = ''] = name.split('@')
    const text = readFileSync(join(shipped, `${kind}@.service`), 'utf8').replaceAll('%i', port)
    const values = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, line = '']) => line)
    const credentials = join(folder, 'credentials', port)
    const env = {
      ...Object.fromEntries(
        values('Environment')
          .flatMap((line) => line.split(' '))
          .map((variable) => variable.split(/=(.*)/s, 2)),
      ),
      ...parseEnv(readFileSync(join(root, values('EnvironmentFile')[0]!), 'utf8')),
      CREDENTIALS_DIRECTORY: '/run/credentials',
    } as Record<string, string>
    const [id = '', from = ''] = values('LoadCredential')[0]!.split(':')
    const hidden = values('InaccessiblePaths')[0]!
      .split(' ')
      .map((path) => path.replace(/^-/, ''))
    const sandboxed = mountsWith(writablePaths(text))
    const run = (command: string, by: string) =>
      words(
        `mount --bind '${credentials}' '${root}/run/credentials'
      for path in ${hidden.join(' ')}; do if [ -e '${root}'$path ]; then mount -t tmpfs -o mode=000 none '${root}'$path; fi; done
      exec ${by} ${asUser(env)} ${command}`,
        sandboxed,
      )
    const loadCredentials = () => {
      own(credentials, 0o500)
      for (const file of readdirSync(join(root, from))) {
        const copy = join(credentials, `${id}_${file}`)
        copyFileSync(join(root, from, file), copy)
        chownSync(copy, BARE_USER, BARE_USER)
        chmodSync(copy, 0o400)
      }
    }
    let running: Running | null = null
    const url = `http://127.0.0.1:${port}`
    return {
      url,
      get pid() {
        return running?.child.pid ?? 0
      },
      startMs: 0,
      up: () => Promise.resolve(),
      fate: () => (running && hasEnded(running.child) ? `${running.child.exitCode}: ${running.output()}` : null),
      output: () => running?.output() ?? '',
      async end(signal) {
        const ending = running
        running = null
        return end(ending, signal)
      },
      async start() {
        loadCredentials()
        running = collectOutput(spawn('unshare', run(values('ExecStart')[0]!, `${findProgram('tini')} -s --`)))
        const after = collectOutput(spawn('unshare', run(values('ExecStartPost')[0]!, '')))
        const { code, output: why } = await after.ended
        if (code !== 0) throw new Error(`${name} does not become ready: ${why}\n${running.output()}`)
      },
    }
  }

  // The shell of `latchkey` runs outside the root, so its Node is a script that translates paths to those inside.
  const node = join(folder, 'node')
  const program = join(folder, 'in-root')
  const variables = ['NODE_ENV', 'DATA_DIR', 'NODE_EXTRA_CA_CERTS'].map((name) => `${name}="$${name}"`).join(' ')
  writeFileSync(
    program,
    `${mounts}\nexec /usr/bin/env -i ${variables} /usr/bin/setpriv --no-new-privs ${inside} /usr/bin/node "$@"\n`,
  )
  const translation = `for word do shift; set -- "$@" "$(echo "$word" | sed 's#${root}##')"; done`
  writeFileSync(
    node,
    `#!/bin/sh\n${translation}\nexec unshare --mount --propagation private sh -e '${program}' "$@"\n`,
    {
      mode: 0o755,
    },
  )

  return {
    root,
    unit,
    latchkey(...command) {
      const env = { PATH: process.env.PATH, NODE: node, LATCHKEY_ENV: join(etc, 'latchkey.env') }
      return collectOutput(spawn(join(root, 'opt/latchkey/current/deploy/latchkey'), command, { env })).ended
    },
  }
}

/** Installs a release with the shipped upgrade.sh, while no unit runs. Its calls of systemctl have no effect. */
export function installRelease(tarball: string, { root }: Machine, folder: string): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH}`, LATCHKEY_HOME: join(root, 'opt/latchkey') }
  for (const words of [['install', tarball], ['roll']]) {
    const script = join(shipped, '..', 'upgrade.sh')
    const { status, stdout, stderr } = spawnSync(script, words, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`upgrade.sh ${words[0]}: ${stdout}${stderr}`)
  }
}
