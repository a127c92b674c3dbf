import { beforeEach, expect, it } from 'vitest'
import { gateSentence } from '../../app/office/gate-sentence.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { handleGateContact } from '../gate/answer-gate-list-pull.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { loadGateHours } from '../gate/load-and-lock-facility-gate.ts'
import { loadTenantGateAccess } from '../gate/load-tenant-gate-access.ts'
import { syncGates } from '../gate/refresh-stored-gate-lists.ts'
import { gateSentence as fileSentence, gateRefusal } from '../gate/rules/gate-reason-texts.ts'
import { setGate } from '../gate/set-gate-kind-and-hours.ts'
import { loadUnitOverviews } from '../leases/views/tenant-unit-details.ts'
import { refusedCodeText } from './internal/gate-code-sentences.ts'
import { loadGateCodes } from './internal/message-facts.ts'

const cy = { locationCode: 'GA1', tenantId: 1002 }

describeOnBothEngines('Access at the gate', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  const leaseOf = (lease_number: number) =>
    services.db.read.selectFrom('leases').selectAll().where('lease_number', '=', lease_number).executeTakeFirstOrThrow()
  /** Inserts a second lease of Cy Dorn, for unit 201. */
  const secondLease = async (gate_code: string) => {
    const { balance: _, ...first } = await leaseOf(10002)
    await services.db.write
      .insertInto('leases')
      .values({ ...first, lease_number: 10003, unit_id: 4, unit_number: '201', overlocked: 0, gate_code })
      .execute()
  }
  const secondCode = () =>
    services.db.write
      .insertInto('gate_codes')
      .values({
        location_code: 'GA1',
        gate_code: '603718',
        tenant_id: 1002,
        lease_number: 10003,
        time_zone_name: 'standard',
        active: 1,
        created_at: 0,
      })
      .execute()
  const overlock = () =>
    services.db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10002).execute()
  /** Returns what the gate's list, the tenant's pages, the office and the mail say of Cy Dorn's codes. */
  const loadAccessTexts = async () => {
    const now = services.clock.now()
    const { read } = services.db
    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    if (!facts) throw new Error('no facility')
    const leases = await read
      .selectFrom('leases')
      .selectAll()
      .where('tenant_id', '=', 1002)
      .orderBy('lease_number')
      .execute()
    const overviews = await loadUnitOverviews(services, facts, leases, [])
    const codes = await loadGateCodes(services, cy)
    const list = await loadGateAccess(read, 'GA1', now)
    return {
      list: list
        .filter(({ tenantId }) => tenantId === 1002)
        .map(({ code, refused }) => `${code} ${refused ?? 'opens'}`),
      page: leases.map(({ lease_number }) => {
        const overview = overviews.get(lease_number)
        return overview ? gateRefusal(overview.gate) : 'nothing'
      }),
      file: leases.map(({ lease_number }) => {
        const overview = overviews.get(lease_number)
        return overview ? fileSentence(overview.gate) : 'nothing'
      }),
      office: gateSentence(await loadTenantGateAccess(read, cy, now), {
        time_zone: facts.location.time_zone,
        gateHours: await loadGateHours(read, facts.location),
      }),
      mail: codes ? refusedCodeText(codes.facts) : null,
    }
  }

  it('is refused in list, pages, office and mail for the one of two codes whose unit is overlocked', async () => {
    await secondLease('603718')
    await secondCode()
    await overlock()
    const { gate_hours } = (await loadFacilityFacts(services, ['GA1'])).get('GA1')?.location ?? { gate_hours: '' }
    expect(await loadAccessTexts()).toEqual({
      list: ['591734 overlocked', '603718 opens'],
      page: ['Not accepted while the unit is past due.', ''],
      file: [expect.stringMatching(/^The gate refuses the code: overlocked/), expect.stringMatching(/^The gate opens/)],
      office: `The gate refuses the code of 302: unit 302 is overlocked. The gate opens for the code of 201 in gate hours, ${gate_hours}.`,
      mail: 'The gate does not take the code of unit 302 while it is past due.',
    })
  })

  it('is refused in list, pages, office and mail for a code of two units while one of them is overlocked', async () => {
    await secondLease('591734')
    await overlock()
    expect(await loadAccessTexts()).toEqual({
      list: ['591734 overlocked'],
      page: ['Not accepted while the unit is past due.', 'Not accepted while unit 302 is past due.'],
      file: [expect.stringMatching(/^The gate refuses/), expect.stringMatching(/^The gate refuses/)],
      office: 'The gate refuses: unit 302 is overlocked.',
      mail: 'The gate does not take the code while unit 302 is past due.',
    })
  })

  it('is refused in list, pages and office for an active code without an open lease', async () => {
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).where('lease_number', '=', 10002).execute()
    expect(await loadAccessTexts()).toEqual({
      list: ['591734 no lease'],
      page: ['Not for this unit any more.'],
      file: ['The lease has ended: its code opens nothing.'],
      office: 'No gate code: no open lease.',
      mail: null,
    })
  })

  it('is shown to the office as possible for a closed code until the gate has acknowledged it', async () => {
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
    const takesAll = async () => void (await contact(`"${(await contact())?.etag}"`))
    const yet = 'The gate has not taken this yet: the code may still open it.'
    await takesAll()
    await overlock()
    expect(await loadAccessTexts()).toMatchObject({
      page: ['Not accepted while the unit is past due.'],
      file: [expect.stringContaining(yet)],
      office: `The gate refuses: unit 302 is overlocked. ${yet}`,
    })
    await takesAll()
    expect(await loadAccessTexts()).toMatchObject({
      file: [expect.not.stringContaining(yet)],
      office: 'The gate refuses: unit 302 is overlocked.',
    })
    await services.db.write.updateTable('leases').set({ overlocked: 0 }).where('lease_number', '=', 10002).execute()
    await takesAll()
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).where('lease_number', '=', 10002).execute()
    await services.db.write.updateTable('gate_codes').set({ active: 0 }).where('tenant_id', '=', 1002).execute()
    await syncGates(services, () => false)
    expect((await loadAccessTexts()).file).toEqual([`The lease has ended: its code opens nothing. ${yet}`])
    await takesAll()
    expect((await loadAccessTexts()).file).toEqual(['The lease has ended: its code opens nothing.'])
  })

  it('is shown to the office as possible for a closed code that the gate may have received as open', async () => {
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
    const set = async (overlocked: 0 | 1) => {
      await services.db.write.updateTable('leases').set({ overlocked }).where('lease_number', '=', 10002).execute()
      await syncGates(services, () => false)
    }
    await set(1)
    const closed = (await contact())?.etag
    await contact(`"${closed}"`)
    // The code opens and closes before the gate asks again, so the gate never has it as open.
    services.clock.advance(60_000)
    await set(0)
    await set(1)
    expect((await loadAccessTexts()).office).toBe('The gate refuses: unit 302 is overlocked.')
    await set(0)
    services.clock.advance(1000)
    const opened = await contact(`"${closed}"`)
    expect(opened?.news).not.toBeNull()
    await set(1)
    const yet = 'The gate has not taken this yet: the code may still open it.'
    expect((await loadAccessTexts()).office).toBe(`The gate refuses: unit 302 is overlocked. ${yet}`)
    await contact(`"${(await contact())?.etag}"`)
    expect((await loadAccessTexts()).office).toBe('The gate refuses: unit 302 is overlocked.')
  })

  it('is shown on the pages of the office with whether the gate has the code', async () => {
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
    const expectSentence = async (words: string) => {
      const { office, file } = await loadAccessTexts()
      expect([office, ...file]).toEqual([expect.stringContaining(words), expect.stringContaining(words)])
    }
    const { etag } = (await contact()) ?? {}
    await expectSentence('. The code is being given to the gate.')
    services.clock.advance(61_000)
    await contact()
    await expectSentence('. The gate has not taken the code yet.')
    await contact(`"${etag}"`)
    await expectSentence('. The gate has the code.')
  })

  it('is not refused because of an overlocked unit that was sold', async () => {
    await secondLease('591734')
    await overlock()
    await services.db.write
      .insertInto('auction_winners')
      .values({
        auction_winner_id: 1,
        uuid: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14',
        location_code: 'GA1',
        lease_number: 10002,
        unit_number: '302',
        facility_name: 'Depot',
        facility_balance: 0,
        name: 'Wynn',
        email: '',
        city: '',
        zip: '',
        gate_code: '603718',
        combo_code: '0000',
        state: 'paid',
        order_id: null,
        created_at: 0,
        paid_at: 0,
      })
      .execute()
    await secondCode()
    expect(await loadAccessTexts()).toMatchObject({
      list: ['591734 opens', '603718 opens'],
      page: ['Not for this unit any more.', ''],
      mail: '',
    })
  })
})
