/**
 * Checks the files in `deploy/` against the settings, and with the programs that read them where these are installed;
 * the settings that documents list, and how commands are named.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { parseEnv } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { assemble } from '../deploy/build-release.mjs'
import { ensureBuild } from '../server/build.mjs'
import { configFrom } from '../server/config/config.ts'
import { Environment } from '../server/config/environment-variables.ts'
import { SECRETS } from '../server/config/secrets.ts'
import { settingsPage } from '../server/config/setting-descriptions.ts'
import { freePort } from './actors/free-port.ts'
import { findProgram } from './drills/drill-definition.ts'
import { filledIn } from './drills/start-patroni-cluster.ts'
import { caddyTooOld, startHaproxy, startNginx } from './drills/start-reverse-proxies.ts'
import { writablePaths } from './drills/systemd-units-without-systemd.ts'
import { temporaryFolder } from './support/postgres.ts'
import { PRODUCTION } from './support/production-settings.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const settings = Object.keys(Environment.entries)

/**
 * Runs a program.
 * @returns status and output
 */
function run(program: string, words: string[], options: Parameters<typeof spawnSync>[2] = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', timeout: 60_000, ...options })
  return { status, said: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
}
const isInstalled = (program: string) =>
  run('sh', ['-c', `command -v ${program}`]).status === 0 || !!findProgram(program as 'haproxy')

describe('The environment file', () => {
  const example = read('deploy/latchkey.env.example')
  /** The settings in the file, enabled or commented out; `required` and `demo` are marks in the comment of their group. */
  const lines = example.split('\n\n').flatMap((group) => {
    const comment = group
      .split('\n')
      .filter((line) => line.startsWith('# '))
      .join(' ')
    return [...group.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, off, name = '', text = '']) => ({
      isEnabled: off === '',
      name,
      text,
      required: comment.includes('(required)'),
      demo: comment.includes('(demo)'),
      setting: SECRETS.has(name.replace(/_FILE$/, '')) ? name.replace(/_FILE$/, '') : name,
    }))
  })
  const secrets: Record<string, string> = {
    ...PRODUCTION,
    DATABASE_URL: 'postgres://latchkey:p@db.example.com/latchkey',
    SENTRY_DSN: 'https://key@errors.example.com/1',
  }
  let folder: string
  beforeAll(() => {
    folder = temporaryFolder()
    for (const name of SECRETS) writeFileSync(join(folder, name), `${secrets[name] ?? `secret-of-${name}`}\n`)
  })
  const withTestSecrets = (env: NodeJS.Dict<string>) =>
    Object.fromEntries(
      Object.entries(env).map(([name, text = '']) => [name, text.replace('/etc/latchkey/secrets', folder)]),
    )
  const problemsOf = (text: string) => {
    const parsed = configFrom(withTestSecrets(parseEnv(text)))
    return parsed.ok ? [] : parsed.problems
  }

  it('has every setting once, and no other', () => {
    expect(lines.map((line) => line.setting).sort()).toEqual([...settings].sort())
  })

  it('is a valid configuration for production, unchanged and with every setting that production allows', () => {
    expect(problemsOf(example)).toEqual([])
    const all = lines.filter((line) => !line.demo).map(({ name, text }) => `${name}=${text}`)
    expect(problemsOf(all.join('\n'))).toEqual([])
  })

  it('marks the settings that production requires, and only four others, which are in groups with required ones', () => {
    for (const { name, setting, isEnabled, required } of lines.filter(
      (line) => !line.demo && line.setting !== 'MODE',
    )) {
      const without = lines
        .filter((line) => line.isEnabled && line.name !== name)
        .map((line) => `${line.name}=${line.text}`)
      const isRequired =
        isEnabled && problemsOf(without.join('\n')).some((problem) => problem.startsWith(`${setting} `))
      if (isRequired) expect(required, `${name} is required and not marked`).toBe(true)
      else if (required)
        expect(['S3_REGION', 'FILES_DIR', 'FILES_SHARED', 'CARD_PROVIDER_PAGE_ORIGIN'], name).toContain(name)
    }
  })

  it('gives each process of one machine a port of its own for its metrics, which Prometheus asks', () => {
    const file = parseEnv(
      lines
        .filter((line) => !line.demo)
        .map(({ name, text }) => `${name}=${text}`)
        .join('\n'),
    )
    const started = /systemctl enable --now (.*)`/.exec(read('docs/running/production.md'))?.[1] ?? ''
    const ports = [...started.matchAll(/latchkey-(?:web|worker)@(\d+)/g)].map(([, PORT = '']) => {
      const parsed = configFrom({ ...withTestSecrets(file), PORT })
      return parsed.ok ? String(parsed.config.metrics.port) : parsed.problems.join()
    })
    expect(ports.length).toBeGreaterThan(2)
    expect(new Set(ports).size).toBe(ports.length)
    const scrapedPorts = [...read('deploy/monitoring/prometheus.yml').matchAll(/'10\.0\.0\.11:(\d+)'/g)].map(
      ([, port]) => port,
    )
    expect(scrapedPorts).toEqual(expect.arrayContaining(ports))
  })

  it('puts secrets into files; each setting named as a key, token, secret or DSN is a secret', () => {
    for (const line of lines)
      if (SECRETS.has(line.setting) && !line.demo) expect(line.name).toBe(`${line.setting}_FILE`)
    for (const name of settings) if (/(KEYS?|TOKEN|SECRET\w*|DSN)$/.test(name)) expect([...SECRETS]).toContain(name)
  })

  it.each(['web@.service', 'worker@.service', 'backup.service'])(
    'names secrets of which latchkey-%s gets copies, as systemd hands them over',
    (unit) => {
      const credentials = temporaryFolder()
      const [, id, from] = /^LoadCredential=(\w+):(\S+)$/m.exec(read(`deploy/systemd/latchkey-${unit}`)) ?? []
      const onMachine = parseEnv(example)
      const secretFiles = Object.entries(onMachine).filter(([name]) => name.endsWith('_FILE'))
      for (const [name, path = ''] of secretFiles) {
        expect(path).toBe(`${from}/${name.replace(/_FILE$/, '')}`)
        writeFileSync(
          join(credentials, `${id}_${name.replace(/_FILE$/, '')}`),
          secrets[name.replace(/_FILE$/, '')] ?? 'handed-over',
        )
      }
      // The files that these settings name belong to root and do not exist on this machine.
      const parsed = configFrom({ ...onMachine, CREDENTIALS_DIRECTORY: credentials })
      expect(parsed).toMatchObject({ ok: true, config: { databaseUrl: secrets.DATABASE_URL } })
    },
  )

  it('reveals no secret when one cannot be read', () => {
    const parsed = configFrom({
      KEYS_FILE: join(folder, 'none'),
      SMS_KEY: 'hush',
      SMS_KEY_FILE: join(folder, 'SMS_KEY'),
    })
    const problems = parsed.ok ? [] : parsed.problems
    expect(problems.join('\n')).toMatch(/KEYS_FILE should be a file that can be read: ENOENT/)
    expect(problems.join('\n')).toContain('SMS_KEY and SMS_KEY_FILE are both set')
    expect(problems.join('\n')).not.toContain('hush')
  })
})

describe('The files', () => {
  /** Folders whose files are not looked for by name, with the test that reads them. */
  const folders: Record<string, string> = {
    systemd: 'tests/deploy.test.ts',
    'monitoring/grafana': 'tests/monitoring.test.ts',
    'monitoring/provisioning/dashboards': 'tests/deploy.test.ts',
  }
  const texts = ['tests', 'operator']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.(test|drill)\.ts$|drills\/.*\.ts$/.test(path))
    .map(read)

  it('each has a test or a drill', () => {
    const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
      // tests/docs-references.test.ts reads the documents, and the compiler reads the types.
      .filter((path) => statSync(join(root, 'deploy', path)).isFile() && !/\.(md|d\.mts)$/.test(path))
    const without = files.filter(
      (path) => !folders[dirname(path)] && !texts.some((text) => text.includes(basename(path))),
    )
    expect(without).toEqual([])
  })

  it('the systemd units and the image wait with wait-ready.mjs', () => {
    for (const file of ['Dockerfile', 'systemd/latchkey-web@.service', 'systemd/latchkey-worker@.service'])
      expect(read(`deploy/${file}`)).toContain('deploy/wait-ready.mjs')
  })

  it('Grafana finds the dashboards where docs/running/monitoring.md says that they go', () => {
    const path = /path: (\S+)/.exec(read('deploy/monitoring/provisioning/dashboards/latchkey.yml'))?.[1] ?? 'none'
    expect(read('docs/running/monitoring.md').replaceAll('\n', '')).toContain(path)
  })
})

describe('The documents', () => {
  const settingsIn = (path: string) =>
    read(path)
      .split('\n')
      .filter((line) => /^\| `[A-Z]/.test(line))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name))

  it('list every setting in docs/settings.md, which is generated from the code', () => {
    expect(settingsIn('docs/settings.md').sort()).toEqual([...settings].sort())
    expect(read('docs/settings.md')).toBe(settingsPage())
  })

  it('name only existing settings in README.md', () => {
    for (const name of settingsIn('README.md')) expect(settings).toContain(name)
    expect(settingsIn('README.md').length).toBeGreaterThan(4)
  })
})

