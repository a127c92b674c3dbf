import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { SANDBOX_CREDENTIALS, startSandbox } from '../../sandbox/server.ts'
import { root } from '../../server/build.mjs'
import type { Mail } from '../actors/check-confirmed-rentals.ts'
import { freePort } from '../actors/free-port.ts'
import { killPostgres } from '../actors/run-site-process.ts'
import { runFailover } from '../faults/failover.ts'
import { type PostgresPair, startPostgresPair } from '../support/postgres.ts'
import { PRODUCTION } from '../support/production-settings.ts'
import { openRedirectableProxy } from '../support/redirectable-tcp-proxy.ts'
import { canIsolate } from './create-and-run-in-bare-root.ts'
import type { Drill } from './drill-definition.ts'
import { queryRows } from './start-archived-postgres.ts'
import { type Authority, ownAuthority, startHaproxy, startTls } from './start-reverse-proxies.ts'
import { installRelease, type Machine, newMachine } from './systemd-units-without-systemd.ts'

const hosts = {
  site: 'rent.latchkey.test',
  pay: 'pay.latchkey.test',
  mail: 'mail.latchkey.test',
  db: 'db.latchkey.test',
}
const PASSWORD = 'a password of the drill'
const MORE_UNITS = 60
const kinds = ['PDX01', 'PDX02', 'SEA01', 'TAC01'].map((code) => ({ code, type: 1 }))

/** Copies the sample business and adds `MORE_UNITS` free units of each type in `kinds`. Returns the folder. */
function createBusiness(folder: string): string {
  const business = join(folder, 'business')
  cpSync(join(root, 'docs/sample-operator'), business, { recursive: true })
  const file = join(business, 'units.csv')
  const more = kinds.flatMap(({ code }) =>
    Array.from({ length: MORE_UNITS }, (_, index) => `${code},${index + 101},X${index + 101},1,free,2,20,20,5,5,0`),
  )
  writeFileSync(file, `${readFileSync(file, 'utf8').trim()}\n${more.join('\n')}\n`)
  return business
}

async function startMailServer(port: number, pem: string) {
  const content = readFileSync(pem)
  const mails = new Map<string, Mail>()
  const server = new SMTPServer({
    secure: true,
    key: content,
    cert: content,
    onAuth: (_auth, _session, done) => done(null, { user: 'site' }),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const { messageId = '', subject = '' } = await PostalMime.parse(Buffer.concat(chunks))
        // A mail may arrive twice when its sender lost the database meanwhile. Mails with the same id count once.
        mails.set(messageId, { recipient: envelope.rcptTo[0]?.address ?? '', subject })
        done()
      })
    },
  })
  // A client that does not trust the certificate, or that has ended, must not end the server.
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return { mails, close: () => new Promise<void>((closed) => server.close(closed)) }
}

/** Requests a URL whose host name resolves to this machine, and returns the HTTP status. */
const fetchStatusByName = (url: string) =>
  new Promise<number>((resolve, reject) => {
    const lookup = {
      lookup: (_: string, __: object, done: (...result: unknown[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }]),
    }
    request(url, lookup as object, (answer) => resolve(answer.resume().statusCode ?? 0))
      .once('error', reject)
      .end()
  })

interface Prepared {
  machine: Machine
  publicUrl: string
  ports: Record<'front' | 'worker' | 'web1' | 'web2' | 'pay' | 'mail' | 'sandbox', number>
}

async function prepare(folder: string, authority: Authority, databasePort: number): Promise<Prepared> {
  const names = ['front', 'worker', 'web1', 'web2', 'pay', 'mail', 'sandbox'] as const
  const ports = {} as Prepared['ports']
  for (const name of names) ports[name] = await freePort()
  const publicUrl = `https://${hosts.site}:${ports.front}`
  const machine = newMachine(folder, {
    hosts: Object.values(hosts),
    authority: authority.certificate,
    settings: {
      MODE: 'production',
      PUBLIC_URL: publicUrl,
      MAIL_FROM: PRODUCTION.MAIL_FROM!,
      // The kiosks act as a proxy in front of HAProxy, so that each has its own network address.
      TRUST_PROXY: '2',
      CARD_PROVIDER_URL: `https://${hosts.pay}:${ports.pay}`,
      CARD_PROVIDER_XWEB_ID: SANDBOX_CREDENTIALS.xwebId,
      CARD_PROVIDER_TERMINAL_ID: SANDBOX_CREDENTIALS.terminalId,
      DATABASE_HA: 'required',
      FILES_DIR: '/srv/latchkey-files',
      FILES_SHARED: 'on',
      LOG_LEVEL: 'error',
      NODE_EXTRA_CA_CERTS: '/etc/latchkey/ca.pem',
      DATABASE_CA: '/etc/latchkey/ca.pem',
      HOST: '127.0.0.1',
    },
    secrets: {
      KEYS: PRODUCTION.KEYS!,
      CARD_PROVIDER_AUTH_KEY: SANDBOX_CREDENTIALS.authKey,
      DATABASE_URL: `postgres://latchkey:${encodeURIComponent(PASSWORD)}@${hosts.db}:${databasePort}/postgres`,
      SMTP_URL: `smtps://site:secret@${hosts.mail}:${ports.mail}`,
    },
  })
  return { machine, publicUrl, ports }
}

