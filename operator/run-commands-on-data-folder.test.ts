import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { sqliteFile } from '../platform/database/open.ts'
import { fixedClock } from '../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, openerForTests, placeOf, temporaryFolder } from '../tests/support/databases.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { run } from './commands.ts'

const sample = join(import.meta.dirname, '..', 'docs', 'sample-operator')

let out: string[] = []
let errors: string[] = []
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function operator(dataDir: string, ...words: string[]) {
  out = []
  errors = []
  const code = await run(words, {
    DATA_DIR: dataDir,
    CLOCK: '2026-11-20T20:00:00Z',
    PUBLIC_URL: 'https://rent.example',
  })
  return { code, said: out.join('\n'), complained: errors.join('\n') }
}

const json = async (dataDir: string, ...words: string[]) => {
  const { code, said } = await operator(dataDir, ...words, '--json')
  return { code, answer: JSON.parse(said) }
}

describe('The command line', () => {
  const open = openerForTests()
  let dataDir: string

  it('logs each command without the given names and addresses', async () => {
    const folder = temporaryFolder()
    await operator(folder, 'import', sample)
    await operator(folder, 'maintenance', 'on')
    await operator(folder, 'maintenance', 'perhaps')
    await operator(folder, 'link', 'auction', 'NOWHERE', 'B1', '--name', 'Ada Reyes', '--email', 'ada@mail.example')
    const log = readFileSync(join(folder, 'operator.log'), 'utf8')
    const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    expect(lines.map(({ event, command, outcome }) => [event, command, outcome])).toEqual([
      ['operator.command', 'import', 'done'],
      ['operator.command', 'maintenance on', 'done'],
      ['operator.command', 'maintenance perhaps', 'misused'],
      ['operator.command', 'link auction', 'misused'],
    ])
    expect(lines.every(({ level, by, time }) => level === 30 && by !== '' && time !== undefined)).toBe(true)
    expect(log).not.toMatch(/Ada|mail\.example/)
    expect(statSync(join(folder, 'operator.log')).mode & 0o777).toBe(0o600)
  })

  it('lists the commands, and explains wrong arguments', async () => {
    const nowhere = temporaryFolder()
    expect(await operator(nowhere)).toMatchObject({
      code: 0,
      said: expect.stringContaining('migrate-to <postgres url>'),
    })
    expect((await operator(nowhere, 'billing', '--help')).said).toContain('--location')
    const importHelp = await operator(nowhere, 'help', 'import')
    expect(importHelp).toMatchObject({ code: 0, said: expect.stringMatching(/--dry-run {2}imports[\s\S]*--json/) })
    expect(await operator(nowhere, 'import', '--help')).toEqual(importHelp)
    expect((await operator(nowhere, 'help', 'appointment')).said).toContain('--phone')
    expect(await operator(nowhere, 'help')).toMatchObject({ code: 0, said: expect.stringContaining('backup <file>') })
    for (const words of [['help', 'dance'], ['dance'], ['toString']]) {
      const complained = `There is no command ${words.at(-1)}. help lists them all.`
      expect(await operator(nowhere, ...words)).toMatchObject({ code: 2, said: '', complained })
    }
    for (const words of [
      ['billing', '--dry'],
      ['billing', '--date', '13/45/2026'],
      ['billing', 'now'],
      ['billing', '--date', '2062-11-20'],
      ['backup'],
      ['import'],
      ['export', join(nowhere, 'x'), '--format', 'xml'],
      ['link', 'auction', 'PDX01', 'B1'],
      ['link', 'settlement', 'PDX01', 'B1', 'ten'],
      ['link', 'reservation', 'PDX01'],
      ['link', 'reservation', 'PDX01', 'K7M2XQ9TRD', '10.00'],
      ['terms', 'require', 'PDX01'],
      ['settings', 'set', 'brand', 'red'],
      ['settings', 'get', 'color'],
      ['jobs', 'revive', '--all', '--rate', 'quick'],
      ['jobs', 'revive', '--all', '--since', 'noon'],
      ['migrate-to', 'mysql://x'],
      ['appointment', 'add', 'PDX01', '--name', 'A', '--email', 'a@b.example', '--at', 'noon'],
    ])
      expect({ words, ...(await operator(nowhere, ...words)) }).toMatchObject({ words, code: 2, said: '' })
    for (const [option, ...words] of [
      ['--kind', 'jobs', '--kind', 'mail'],
      ['--since', 'jobs', 'revive', 'j-1', '--since', '2026-11-20'],
      ['--rate', 'jobs', 'revive', 'j-1', '--rate', '1/s'],
    ] as const)
      expect(await operator(nowhere, ...words)).toMatchObject({
        code: 2,
        complained: expect.stringContaining(`${option} goes with revive --all.`),
      })
  })

  it('refuses a data folder without a database, and creates none', async () => {
    const mistyped = join(temporaryFolder(), 'dat')
    for (const words of [
      ['reconcile'],
      ['jobs'],
      ['billing'],
      ['banner', 'Closed'],
      ['backup', '--taken'],
      ['export', join(mistyped, 'out')],
      ['migrate-to', 'postgres://nobody@127.0.0.1:1/none'],
    ])
      expect({ words, ...(await operator(mistyped, ...words)) }).toMatchObject({
        words,
        code: 1,
        said: '',
        complained: expect.stringContaining(`There is no business in ${mistyped}`),
      })
    expect(existsSync(sqliteFile(mistyped))).toBe(false)
  })

  it('shows an import’s progress only on a terminal, in a line that disappears at the end', async () => {
    const written: string[] = []
    const tty = process.stderr.isTTY
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    try {
      process.stderr.isTTY = false
      await operator(temporaryFolder(), 'import', sample)
      expect(written).toEqual([])
      process.stderr.isTTY = true
      await operator(temporaryFolder(), 'import', sample, '--json')
      expect(written).toEqual([])
      await operator(temporaryFolder(), 'import', sample)
    } finally {
      process.stderr.isTTY = tty
    }
    expect(written.join('')).toContain('\r\u001b[Kunits.csv: 40 of 40 rows coming in')
    expect(written.every((text) => text.startsWith('\r\u001b[K'))).toBe(true)
    expect(written.at(-1)).toBe('\r\u001b[K')
  })

  it('imports a business, works on it and exports it', async () => {
    const db = await open()
    dataDir = placeOf(db).dataDir
    const bad = temporaryFolder()
    writeFileSync(join(bad, 'units.csv'), 'location_code,unit_id\nPDX01,x\n')
    expect(await operator(dataDir, 'import', bad)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('units.csv line 1, unit_number: is missing'),
    })
    expect(await operator(dataDir, 'import', sample, '--dry-run')).toMatchObject({
      code: 0,
      said: expect.stringContaining('nothing was written'),
    })
    expect((await operator(dataDir, 'import', sample)).said).toContain('units.csv          40 rows, 40 new or changed')

    // Lease 7002, at SEA01, is paid through November 19.
    expect(await json(dataDir, 'billing', '--location', 'SEA01')).toMatchObject({
      code: 0,
      answer: { facilities: 1, leases: 1, entries: 2, movedOut: 0 },
    })
    expect((await operator(dataDir, 'billing')).code).toBe(0)
    expect(await operator(dataDir, 'billing', '--reverse', 'SEA01-1,SEA01-99')).toMatchObject({
      code: 1,
      complained: expect.stringContaining('There is no run SEA01-99. Nothing was taken back.'),
    })
    // A day more than a year ahead is refused without --ahead.
    const farAhead = ['billing', '--catch-up', '--through', '2062-11-20'] as const
    expect(await operator(dataDir, ...farAhead)).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--ahead'),
    })
    expect(await operator(dataDir, ...farAhead, '--ahead')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Nothing was charged'),
    })
    const { answer: reversals } = await json(dataDir, 'billing', '--reverse', 'SEA01-1,PDX01-1')
    expect(reversals).toMatchObject([{ run: 'SEA01-1', leases: 1, entries: 2 }, { run: 'PDX01-1' }])
    expect((await json(dataDir, 'billing', '--location', 'SEA01')).answer).toMatchObject({ facilities: 1, entries: 2 })
    expect((await operator(dataDir, 'billing')).code).toBe(0)

    expect(await operator(dataDir, 'reconcile')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Nothing is open'),
    })
    await sql`update leases set balance = balance - 100 where lease_number = 7001`.execute(db.write)
    const [mismatch, ...others] = (await json(dataDir, 'reconcile')).answer.balances
    expect([mismatch.kept, others]).toEqual([mismatch.sum - 100, []])
    expect((await json(dataDir, 'reconcile')).answer.balances).toEqual([])

    const settlement = await json(dataDir, 'link', 'settlement', 'SEA01', 'A2', '20.00')
    expect(settlement.answer.link).toBe(`https://rent.example/past-due-payment/${settlement.answer.uuid}`)
    const winner = ['--name', 'Ada Reyes', '--email', 'ada@mail.example', '--city', 'Seattle', '--zip', '98108']
    expect((await operator(dataDir, 'link', 'auction', 'SEA01', 'A2', ...winner)).said).toMatch(
      /^https:\/\/rent\.example\/auction-winner\/[0-9a-f-]{36}$/,
    )
    for (const refusedCall of [
      ['link', 'settlement', 'SEA01', 'A2', '2000.00'],
      ['link', 'auction', 'SEA01', 'A1', ...winner],
      ['link', 'reservation', 'NYC01', 'K7M2XQ9TRD'],
      ['billing', '--location', 'NYC01'],
      ['jobs', 'revive', '1'],
      ['terms', 'require', 'PDX01', '9'],
    ])
      expect([refusedCall, (await operator(dataDir, ...refusedCall)).code]).toEqual([refusedCall, 1])
    expect(await operator(dataDir, 'link', 'reservation', 'SEA01', 'K7M2XQ9TRD')).toMatchObject({
      code: 1,
      said: '',
      complained: 'SEA01 holds no reservation K7M2XQ9TRD.',
    })

    const visit = ['--name', 'Ada', '--email', 'ada@mail.example', '--at', '2026-11-23 10:00']
    expect((await operator(dataDir, 'appointment', 'add', 'BOI01', ...visit)).said).toContain('/confirm_appointment?')
    expect(await rowsOf(db, 'appointments', ['starts_at'])).toEqual([
      { starts_at: Date.parse('2026-11-23T10:00:00-07:00') },
    ])

    const gap = [...visit.slice(0, -1), '2027-03-14 02:30']
    expect(await operator(dataDir, 'appointment', 'add', 'BOI01', ...gap)).toMatchObject({
      code: 1,
      said: '',
      complained: expect.stringContaining('there is no 2027-03-14 02:30'),
    })

    expect(await json(dataDir, 'terms', 'require', 'PDX01', '7001')).toEqual({ code: 0, answer: { leases: 1 } })
    expect(await json(dataDir, 'terms', 'require', '--all')).toEqual({ code: 0, answer: { leases: 2 } })

    expect(await operator(dataDir, 'banner', '<b>Closed</b>')).toMatchObject({ code: 0 })
    expect((await json(dataDir, 'settings', 'get', 'app_banner')).answer).toEqual({ app_banner: '<b>Closed</b>' })

    const to = join(temporaryFolder(), 'out')
    expect(await operator(dataDir, 'export', to)).toMatchObject({ code: 0 })
    expect(readdirSync(to)).toHaveLength(13)
    expect(await operator(dataDir, 'export', to)).toMatchObject({ code: 1 })
  })
})