describe('The systemd units', () => {
  const units = readdirSync(join(root, 'deploy/systemd')).map((name) => join(root, 'deploy/systemd', name))
  const hasSystemd = isInstalled('systemd-analyze')

  it.skipIf(!hasSystemd)('are valid (systemd-analyze)', () => {
    // The programs that the units start exist only on an installed machine, so /bin/true replaces them.
    const folder = temporaryFolder()
    const names = units.map((path) => {
      const text = readFileSync(path, 'utf8').replaceAll(/^(ExecStart(?:Post)?)=\S+/gm, '$1=/bin/true')
      const name = (path.split('/').at(-1) ?? '').replace('@.', '@3000.')
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    })
    const { said } = run('systemd-analyze', ['verify', '--man=no', ...names])
    expect(said.split('\n').filter((line) => line.includes('latchkey'))).toEqual([])
  })

  it.each(['web', 'worker'])('let latchkey-%s write its data folder and FILES_DIR of the environment file', (role) => {
    const unit = read(`deploy/systemd/latchkey-${role}@.service`)
    const [, folder = ''] = /^#?FILES_DIR=\/(.*)$/m.exec(read('deploy/latchkey.env.example')) ?? []
    const [, data = ''] = /DATA_DIR=\/(\S+)\/%i/.exec(unit) ?? []
    expect(unit).toContain('ProtectSystem=strict')
    expect(writablePaths(unit)).toEqual(expect.arrayContaining([folder, data]))
    expect(writablePaths(unit.replace(/^ReadWritePaths=.*$/m, ''))).not.toContain(folder)
  })

  it.each(['web', 'worker'])('wait for latchkey-%s where it listens', async (role) => {
    const unit = read(`deploy/systemd/latchkey-${role}@.service`)
    const site = createServer((_, answer) => answer.end('ready'))
    await new Promise<void>((listening) => site.listen(0, '127.0.0.2', listening))
    onTestFinished(() => void site.close())
    const port = String((site.address() as { port: number }).port)
    const [, after = ''] = /^ExecStartPost=\S+ (.*)$/m.exec(unit) ?? []
    const words = after.replaceAll('%i', port).replace('/opt/latchkey/current', root).split(' ')
    const waiter = spawn(process.execPath, words, { env: { PATH: '/nowhere', HOST: '127.0.0.2', PORT: port } })
    onTestFinished(() => void waiter.kill())
    const timeout = setTimeout(() => waiter.kill(), 10_000)
    expect(await new Promise((ended) => waiter.once('exit', ended))).toBe(0)
    clearTimeout(timeout)
  })

  it.skipIf(!hasSystemd)('have an exposure level below 2.6 (systemd-analyze security)', () => {
    for (const path of units.filter((unit) => unit.endsWith('.service'))) {
      const { said } = run('systemd-analyze', ['security', '--offline=true', '--no-pager', path])
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]), path).toBeLessThan(2.6)
    }
  })
})