function packRelease(folder: string): string {
  const words = [join(root, 'deploy/build-release.mjs'), '--version', '1.0.0', '--out', folder]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const name = readdirSync(folder).find((file) => file.endsWith('.tar.gz'))
  if (status !== 0 || !name) throw new Error(`The release could not be packed: ${stderr}`)
  return join(folder, name)
}

interface Surroundings {
  folder: string
  pair: PostgresPair
  authority: Authority
}

async function run(
  { folder, pair, authority }: Surroundings,
  seed: number,
  log: (line: string) => void,
): Promise<string[]> {
  const { port, redirectTo, close } = await openRedirectableProxy(pair.primary.address!)
  const { machine, publicUrl, ports } = await prepare(folder, authority, port)
  const verifiedUrl = new URL(`postgres://latchkey:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`)
  const plainUrl = verifiedUrl.href
  verifiedUrl.searchParams.set('sslmode', 'verify-full')
  verifiedUrl.searchParams.set('sslrootcert', join(folder, 'ca/ca.crt'))
  const violations: string[] = []
  const expectTrue = (claim: string, isTrue: boolean, detail = '') => {
    log(`${isTrue ? 'holds' : 'DOES NOT HOLD'}: ${claim}`)
    if (isTrue) return
    log(detail)
    violations.push(claim)
  }
  const command = async (...words: string[]) => {
    const { code, output } = await machine.latchkey(...words)
    expectTrue(`latchkey ${words.join(' ')}`, code === 0, output)
  }
  log('packing and installing the release')
  installRelease(packRelease(folder), machine, folder)
  cpSync(createBusiness(folder), join(folder, 'var/lib/latchkey/business'), { recursive: true })
  const pay = await startTls({ pem: authority.pemFor(hosts.pay), port: ports.pay, to: ports.sandbox })
  const mail = await startMailServer(ports.mail, authority.pemFor(hosts.mail))
  const sandbox = await startSandbox({
    port: ports.sandbox,
    dataDir: folder,
    slowMs: 300,
    publicUrl: `https://${hosts.pay}:${ports.pay}`,
  })
  try {
    await command('migrate')
    await command('import', '/var/lib/latchkey/business')
    await command('backup', '--taken')
    if (violations.length > 0) return violations
    const { violations: failoverViolations, ...counts } = await runFailover({
      databaseUrl: verifiedUrl.href,
      seed,
      kiosks: 4,
      paceMs: 200,
      kinds,
      log,
      mails: () => [...mail.mails.values()],
      async open() {
        const sites = [
          `latchkey-worker@${ports.worker}`,
          `latchkey-web@${ports.web1}`,
          `latchkey-web@${ports.web2}`,
        ].map(machine.unit)
        const pem = authority.pemFor(hosts.site)
        const haproxy = await startHaproxy({ folder, port: ports.front, ports: [ports.web1, ports.web2], pem })
        return {
          sites,
          folder,
          filesFolder: join(folder, 'srv/latchkey-files'),
          frontUrl: publicUrl,
          sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
          async close() {
            haproxy.kill('SIGTERM')
            for (const server of sites) await server.end('SIGTERM')
          },
        }
      },
      async strike() {
        await command('doctor')
        expectTrue('the site answers by its name over TLS', (await fetchStatusByName(`${publicUrl}/`)) === 200)
        expectTrue('its metrics do not', (await fetchStatusByName(`${publicUrl}/metrics`)) === 404)
        const refused = await queryRows(plainUrl, 'select 1').catch((error: Error) => error.message)
        expectTrue('the database takes nothing in the clear', /no encryption/.test(String(refused)), String(refused))
        const [open] = await queryRows<{ n: number; clear: number }>(
          verifiedUrl.href,
          `select count(*)::int as n, count(*) filter (where not ssl)::int as clear
           from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'latchkey'`,
        )
        expectTrue(
          'every connection of the servers to it is encrypted',
          open!.n > 2 && open!.clear === 0,
          JSON.stringify(open),
        )
        log('the primary is killed')
        await killPostgres(pair.primary.dataFolder)
        await pair.promote()
        redirectTo(pair.standby.address!)
        await pause(8000)
      },
      async settled() {
        await command('reconcile')
      },
    })
    log(JSON.stringify(counts))
    if (counts.movedIn === 0 || counts.writesAfter === 0) violations.push('nothing was rented, or nothing afterwards')
    return [...violations, ...failoverViolations]
  } finally {
    pay.close()
    await Promise.all([mail.close(), sandbox.close(), close()])
  }
}

export default {
  about:
    'From a root with Node alone: the release tarball in production mode under the commands of the shipped units and tini, behind the shipped HAProxy file with TLS, on a primary with a synchronous standby, with database (DATABASE_CA), card provider and mail server over TLS; doctor is green, the primary is killed under kiosks, and the books agree.',
  needs: ['initdb', 'haproxy', 'tini'],
  options: { seed: { type: 'string', default: '1' } },
  whyNot: () => (canIsolate() ? null : 'root, unshare and mount are needed for a root of its own'),
  async run({ seed }, log) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-production-'))
    spawnSync('chmod', ['755', folder])
    const authority = ownAuthority(join(folder, 'ca'))
    const pair = await startPostgresPair({ pem: authority.pemFor(hosts.db, '127.0.0.1'), password: PASSWORD })
    try {
      return await run({ folder, pair, authority }, Number(seed), log)
    } finally {
      pair.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Drill
