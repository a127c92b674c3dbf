import { expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { endOfDay } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import { withHealth } from '../../ports/card-provider/provider-health.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { add, change, renderTestPage } from '../testing.ts'
import * as officeLayout from './layout.tsx'
import { signedInStaff } from './testing.ts'

const zone = 'America/New_York'

describeOnBothEngines('Today', (open) => {
  const reserve = (services: TestServices, unit: number, day: string, code: string) =>
    add(services, 'reservations', {
      location_code: 'GA1',
      reservation_code: code,
      unit_id: unit,
      unit_number: `10${unit}`,
      unit_type_id: 1,
      tenant_id: 1001,
      status: 'active',
      discount_id: 0,
      street_rent: 13900,
      rent: 13900,
      hold_extended: 0,
      agreed_discount: null,
      reservation_date: today,
      required_date: day,
      created_at: 1,
      lease_number: null,
      hold_until: endOfDay(zone, day),
    })

  it('lists arrivals and departures, and counts expiring holds and locks to set', async () => {
    const services = await openTestServices(await open())
    await reserve(services, 1, today, 'COMESTODAY')
    await reserve(services, 2, addDays(today, 3), 'COMESLATER')
    const draft = 'd0000000-0000-4000-8000-000000000001'
    await add(services, 'rental_drafts', {
      draft_id: draft,
      location_code: 'GA1',
      unit_type_id: 1,
      tenant_id: 1001,
      reservation_code: 'COMESTODAY',
      existing_tenant: 0,
      rent_now: 1,
      answers: '{}',
      sealed_answers: null,
      version: 1,
      created_at: 1,
      touched_at: 1,
      left_at: null,
    })
    await add(services, 'lease_documents', {
      document_id: draft,
      location_code: 'GA1',
      draft_id: draft,
      lease_number: null,
      file_key: 'leases/1',
      hash_before: '',
      hash_after: '',
      evidence: '{}',
      void: 0,
      created_at: 1,
    })
    await change(services, 'leases', { lease_number: 10002 }, { scheduled_move_out: today, overlocked: 1 })
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: addDays(today, 1) })

    const manager = await signedInStaff(services, 'manager')
    const page = await manager.get('/office')
    expect(page.data.movesToday.counts).toEqual({ in: 1, out: 1, holds: 1, field: { set: 1, lift: 0, verify: 0 } })
    const html = page.html()
    expect(html).toContain('GA1 101')
    expect(html).toMatch(/signed, not paid.*held until midnight/)
    expect(html).toMatch(/GA1 302.*closes tonight.*owes \$151\.37/)

    // Field staff may open only tenants of their own tasks, so Today shows them no balances.
    const field = (await (await signedInStaff(services, 'field')).get('/office')).html()
    expect(field).toContain('closes tonight')
    expect(field).not.toContain('151.37')
    await change(services, 'leases', { lease_number: 10002 }, { balance: -5_00 })
    expect((await manager.get('/office')).html()).toMatch(/GA1 302.*closes tonight.*owes nothing/)
    await change(services, 'leases', { lease_number: 10002 }, { balance: 151_37 })
    // Unit numbers are sorted as numbers, so 9 comes before 302.
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: today, unit_number: '9' })
    const { rows: moves } = (await manager.get('/office')).data.movesToday
    expect(moves.slice(-2).map(({ where }: { where: string }) => where)).toEqual(['GA1 9', 'GA1 302'])
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: null, unit_number: '301' })
    // The last day of the lease is past, but billing has not closed the lease yet.
    await change(services, 'leases', { lease_number: 10002 }, { scheduled_move_out: addDays(today, -2) })
    const late = (await manager.get('/office')).html()
    expect(late).toMatch(/GA1 302.*last day Nov 18, not closed yet.*owes \$151\.37/)
    expect(late).not.toContain('closes tonight')
    const elsewhere = await signedInStaff(services, 'manager', { scope: { facility: 'SC1' }, name: 'south' })
    expect((await elsewhere.get('/office')).data.movesToday).toMatchObject({ counts: { in: 0, out: 0 }, rows: [] })
  })

  it.each([
    [{ facility: 'HI1' }, '1 of 1 done, 11/20/2026 7:00 AM'],
    [{ all: true }, '2 of 2 done, 11/20/2026 12:00 PM EST'],
  ] as const)(
    'says when billing ended, for the scope %o: in the facility’s time zone, or in the most common zone with its name',
    async (scope, text) => {
      const services = await openTestServices(await open())
      await runBilling(services)
      const person = await signedInStaff(services, 'manager', { scope })
      expect((await person.get('/office')).data.health[0].value).toBe(text)
    },
  )

  it('tells a card provider that refuses calls from one that does not answer', async () => {
    const services = await openTestServices(await open())
    let failure: CardProviderUnavailable | null = null
    const provider = withHealth(
      {
        ...services.cardProvider,
        listCharges: async () => {
          if (failure) throw failure
          return { charges: [], next: null }
        },
      },
      services.clock,
    )
    services.providerHealth = provider.health
    const manager = await signedInStaff(services, 'manager')
    const afterCall = async (reason: CardProviderUnavailable['reason'] | null) => {
      failure = reason && new CardProviderUnavailable(reason, reason)
      await provider.listCharges({ since: 0 }).catch(() => {})
      services.clock.advance(60_000)
      const { health } = (await manager.get('/office')).data
      const row = health.find(({ label }: { label: string }) => label === 'Card provider')
      return [row.value, row.bad]
    }
    expect(await afterCall(null)).toEqual(['answering', false])
    expect(await afterCall('timeout')).toEqual(['not answering for 1 min', true])
    expect(await afterCall('status')).toEqual(['not answering for 2 min', true])
    expect(await afterCall('refused')).toEqual(['refusing calls for 3 min', true])
    expect(await afterCall('refused')).toEqual(['refusing calls for 4 min', true])
    expect(await afterCall('unreachable')).toEqual(['not answering for 5 min', true])
    expect(await afterCall(null)).toEqual(['answering', false])
  })

  it.each([
    ['/office', '/office'],
    ['/office/queue/task/1', '/office/queue'],
    ['/office/receipts/stack', '/office/receipts'],
    ['/office/day-close/b1', '/office/receipts'],
    ['/office/tenants/GA1/1001', undefined],
  ])('marks the entry of the menu that %s belongs to, if any', async (path, entry) => {
    const manager = await signedInStaff(await openTestServices(await open()), 'manager')
    const { data } = await manager.ask(officeLayout.loader, { path })
    const html = renderTestPage(officeLayout, data, path)
    const marked = [...html.matchAll(/<a(?=[^>]*aria-current="page")[^>]*href="([^"]*)"/g)].map(([, href]) => href)
    expect(marked).toEqual(entry === undefined ? [] : [entry])
  })

  it('warns on every office page that the clock is in doubt', async () => {
    const manager = await signedInStaff(await openTestServices(await open()), 'manager')
    const layout = async () => {
      const { data } = await manager.ask(officeLayout.loader, { path: '/office' })
      return renderTestPage(officeLayout, data, '/office')
    }
    expect(await layout()).not.toContain('role="status"')
    manager.caution = 'The clock says 2027-01-27T08:00:00.000Z: nothing is billed.'
    expect(await layout()).toMatch(/role="status">The clock says 2027-01-27T08:00:00.000Z: nothing is billed\.</)
  })
})