describe('The proxies', () => {
  let folder: string
  let pem: string
  beforeAll(() => {
    folder = temporaryFolder()
    pem = join(folder, 'site.pem')
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    run('openssl', [...words, '-subj', '/CN=rent.example.com', '-keyout', pem, '-out', join(folder, 'cert.pem')])
    writeFileSync(pem, readFileSync(pem, 'utf8') + readFileSync(join(folder, 'cert.pem'), 'utf8'))
  })

  it('ask the servers whether pages can be served (haproxy.cfg, Caddyfile)', () => {
    const checkPaths = ['haproxy.cfg', 'Caddyfile'].map((name) => /\/readyz\S*/.exec(read(`deploy/proxy/${name}`))?.[0])
    expect(checkPaths).toEqual(['/readyz?for=pages', '/readyz?for=pages'])
  })

  it.skipIf(!isInstalled('haproxy'))('haproxy.cfg is valid (haproxy)', () => {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, read('deploy/proxy/haproxy.cfg').replace('/etc/haproxy/certs/', pem))
    expect(run(findProgram('haproxy') ?? 'haproxy', ['-c', '-f', file])).toMatchObject({ status: 0 })
  })

  it.skipIf(!isInstalled('haproxy'))('log no more of an address than its first part (haproxy)', async () => {
    const site = createServer((_, answer) => answer.end('page')).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const port = await freePort()
    const proxy = await startHaproxy({ folder, pem, port, ports: [(site.address() as AddressInfo).port] })
    onTestFinished(() => {
      proxy.kill('SIGKILL')
      site.close()
    })
    const address = `https://127.0.0.1:${port}/office/join/Zx3mVQ?token=Zx3mVQ`
    for (const url of [address, address.replace('/office/join', '/p')]) {
      const request = get(url, { rejectUnauthorized: false, headers: { Referer: address } })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      expect(await text(answer)).toBe('page')
    }
    const logged = () => readFileSync(join(folder, 'haproxy.log'), 'utf8')
    await expect.poll(logged).toMatch(/ GET \/p [\da-f]{8}-/)
    expect(logged()).toMatch(/ 200 \d+ .* GET \/office [\da-f]{8}-/)
    expect(logged()).not.toContain('Zx3mVQ')
  })

  it.each(['haproxy', 'nginx'])('send the servers a slow body only once it is complete (%s)', async (program) => {
    if (!isInstalled(program)) return
    const requests: string[] = []
    const site = createServer((request, answer) => {
      requests.push(`${request.method} ${request.url}`)
      request.resume()
      answer.end('page')
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const port = await freePort()
    const options = { folder: temporaryFolder(), pem, port, ports: [(site.address() as AddressInfo).port] }
    const host = 'rent.example.com'
    const proxy = await (program === 'nginx' ? startNginx({ ...options, host }) : startHaproxy(options))
    const slow = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    onTestFinished(() => {
      proxy.kill()
      slow.destroy()
      site.close()
    })
    await once(slow, 'secureConnect')
    slow.write(`POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\na`)
    const other = get(`https://127.0.0.1:${port}/other`, { rejectUnauthorized: false, headers: { Host: host } })
    await once(other, 'response')
    expect(requests).toContain('GET /other')
    expect(requests).not.toContain('POST /login')
    slow.write('b')
    await once(slow, 'data')
    expect(requests).toContain('POST /login')
  })

  it.skipIf(!isInstalled('haproxy'))('haproxy-pg.cfg, before PostgreSQL, is valid (haproxy)', () => {
    const file = join(folder, 'haproxy-pg.cfg')
    const text = read('deploy/postgres/haproxy-pg.cfg')
    // Replaces the variables as envsubst would.
    writeFileSync(file, text.replace(/\$\{\w+_ADDRESS\}/g, '127.0.0.1').replace(/\$\{\w+\}/g, '5432'))
    expect(run(findProgram('haproxy') ?? 'haproxy', ['-c', '-f', file])).toMatchObject({ status: 0 })
  })

  it.skipIf(!isInstalled('nginx'))('nginx.conf is valid (nginx)', () => {
    const text = read('deploy/proxy/nginx.conf')
      .replaceAll(/\/etc\/nginx\/certs\/\S+\.(crt|key)/g, pem)
      .replaceAll('/var/log/nginx', folder)
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/pid; error_log stderr; events {} http { ${temporary} ${text} }`)
    expect(run('nginx', ['-t', '-q', '-c', file, '-p', folder])).toEqual({ status: 0, said: '' })
  })

  it.skipIf(!isInstalled('caddy') || caddyTooOld() !== null)('Caddyfile is valid (caddy)', () => {
    const words = ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/proxy/Caddyfile')]
    const { status, said } = run('caddy', words, {
      env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    })
    expect({ status, said: status === 0 ? '' : said }).toEqual({ status: 0, said: '' })
  })
})

describe('pgbackrest.conf', () => {
  /** Options from the pgBackRest manual. `repo1` begins those of the first repository, `pg1` those of the first cluster. */
  const knownOptions = [
    'repo1-path',
    'repo1-cipher-type',
    'repo1-cipher-pass',
    'repo1-retention-full-type',
    'repo1-retention-full',
    'repo1-retention-diff',
    'repo1-type',
    'repo1-host',
    'repo1-s3-bucket',
    'log-path',
    'log-level-console',
    'lock-path',
    'spool-path',
    'start-fast',
    'compress-type',
    'compress-level',
    'archive-timeout',
    'archive-async',
    'process-max',
    'pg1-path',
    'pg1-port',
    'pg1-socket-path',
    'pg1-user',
    'pg1-host',
  ]

  it('has only known options, each once, in the global and stanza sections', () => {
    const lines = read('deploy/postgres/pgbackrest.conf')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const sections = lines.filter((line) => line.startsWith('['))
    expect(sections).toEqual(['[global]', '[latchkey]'])
    const options = lines.filter((line) => !sections.includes(line)).map((line) => line.split(/=(.+)/s))
    for (const [name, value = ''] of options) {
      expect(knownOptions).toContain(name)
      expect(value).toMatch(/^(\$\{[A-Z_]+\}|[\w-]+)$/)
    }
    expect(new Set(options.map(([name]) => name)).size).toBe(options.length)
  })

  it.skipIf(!isInstalled('pgbackrest'))('is read by pgBackRest without a warning', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'pgbackrest.conf')
    const places = { REPO_PATH: folder, LOG_PATH: folder, LOCK_PATH: folder, PG_DATA: folder, PG_FOLDER: folder }
    const variables = { ...places, REPO_PASSWORD: 'a password', PG_PORT: 5432, PG_USER: 'postgres' }
    writeFileSync(file, filledIn('pgbackrest.conf', variables))
    const { status, said } = run('pgbackrest', [`--config=${file}`, '--stanza=latchkey', 'info'])
    expect({ status, said }).toEqual({ status: 0, said: expect.not.stringMatching(/WARN|ERROR|\$\{/) })
  })
})

/** Creates stand-ins for the PostgreSQL programs that a backup uses. Returns their folder. */
function createFakePrograms(): string {
  const bin = temporaryFolder()
  for (const [name, script] of [
    ['pg_dump', 'for word in "$@"; do case $word in --file=*) echo dumped >"$(echo "$word" | cut -c 8-)";; esac; done'],
    ['pg_restore', 'test -s "$2"'],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}

describe('The scripts', () => {
  it.each(['latchkey', 'backup.sh', 'release.sh', 'upgrade.sh'])('%s is a shell script that can be run', (name) => {
    expect(run('sh', ['-n', join(root, 'deploy', name)])).toEqual({ status: 0, said: '' })
    expect(run('test', ['-x', join(root, 'deploy', name)]).status).toBe(0)
  })

  /** Creates a release whose operator program only logs its arguments, data folder and NODE_EXTRA_CA_CERTS. */
  function createLoggingRelease(...names: string[]): { release: string; logged(): string } {
    const release = temporaryFolder()
    const log = join(release, 'said')
    for (const name of ['deploy', 'operator']) mkdirSync(join(release, name))
    for (const name of names) cpSync(join(root, 'deploy', name), join(release, 'deploy', name))
    writeFileSync(
      join(release, 'operator/launch.mjs'),
      `import { appendFileSync } from 'node:fs'
appendFileSync('${log}', process.argv.slice(2).join(' ') + ' in ' + process.env.DATA_DIR + (process.env.NODE_EXTRA_CA_CERTS ?? '') + '\\n')`,
    )
    return { release, logged: () => (existsSync(log) ? readFileSync(log, 'utf8').trim() : '') }
  }

  it.each([
    ['MODE=production', {}, '/var/lib/latchkey/commands'],
    ['DATA_DIR=/var/lib/latchkey', {}, '/var/lib/latchkey'],
    ['DATA_DIR=/var/lib/latchkey', { DATA_DIR: '/elsewhere' }, '/elsewhere'],
    ['NODE_EXTRA_CA_CERTS="/etc/ca.pem"', {}, '/var/lib/latchkey/commands/etc/ca.pem'],
  ])('latchkey with %s in the environment file and %j in the environment passes on %s', (file, env, dataDir) => {
    const { release, logged } = createLoggingRelease('latchkey')
    writeFileSync(join(release, 'latchkey.env'), `${file}\n`)
    run(join(release, 'deploy/latchkey'), ['jobs'], {
      env: { PATH: process.env.PATH, NODE: process.execPath, LATCHKEY_ENV: join(release, 'latchkey.env'), ...env },
    })
    expect(logged()).toBe(`jobs in ${dataDir}`)
  })

  it('backup.sh keeps a dump, readable by its user alone, and notes it', () => {
    const { release, logged } = createLoggingRelease('backup.sh')
    const bin = createFakePrograms()
    const BACKUPS = temporaryFolder()
    const credentials = temporaryFolder()
    writeFileSync(join(credentials, 'secrets_DATABASE_URL'), 'postgres://x')
    const env = { PATH: `${bin}:${process.env.PATH}`, NODE: process.execPath, BACKUPS, DATA_DIR: '/d' }
    const secret = { DATABASE_URL_FILE: '/etc/latchkey/secrets/DATABASE_URL', CREDENTIALS_DIRECTORY: credentials }
    expect(run(join(release, 'deploy/backup.sh'), [], { env: { ...env, ...secret } })).toEqual({ status: 0, said: '' })
    expect(logged()).toBe('backup --taken in /d')
    const dumps = readdirSync(BACKUPS)
    expect(dumps).toEqual([expect.stringMatching(/^latchkey-.*\.dump$/)])
    expect(statSync(join(BACKUPS, dumps[0]!)).mode & 0o777).toBe(0o600)
  })

  it('note-backups.mjs notes each new backup once, also one made while it was not running', async () => {
    const { release, logged } = createLoggingRelease('note-backups.mjs')
    const folder = temporaryFolder()
    const expectNoted = async (count: number) => {
      const words = [join(release, 'deploy/note-backups.mjs'), folder, '0.01']
      const watcher = spawn(process.execPath, words, { env: { DATA_DIR: '/d' }, stdio: 'ignore' })
      onTestFinished(() => void watcher.kill())
      await vi.waitFor(() => expect(logged().split('\n')).toHaveLength(count), 10_000)
      await vi.waitFor(
        () => expect(readFileSync(join(folder, '.noted'), 'utf8')).toBe(readdirSync(folder).at(-1)),
        10_000,
      )
      watcher.kill()
    }
    writeFileSync(join(folder, '.latchkey-2026-11-20T1230.dump'), 'half of it')
    writeFileSync(join(folder, 'latchkey-2026-11-19T1230.dump'), '')
    await expectNoted(1)
    writeFileSync(join(folder, 'latchkey-2026-11-20T1230.dump'), '')
    await expectNoted(2)
    expect(logged()).toBe('backup --taken in /d\nbackup --taken in /d')
    // An older backup is not new once the newest has been deleted.
    rmSync(join(folder, 'latchkey-2026-11-20T1230.dump'))
    const exitInsteadOfPause = `import timers from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
timers.setTimeout = () => process.exit(0)
syncBuiltinESMExports()`
    const preload = `data:text/javascript,${encodeURIComponent(exitInsteadOfPause)}`
    const words = ['--import', preload, join(release, 'deploy/note-backups.mjs'), folder]
    expect(spawnSync(process.execPath, words, { env: { DATA_DIR: '/d' } }).status).toBe(0)
    expect(logged()).toBe('backup --taken in /d\nbackup --taken in /d')
  })

  it('upgrade.sh installs, runs doctor, restarts the worker first and then each server, and goes back', () => {
    const folder = temporaryFolder()
    const home = join(folder, 'home')
    const bin = join(folder, 'bin')
    for (const path of [home, bin]) mkdirSync(path)
    const log = join(folder, 'log')
    writeFileSync(
      join(bin, 'systemctl'),
      `#!/bin/sh
case $1 in
  list-units) case $* in *worker*) echo 'latchkey-worker@3100.service loaded';; *) echo 'latchkey-web@3000.service x'; echo 'latchkey-web@3001.service x';; esac;;
  *) echo "$* $(readlink ${home}/current)" >>${log};;
esac`,
    )
    chmodSync(join(bin, 'systemctl'), 0o755)
    const upgrade = (...words: string[]) =>
      run(join(root, 'deploy/upgrade.sh'), words, {
        env: { PATH: `${bin}:${process.env.PATH}`, LATCHKEY_HOME: home, CANARY_SECONDS: '0' },
      })
    for (const version of ['1', '2']) {
      const name = `latchkey-${version}`
      mkdirSync(join(folder, name, 'build/client/assets'), { recursive: true })
      writeFileSync(join(folder, name, 'build/client/assets', `page-${version}.js`), '')
      mkdirSync(join(folder, name, 'deploy'))
      const command = `#!/bin/sh\necho "$* ${name} $(readlink ${home}/current)" >>${log}\n[ ! -e ${folder}/ill ]\n`
      writeFileSync(join(folder, name, 'deploy/latchkey'), command, { mode: 0o755 })
      run('tar', ['-czf', `${name}.tar.gz`, name], { cwd: folder })
      run('sh', ['-c', `sha256sum ${name}.tar.gz >${name}.tar.gz.sha256`], { cwd: folder })
      expect(upgrade('install', join(folder, `${name}.tar.gz`))).toMatchObject({ status: 0 })
      if (version === '2') {
        writeFileSync(join(folder, 'ill'), '')
        expect(upgrade('roll')).toMatchObject({ status: 1, said: expect.stringContaining('Nothing was changed') })
        expect(readlinkSync(join(home, 'current'))).toBe('releases/latchkey-1')
        rmSync(join(folder, 'ill'))
      }
      expect(upgrade('roll')).toMatchObject({ status: 0 })
    }
    expect(upgrade('back')).toMatchObject({ status: 0 })
    const roll = (release: string) =>
      ['worker@3100', 'web@3000', 'web@3001'].map((unit) => `restart latchkey-${unit}.service releases/${release}`)
    // The new release runs `doctor` while the previous release still serves.
    const check = 'doctor latchkey-2 releases/latchkey-1'
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
      ...roll('latchkey-1'),
      check,
      check,
      ...['latchkey-2', 'latchkey-1'].flatMap(roll),
    ])
    expect(readlinkSync(join(home, 'previous'))).toBe('releases/latchkey-2')
    for (const release of ['latchkey-1', 'latchkey-2'])
      expect(readdirSync(join(home, 'releases', release, 'build/client/assets'))).toEqual(['page-1.js', 'page-2.js'])
    writeFileSync(join(folder, 'latchkey-2.tar.gz'), 'another')
    expect(upgrade('install', join(folder, 'latchkey-2.tar.gz'))).toMatchObject({ status: 1 })
  })
})

