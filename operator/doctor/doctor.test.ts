/** `doctor`: no part is wrong with the settings of the shipped environment file; then one thing at a time is broken. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import { BACKUP } from '../../platform/chores/chore-locks.ts'
import type { Database } from '../../platform/database/open.ts'
import { checkKeys, keyCheck } from '../../platform/server-registry/key-checks.ts'
import { registerServer } from '../../platform/server-registry/running-servers-and-heartbeats.ts'
import { s3Files } from '../../ports/files/s3.ts'
import { serverForTests } from '../../ports/testing-server.ts'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { SECRETS } from '../../server/config/secrets.ts'
import { loadEncryptionKeys } from '../../server/services.ts'
import { systemClock } from '../../server/system-clock-and-random.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../../tests/support/databases.ts'
import { PRODUCTION } from '../../tests/support/production-settings.ts'
import { configOf } from '../../tests/support/site.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { run } from '../commands.ts'

const HOUR = 3_600_000
const example = join(import.meta.dirname, '../../deploy/latchkey.env.example')

let sandbox: Sandbox
let store: S3rver
let storePort: number
let mailServer: SMTPServer
let storeFolder: string
beforeAll(async () => {
  storeFolder = temporaryFolder()
  sandbox = await startSandbox({ port: 0, dataDir: temporaryFolder() })
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: storeFolder,
    configureBuckets: [{ name: 'latchkey-files', configs: [] }],
  })
  storePort = (await store.run()).port
  mailServer = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'site' }) : done(new Error('No such log-in')),
  })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await Promise.all([sandbox.close(), store.close()])
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

const mailWith = (password: string) =>
  `smtp://site:${password}@127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`

interface Answer {
  ok: boolean
  parts: { part: string; state: string; said: string; cure: string }[]
}

describeOnBothEngines('doctor', (open, engine) => {
  let db: Database
  let services: TestServices
  let environment: Record<string, string | undefined>

  beforeEach(async () => {
    db = await open()
    services = await openTestServices(db)
    for (const way of ['log', 'error'] as const) vi.spyOn(console, way).mockImplementation(() => {})
    const { dataDir, url } = placeOf(db)
    const secrets = temporaryFolder()
    const texts: Record<string, string> = {
      KEYS: PRODUCTION.KEYS!,
      SMTP_URL: mailWith('right'),
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      CARD_PROVIDER_AUTH_KEY: SANDBOX_CREDENTIALS.authKey,
      ...(url && { DATABASE_URL: url }),
    }
    for (const name of SECRETS) writeFileSync(join(secrets, name), texts[name] ?? 'unused')
    // The settings are those of the shipped file, with the servers of this test.
    const shipped = parseEnv(readFileSync(example, 'utf8').replaceAll('/etc/latchkey/secrets', secrets))
    environment = {
      ...shipped,
      MODE: 'demo',
      DATA_DIR: dataDir,
      S3_URL: `http://127.0.0.1:${storePort}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      CARD_PROVIDER_URL: sandbox.url,
      CARD_PROVIDER_XWEB_ID: SANDBOX_CREDENTIALS.xwebId,
      CARD_PROVIDER_TERMINAL_ID: SANDBOX_CREDENTIALS.terminalId,
      ...(!url && { DATABASE_URL_FILE: undefined }),
    }
    const config = configOf({ KEYS: PRODUCTION.KEYS! })
    await checkKeys(db, loadEncryptionKeys(config).sealing, Date.now())
    await noteBackup(Date.now() - HOUR)
  })
  afterEach(() => void vi.restoreAllMocks())

  const noteBackup = (at: number) =>
    db.write
      .insertInto('chores')
      .values({
        chore: BACKUP,
        holder: null,
        claimed_until: null,
        begun_at: at,
        due_at: at,
        succeeded_at: at,
        took_ms: 1,
      })
      .onConflict((conflict) => conflict.column('chore').doUpdateSet({ succeeded_at: at }))
      .execute()

  async function doctor(changes: Record<string, string | undefined> = {}) {
    const log = vi.mocked(console.log)
    log.mockClear()
    const code = await run(['doctor', '--json'], { ...environment, ...changes }, '1.4.0')
    return { code, ...(JSON.parse(log.mock.calls.flat().join('\n')) as Answer) }
  }

  /** Expects that only this part is wrong. */
  async function expectWrong(part: string, sentence: RegExp, changes?: Record<string, string | undefined>) {
    const answer = await doctor(changes)
    const bad = answer.parts.filter(({ state }) => state === 'wrong')
    expect(bad.map(({ part: badPart }) => badPart)).toEqual([part])
    expect(bad[0]!.said).toMatch(sentence)
    expect(bad[0]!.cure).not.toBe('')
    expect(answer).toMatchObject({ code: 1, ok: false })
  }

  async function registerRunningServer(settings: { mode?: string; filesMarker?: string } = {}) {
    const config = configOf({ KEYS: PRODUCTION.KEYS! })
    const registration = await registerServer(db, {
      instance: 'web-1',
      version: '1.4.0',
      mode: 'demo',
      publicUrl: 'https://rent.example.com',
      ...settings,
      keyCheck: keyCheck(loadEncryptionKeys(config).sealing[0]!),
      clock: systemClock,
      onError: () => {},
    })
    onTestFinished(registration.leave)
  }

  it('finds no problem with the shipped settings beside a server, and leaves no files behind', async () => {
    await registerRunningServer()
    const { dataDir } = placeOf(db)
    const before = readdirSync(dataDir)
    const answer = await doctor()
    expect(answer.parts.filter(({ state }) => state === 'wrong')).toEqual([])
    expect(answer).toMatchObject({ code: 0, ok: true })
    expect(answer.parts.map(({ part }) => part).join()).toBe(
      'settings,database,tables,keys,servers,backup,restored,audit,files,mail,card provider,bank,clock,disk',
    )
    expect(
      readdirSync(dataDir).filter((name) => !before.includes(name) && !/operator\.log|-(wal|shm)$/.test(name)),
    ).toEqual([])
    expect(readdirSync(join(storeFolder, 'latchkey-files'), { recursive: true }).join()).not.toContain('.txt')
    vi.mocked(console.log).mockClear()
    expect(await run(['doctor'], environment)).toBe(0)
    const lines = vi.mocked(console.log).mock.calls.flat()
    expect(lines).toHaveLength(answer.parts.length + 1)
    expect(lines.join('\n')).not.toContain(PRODUCTION.KEYS!)
  })

  it('reports a database that lacks the file store’s mark as restored, and no longer once it has the mark', async () => {
    const store = s3Files({
      url: `http://127.0.0.1:${storePort}`,
      bucket: 'latchkey-files',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    })
    await store.put('servers/restore-mark.txt', Buffer.from('a later mark'), 'text/plain')
    onTestFinished(() => store.delete('servers/restore-mark.txt'))
    await expectWrong('restored', /was put back to an earlier instant/)
    await expectWrong('restored', /nothing is mailed/)
    await db.write.insertInto('restore_marks').values({ mark: 'a later mark', made_at: 1, kept_at: null }).execute()
    expect((await doctor()).parts.find(({ part }) => part === 'restored')!.state).toBe('ok')
  })

  if (engine === 'sqlite') {
    it('lists each wrong setting, and checks nothing else', async () => {
      const { code, parts } = await doctor({ PORT: 'three', TRUST_PROXY: 'yes' })
      expect({ code, parts }).toEqual({
        code: 1,
        parts: [expect.objectContaining({ part: 'settings', state: 'wrong' })],
      })
      expect(parts[0]!.said).toMatch(/PORT should be .*TRUST_PROXY should be/)
    })

    it('reports which mail, card or bank log-in is refused', async () => {
      await expectWrong('mail', /No mail can be sent: .*No such log-in/, {
        SMTP_URL_FILE: undefined,
        SMTP_URL: mailWith('bad'),
      })
      await expectWrong('card provider', /did not carry out the request/, {
        CARD_PROVIDER_AUTH_KEY_FILE: undefined,
        CARD_PROVIDER_AUTH_KEY: 'stale',
      })
      await expectWrong('bank', /The bank answers 401/, { BANK_URL: `${sandbox.url}/bank`, BANK_KEY: 'stale' })
    })

    it('reports a mail channel that the servers have paused', async () => {
      const opened_at = Date.now() - 42 * 60_000
      await db.write
        .insertInto('circuits')
        .values({ channel: 'mail', opened_at, probe_at: Date.now(), why: '535 No such log-in' })
        .execute()
      await expectWrong('mail', /mail has been paused for 42 minutes \(535 No such log-in\)/)
      await db.write.deleteFrom('circuits').execute()
      expect((await doctor()).parts.find(({ part }) => part === 'mail')!.state).toBe('ok')
    })

    it('reports charges and mails dated in the future, their sum, and the command to type', async () => {
      services.clock.set(Date.now() + 60 * 86_400_000)
      await runBilling(services, { date: todayIn('UTC', services.clock.now()) })
      const { parts } = await doctor()
      expect(parts.find(({ part }) => part === 'clock')).toEqual({
        part: 'clock',
        state: 'wrong',
        said: expect.stringMatching(
          /^A clock was ahead: 1 billing runs .*, \d+ charges dated ahead \([\d.]+\), [1-9]\d* jobs that wait/,
        ),
        cure: expect.stringMatching(/billing --reverse GA1-\d+; then .*clock --redate$/),
      })
    })

    it('reports failures of an object store and of a folder', async () => {
      await expectWrong('files', /has no bucket/, { S3_BUCKET: 'another-bucket' })
      await expectWrong('files', /answers 403/, { S3_ACCESS_KEY_ID: 'STRANGER' })
      const blockingFile = join(temporaryFolder(), 'a-file')
      writeFileSync(blockingFile, '')
      await expectWrong('files', /a-file.*ENOTDIR|EEXIST/, { S3_URL: undefined, FILES_DIR: blockingFile })
    })

    it('reports audit events with contact data in plain text, and the command that encrypts them', async () => {
      const part = async () => (await doctor()).parts.find(({ part: name }) => name === 'audit')
      expect(await part()).toMatchObject({ state: 'ok', cure: '' })
      const writeChange = (tenantId: number) =>
        writeAuditEvent(
          db.write,
          services,
          { command: 'before' },
          {
            kind: 'tenant.updated',
            details: { fields: 'address' },
            locationCode: 'GA1',
            tenantId,
            changes: { address: ['1 Marmalade Way', '2 Quince Court'] },
          },
        )
      await writeChange(1001)
      expect(await part()).toMatchObject({
        state: 'note',
        said: expect.stringMatching(/^1 event of an earlier release holds /),
      })
      await writeChange(1002)
      const found = await part()
      expect(found).toMatchObject({
        state: 'note',
        said: expect.stringMatching(/^2 events of an earlier release hold /),
      })
      expect(found?.cure).toMatch(/^npm run operator -- audit seal, /)
      expect(JSON.stringify(found)).not.toContain('Marmalade')
    })

    it('reports that the last backup is too old, with its age', async () => {
      await noteBackup(Date.now() - 31 * HOUR)
      await expectWrong('backup', /31 hours ago/)
    })

    it('reports a full disk', async ({ skip }) => {
      const small = temporaryFolder()
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=50m', 'tmpfs', small]).status !== 0) skip()
      onTestFinished(() => void spawnSync('umount', [small]))
      const { parts } = await doctor({ S3_URL: undefined, FILES_DIR: join(small, 'files') })
      expect(parts.find(({ part }) => part === 'disk')).toMatchObject({
        state: 'wrong',
        said: expect.stringMatching(/^\d\d MB are free/),
      })
    })

    it('compares the clock with the card provider’s', async () => {
      const provider = await serverForTests((_, answer) => {
        answer.setHeader('Date', new Date(Date.now() + 10 * 60_000).toUTCString()).end()
      }, onTestFinished)
      const { parts } = await doctor({ CARD_PROVIDER_URL: provider })
      expect(parts.find(({ part }) => part === 'clock')).toMatchObject({
        state: 'wrong',
        said: expect.stringMatching(/(599|600) s behind the card provider/),
      })
    })

    it('reports a folder without a database, and a damaged database file', async () => {
      const missing = await doctor({ DATA_DIR: temporaryFolder() })
      expect(missing.code).toBe(1)
      expect(missing.parts.find(({ part }) => part === 'database')!.said).toMatch(/There is no business in/)
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'latchkey.sqlite'), 'no database '.repeat(1000))
      const damaged = await doctor({ DATA_DIR: folder })
      expect(damaged.parts.find(({ part }) => part === 'database')!.said).toMatch(/is damaged/)
      expect(existsSync(join(folder, 'keys.json'))).toBe(false)
    })
    return
  }

  it('compares the clock with the database’s', async () => {
    const name = new URL(placeOf(db).url!).pathname.slice(1)
    await sql`create function clock_timestamp() returns timestamptz language sql as 'select pg_catalog.clock_timestamp() - interval ''2 hours'''`.execute(
      db.write,
    )
    await sql.raw(`alter database "${name}" set search_path = public, pg_catalog`).execute(db.write)
    await expectWrong('clock', /7200 s ahead of the database/)
  })

  it('compares keys and settings with those of the servers', async () => {
    await registerRunningServer({ mode: 'production' })
    await expectWrong('servers', /MODE is demo here, and production on the server/)
    const other = PRODUCTION.KEYS!.replace(/^f3/, '3f')
    const { parts } = await doctor({ KEYS_FILE: undefined, KEYS: other })
    expect(parts.find(({ part }) => part === 'keys')).toMatchObject({
      state: 'wrong',
      said: expect.stringContaining('also needs'),
    })
  })

  it('reports tables of an earlier release, of before the first release, and of a later one', async () => {
    await sql`delete from kysely_migration`.execute(db.write)
    const { code, parts } = await doctor()
    expect(code).toBe(0)
    expect(parts.find(({ part }) => part === 'tables')).toMatchObject({
      state: 'note',
      cure: expect.stringContaining('migrate'),
    })
    await sql`insert into kysely_migration (name, timestamp) values ('001-of-before', '')`.execute(db.write)
    await expectWrong('tables', /before the first release\. (Move|Drop) /)
    for (const name of ['001-first-schema', '999-later'])
      await sql`insert into kysely_migration (name, timestamp) values (${name}, '')`.execute(db.write)
    await db.write.deleteFrom('database_readers').execute()
    await db.write.insertInto('database_readers').values({ oldest_reader: '999-later' }).execute()
    await expectWrong('tables', /newer version/)
  })

  it('reports why the database cannot be used, and a time zone other than UTC', async () => {
    const { url } = placeOf(db)
    const at = (address: string) => ({ DATABASE_URL_FILE: undefined, DATABASE_URL: address })
    const unreachable = await doctor(at('postgres://latchkey@127.0.0.1:1/latchkey'))
    expect(unreachable.parts.filter(({ state }) => state === 'wrong').map(({ part }) => part)).toEqual([
      'database',
      'tables',
      'keys',
      'servers',
      'backup',
      'restored',
      'audit',
    ])
    const stranger = new URL(url!)
    stranger.username = 'stranger'
    expect((await doctor(at(stranger.href))).parts[1]!.said).toMatch(/role "stranger" does not exist/)
    await expectWrong('database', /no synchronous standby is connected/, { DATABASE_HA: 'required' })
    const name = new URL(url!).pathname.slice(1)
    await sql.raw(`alter database "${name}" set timezone = 'America/Chicago'`).execute(db.write)
    expect((await doctor()).parts[1]).toMatchObject({ state: 'note', said: expect.stringContaining('America/Chicago') })
    await sql.raw(`alter database "${name}" set default_transaction_read_only = on`).execute(db.write)
    await expectWrong('database', /may only read/)
  })

  it('reports an unencrypted connection to a remote database', async () => {
    const url = new URL(placeOf(db).url!)
    const socket = join(url.searchParams.get('host')!, '.s.PGSQL.5432')
    const proxy = createServer((near) => {
      const to = connect(socket)
      for (const socketEnd of [near, to]) socketEnd.on('error', () => {})
      near.pipe(to).pipe(near)
    })
    await new Promise<void>((listening) => proxy.listen(0, listening))
    onTestFinished(() => void proxy.close())
    const elsewhere = new URL(`postgres://latchkey@0.0.0.0:${(proxy.address() as AddressInfo).port}${url.pathname}`)
    const { code, parts } = await doctor({ DATABASE_URL_FILE: undefined, DATABASE_URL: elsewhere.href })
    expect(parts.filter(({ state }) => state === 'wrong')).toEqual([])
    expect(code).toBe(0)
    expect(parts[1]).toMatchObject({ state: 'note', said: expect.stringContaining('not encrypted') })
  })

  it('reports the privileges that the database role lacks', async () => {
    const role = `doctor_${process.pid}`
    await sql
      .raw(`create role ${role} login; grant select, insert, update, delete on all tables in schema public to ${role};
      revoke update on leases from ${role}; revoke update, delete on audit_events, audit_days from ${role}`)
      .execute(db.write)
    onTestFinished(async () => void (await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db.write)))
    const url = new URL(placeOf(db).url!)
    url.username = role
    await expectWrong('tables', /^This role lacks delete on audit_events; update on leases\.$/, {
      DATABASE_URL_FILE: undefined,
      DATABASE_URL: url.href,
    })
  })

  it('reports servers that store their files elsewhere', async () => {
    await registerRunningServer({ filesMarker: 'servers/0123456789abcdef01234567.txt' })
    await expectWrong('servers', /The files of web-1/)
  })
})
