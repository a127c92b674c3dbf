import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openerForTests, placeOf } from '../tests/support/databases.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { describeCall } from './audit-command-run.ts'
import { commands, run } from './commands.ts'

const sample = join(import.meta.dirname, '..', 'docs', 'sample-operator')

/** A call of each audited command, or the reason why the command is not audited. */
const calls: Record<string, string[] | { none: string }> = {
  import: ['import', sample],
  export: ['export', '<folder>/out'],
  backup: ['backup', '<folder>/backup.sqlite'],
  restore: { none: 'replaces the database with its audit: operator.log has it' },
  migrate: ['migrate'],
  resume: ['resume', '--after-restore'],
  'migrate-to': { none: 'works with another database, and with no server running: operator.log has it' },
  keys: ['keys', 'add'],
  billing: ['billing', '--location', 'NOWHERE'],
  reconcile: ['reconcile'],
  link: ['link', 'reservation', 'NOWHERE', 'R1'],
  audit: { none: 'reads' },
  clock: ['clock', '--confirm'],
  doctor: { none: 'reads' },
  catalogue: { none: 'reads' },
  banner: ['banner', 'Closed for Ada Reyes'],
  maintenance: ['maintenance', 'off'],
  settings: { none: 'reads' },
  jobs: ['jobs', 'revive', 'j-1'],
  photographs: ['photographs', '<folder>/none'],
  appointment: [
    'appointment',
    'add',
    'NOWHERE',
    '--name',
    'Ada Reyes',
    '--email',
    'ada@mail.example',
    '--at',
    '2026-11-23 10:00',
  ],
  terms: ['terms', 'require', '--all'],
  staff: ['staff', 'owner', 'ada@mail.example'],
}

describe('The audit of commands', () => {
  const open = openerForTests()
  beforeEach(() => {
    for (const way of ['log', 'error'] as const) vi.spyOn(console, way).mockImplementation(() => {})
  })
  afterEach(() => void vi.restoreAllMocks())

  it('has an event for each audited call, done or refused, none for a call that reads, and no personal data', async () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(commands).sort())
    const db = await open()
    const { dataDir } = placeOf(db)
    const environment = { DATA_DIR: dataDir, CLOCK: '2026-11-20T20:00:00Z', PUBLIC_URL: 'https://rent.example' }
    const missing: string[] = []
    for (const [name, call] of Object.entries(calls)) {
      if (!Array.isArray(call)) continue
      const before = (await rowsOf(db, 'audit_events', ['event_id'], { kind: 'command.run' })).length
      const code = await run(
        call.map((word) => word.replace('<folder>', dataDir)),
        environment,
      )
      const rows = await rowsOf(db, 'audit_events', ['actor', 'details', 'outcome'], { kind: 'command.run' })
      const events = rows.filter(({ details }) => JSON.parse(String(details)).command === name)
      if (rows.length !== before + 1 || events[0]?.outcome !== (code === 0 ? 'done' : 'refused'))
        missing.push(`${name} (${code})`)
      expect(JSON.stringify(rows)).not.toMatch(/Ada|Reyes|mail\.example/)
    }
    expect(missing).toEqual([])
    const rows = async () => (await rowsOf(db, 'audit_events', ['event_id'], { kind: 'command.run' })).length
    const written = await rows()
    for (const words of [['jobs'], ['keys'], ['settings', 'get'], ['import', sample, '--dry-run']])
      await run(words, environment)
    expect(await rows()).toBe(written)
    const log = vi.mocked(console.log)
    log.mockClear()
    expect(await run(['audit', '--since', '2026-11-20'], environment)).toBe(0)
    expect(log.mock.calls.flat().join('\n')).toMatch(/command line {2}gave the command: maintenance off/)
  })

  it('keeps codes, amounts and the names of options, but no name of a person', () => {
    expect(describeCall(['auction', 'ATL01', 'B1'], { name: 'Ada Reyes', amount: '139.00', json: true })).toBe(
      'auction ATL01 B1 --name … --amount 139.00',
    )
  })
})