describe('The commands', () => {
  beforeAll(() => ensureBuild())

  it.each([
    ['of a release', 'latchkey'],
    ['of a checkout', 'npm run operator --'],
  ])(
    '%s are named as they are typed there: %s',
    (where, prefix) => {
      const folder = temporaryFolder()
      const isRelease = where === 'of a release'
      const release = join(folder, 'release')
      if (isRelease) assemble(release, '9.8.7')
      const [program, ...words] = isRelease
        ? [join(release, 'deploy/latchkey')]
        : [process.execPath, join(root, 'operator/launch.mjs')]
      const settings = join(folder, 'latchkey.env')
      writeFileSync(settings, `DATA_DIR=${folder}/data\n`)
      const env = {
        PATH: process.env.PATH,
        NODE: process.execPath,
        LATCHKEY_ENV: settings,
        DATA_DIR: join(folder, 'data'),
      }
      const outputOf = (command: string) => run(program!, [...words, command], { env }).said
      expect(outputOf('help').split('\n')[0]).toBe(`${prefix} <command> [--json]`)
      expect(outputOf('doctor')).toContain(`a new business: ${prefix} import <folder>`)
    },
    60_000,
  )
})

describe('The containers', () => {
  const env = {
    ...process.env,
    LATCHKEY_IMAGE: 'latchkey:1',
    POSTGRES_IMAGE: 'postgres:17',
    CADDY_IMAGE: 'caddy:2',
    SITE: 'a.example',
  }
  const compose = ['compose', '-f', join(root, 'deploy/compose.yaml'), 'config', '--quiet']
  it.skipIf(run('docker', ['compose', 'version']).status !== 0)('compose.yaml is valid (docker compose)', () => {
    const { said } = run('docker', compose, { env })
    // The environment file exists only on an installed machine.
    expect(said.replace(/.*env file \/etc\/latchkey\/latchkey\.env not found.*/, '').trim()).toBe('')
    expect(run('docker', compose, { env: { ...env, SITE: '' } }).said).toContain('the host of PUBLIC_URL')
  })

  it('the backup uses the image of PostgreSQL and needs no Node', () => {
    const [, block = ''] = /\n {2}backup:\n((?: {4}.*\n)+)/.exec(read('deploy/compose.yaml')) ?? []
    expect(block).toContain('POSTGRES_IMAGE')
    const [, pairs = ''] = /environment: \{ (.*) \}/.exec(block) ?? []
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'url'), 'postgres://x')
    const variables = Object.fromEntries(
      pairs.split(', ').map((pair) => pair.replaceAll("'", '').split(': ') as [string, string]),
    )
    const env = { ...variables, DATABASE_URL_FILE: join(folder, 'url'), BACKUPS: folder, NODE: '/nowhere/node' }
    const bin = createFakePrograms()
    const ran = run(join(root, 'deploy/backup.sh'), [], { env: { ...env, PATH: `${bin}:/usr/bin:/bin` } })
    expect(ran).toEqual({ status: 0, said: '' })
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^latchkey-.*\.dump$/))
  })

  it('the Dockerfile names only files of the release that exist in this source tree', () => {
    const paths = [...read('deploy/Dockerfile').matchAll(/\/opt\/latchkey\/current\/([\w./-]+)/g)]
    expect(paths.length).toBeGreaterThan(1)
    for (const [, path = ''] of paths) expect(existsSync(join(root, path)), path).toBe(true)
  })
})
