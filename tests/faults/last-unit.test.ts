import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { facilities } from '../../demo/facilities.ts'
import { formatPhone } from '../../domain/phone.ts'
import { unitsGone } from '../../modules/reservations/texts/reserve.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { openSite } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor.ts'
import { canUsePostgres, onNewPostgres } from '../support/postgres.ts'

/** Unit type with one free unit in the demo. */
const place = { code: 'PHX01', type: 'DU1025' as const }
const visitors = 200

/** Opens the contact form for all visitors, then submits all of them at once, like browsers without scripts. */
async function race(
  databaseUrl?: string,
): Promise<{ onTheirWay: number; refused: number; holds: number; tenants: number }> {
  const facility = facilities.find(({ code }) => code === place.code)
  if (!facility) throw new Error('The demo has no such facility')
  // The demo numbers a facility's unit types from 1, in this order.
  const unitTypeId = facility.units.findIndex(([type]) => type === place.type) + 1
  const sentence = unitsGone(formatPhone(facility.phone)).replaceAll("'", '&#x27;')
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-last-unit-'))
  const site = await openSite({ dataDir, databaseUrl, sandboxUrl: 'http://127.0.0.1:9' })
  try {
    await site.start(Date.now())
    const crowd: Visitor[] = []
    for (let number = 0; number < visitors; number += 1) {
      const visitor = new Visitor(site.url, `127.1.${number % 10}.${number}`)
      await visitor.page(`/rent/${place.code}/${unitTypeId}?rentNow=1`)
      crowd.push(visitor)
    }
    const answers = await Promise.all(
      crowd.map((visitor, number) =>
        visitor.page('/add-contact?rentNow=1', {
          first: 'Val',
          last: 'Visitor',
          email: `visitor-${number}@example.com`,
          cell_phone: '6025550119',
          address: '1 Canal Path',
          city: 'Phoenix',
          state: 'AZ',
          zip: '85004',
        }),
      ),
    )
    const db = await openDatabase({ dataDir, readOnly: true, ...(databaseUrl ? { url: databaseUrl } : {}) })
    try {
      const [heldUnits, tenants] = await Promise.all([
        db.read
          .selectFrom('units')
          .select('unit_id')
          .where('location_code', '=', place.code)
          .where('unit_type_id', '=', unitTypeId)
          .where('status', '=', 'held')
          .execute(),
        db.read.selectFrom('tenants').select('tenant_id').where('last_key', '=', 'visitor').execute(),
      ])
      return {
        onTheirWay: answers.filter(({ status, to }) => status === 302 && to === '/vehicle').length,
        refused: answers.filter(({ html }) => html.includes(sentence)).length,
        holds: heldUnits.length,
        tenants: tenants.length,
      }
    } finally {
      await db.close()
    }
  } finally {
    await site.end('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const oneOfAll = { onTheirWay: 1, refused: visitors - 1, holds: 1, tenants: 1 }

describe('200 visitors and the last unit, through the pages', () => {
  it('holds it for one visitor, and shows the others the specified sentence (SQLite)', async () => {
    expect(await race()).toEqual(oneOfAll)
  }, 180_000)

  it.skipIf(!canUsePostgres())(
    'holds it for one visitor, and shows the others the specified sentence (PostgreSQL)',
    () =>
      onNewPostgres('last_unit', async (url) => {
        expect(await race(url)).toEqual(oneOfAll)
      }),
    180_000,
  )
})