describe('A backup of tables of an earlier release', () => {
  const open = openerForTests()

  it('is written, and not noted before the tables are migrated: the command says so, and fails if it only notes', async () => {
    const db = await open()
    const { dataDir } = placeOf(db)
    const loadNoted = () => rowsOf(db, 'chores', ['succeeded_at'], { chore: 'backup' })
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db.read)
    await sql`delete from kysely_migration where name = ${rows[0]!.name}`.execute(db.write)
    const file = join(temporaryFolder(), 'backup.sqlite')
    const notNoted = /^Not noted: the tables are those of an earlier release\..* backup --taken$/m
    const written = await operator(dataDir, 'backup', file)
    expect(written).toMatchObject({ code: 0, said: expect.stringMatching(notNoted) })
    expect(existsSync(file)).toBe(true)
    expect(await operator(dataDir, 'backup', '--taken')).toMatchObject({
      code: 1,
      said: '',
      complained: expect.stringMatching(notNoted),
    })
    expect(await loadNoted()).toEqual([])
    await sql`insert into kysely_migration (name, timestamp) values (${rows[0]!.name}, '')`.execute(db.write)
    expect(await operator(dataDir, 'backup', '--taken')).toMatchObject({ code: 0, said: 'Noted.' })
    expect(await loadNoted()).toHaveLength(1)
  })
})

