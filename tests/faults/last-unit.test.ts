import { expect, it, onTestFinished } from 'vitest'
import { formatPhone } from '../../domain/phone.ts'
import { unitsGone } from '../../modules/reservations/texts/reserve.ts'
import { openSite } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor-http-client.ts'
import { describeOnBothEngines, placeOf } from '../support/databases.ts'
import { noon, openTestServices } from '../support/small-operator.ts'

/** Unit type of the small operator with one free unit. */
const place = { code: 'GA1', type: 2 }
const visitors = 200

describeOnBothEngines('200 visitors and the last unit, through the pages', (open) => {
  it('holds it for one visitor, and shows the others the specified sentence', async () => {
    const db = await open()
    await openTestServices(db)
    const { dataDir, url: databaseUrl } = placeOf(db)
    const { phone } = await db.read
      .selectFrom('locations')
      .select('phone')
      .where('location_code', '=', place.code)
      .executeTakeFirstOrThrow()
    const sentence = unitsGone(formatPhone(phone)).replaceAll("'", '&#x27;')
    const environment = { DEMO: 'off' }
    const site = await openSite({ dataDir, databaseUrl, sandboxUrl: 'http://127.0.0.1:9', environment })
    onTestFinished(() => site.end('SIGKILL').then(() => {}))
    await site.start(noon)
    const crowd: Visitor[] = []
    for (let number = 0; number < visitors; number += 1) {
      const visitor = new Visitor(site.url, `127.1.${number % 10}.${number}`)
      await visitor.page(`/rent/${place.code}/${place.type}?rentNow=1`)
      crowd.push(visitor)
    }
    // All submit the contact form at once, like browsers without scripts.
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
    const [heldUnits, tenants] = await Promise.all([
      db.read
        .selectFrom('units')
        .select('unit_id')
        .where('location_code', '=', place.code)
        .where('unit_type_id', '=', place.type)
        .where('status', '=', 'held')
        .execute(),
      db.read.selectFrom('tenants').select('tenant_id').where('last_key', '=', 'visitor').execute(),
    ])
    expect({
      onTheirWay: answers.filter(({ status, to }) => status === 302 && to === '/vehicle').length,
      refused: answers.filter(({ html }) => html.includes(sentence)).length,
      holds: heldUnits.length,
      tenants: tenants.length,
    }).toEqual({ onTheirWay: 1, refused: visitors - 1, holds: 1, tenants: 1 })
  }, 180_000)
})