describe('A restore', () => {
  const open = openerForTests()

  it('refuses while a server uses the data folder, and keeps the replaced database', async () => {
    const db = await open()
    const { dataDir } = placeOf(db)
    // The file is replaced, so this process must not have the old one open.
    await db.close()
    await operator(dataDir, 'import', sample)
    const backup = join(temporaryFolder(), 'backup.sqlite')
    expect(await operator(dataDir, 'backup', backup)).toMatchObject({ code: 0 })
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(await operator(dataDir, 'backup', backup)).toMatchObject({
      code: 1,
      said: '',
      complained: `${backup} exists already; a backup overwrites nothing`,
    })
    await operator(dataDir, 'banner', 'later')

    const clock = fixedClock(Date.parse('2026-11-20T20:00:00Z'))
    const lock = lockDataDirectory({ dataDir, address: 'https://rent.example', clock })
    expect(await operator(dataDir, 'restore', backup)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('at https://rent.example'),
    })
    expect((await json(dataDir, 'settings', 'get', 'app_banner')).answer).toEqual({ app_banner: 'later' })
    lock.release()

    const restored = await json(dataDir, 'restore', backup)
    expect(restored.code).toBe(0)
    expect(existsSync(restored.answer.before)).toBe(true)
    expect((await json(dataDir, 'settings', 'get', 'app_banner')).answer).toEqual({ app_banner: '' })
    // No server had used the database before the backup.
    expect((await operator(dataDir, 'resume')).said).toContain('put back; it does not say when it ends')

    writeFileSync(join(dataDir, 'not-a-backup'), 'hello')
    expect(await operator(dataDir, 'restore', join(dataDir, 'not-a-backup'))).toMatchObject({ code: 1 })
    expect((await json(dataDir, 'settings', 'get', 'app_banner')).answer).toEqual({ app_banner: '' })
  })
})

describeOnBothEngines('Copying to PostgreSQL', (openTarget, engine) => {
  const open = openerForTests()

  it.runIf(engine === 'postgres')('compares every table and the ledger, and refuses a database in use', async () => {
    const { dataDir } = placeOf(await open())
    await operator(dataDir, 'import', sample)
    const target = await openTarget()
    const { url } = placeOf(target)
    const { code, said } = await operator(dataDir, 'migrate-to', String(url))
    expect(code).toBe(0)
    expect(said).toMatch(/^units\s+40 → 40$/m)
    expect(said).toMatch(/^sum of the ledger\s+\$16\.50 → \$16\.50$/m)
    expect(await rowsOf(target, 'leases', ['lease_number'])).toEqual([{ lease_number: 7001 }, { lease_number: 7002 }])
    expect(await operator(dataDir, 'migrate-to', String(url))).toMatchObject({
      code: 1,
      complained: expect.stringContaining('in use already'),
    })
  })
})
