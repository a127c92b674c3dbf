import { beforeEach, expect, it } from 'vitest'
import { handleGateContact } from '../../modules/gate/answer-gate-list-pull.ts'
import { syncGates } from '../../modules/gate/refresh-stored-gate-lists.ts'
import { startGateEpochs } from '../../modules/gate/restart-gate-list.ts'
import type { GateWeek } from '../../modules/gate/rules/gate-hours.ts'
import { setGate } from '../../modules/gate/set-gate-kind-and-hours.ts'
import { storeCodesRefusedByController } from '../../modules/gate/store-codes-refused-by-controller.ts'
import { watchGates } from '../../modules/gate/watch-gates.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { lease } from '../../tests/support/rows.ts'
import { signedInStaff } from '../office/testing.ts'
import { type Browser, change, row } from '../testing.ts'
import { beginPaying } from './testing-begin-paying-by-card.ts'

const { till, folder } = sandboxForTests('auction-gate')

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const late = 'The gate has not taken your code yet. Call (404) 555-0199: we open it.'

describeOnBothEngines('What the winner of an auction reads of the gate', (open) => {
  let services: PayingServices
  let browser: Browser
  let returns: string

  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    const walk = await beginPaying('an auction winner', services)
    ;({ browser, returns } = walk)
  })

  /** Connects a gate that has taken the codes so far. */
  const connect = async (hours: GateWeek = week) => {
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: hours }))
    await takesAll()
    services.later(1)
  }
  const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
  const takesAll = async () => void (await contact(`"${(await contact())?.etag}"`))
  const payUnsynced = async () => {
    const { data } = await browser.get('/auction-winner-process-payment')
    await payAtHostedPage(data.card.payPageUrl, 'visa')
    await browser.get(`${returns}?order=${data.card.orderId}`)
  }
  const pay = async () => {
    await payUnsynced()
    await syncGates(services, () => false)
  }
  /** Makes the winner's code late: over a minute later the gate acknowledges version 1, older than the code's version. */
  const becomesLate = async () => {
    const etag = (await contact())?.etag
    services.later(60_001)
    await contact(`"${etag?.replace(/-.*/, '-1')}"`)
    await watchGates(services, () => false)
  }
  const page = async () => {
    const response = await browser.get('/auction-winner-payment-completed')
    return response
      .html()
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  }
  const mails = async () => (await runDueMessageJobs(services)).filter(({ to }) => to === 'wim@example.com')

  it('is the code and the specified hours where no gate is connected', async () => {
    await pay()
    expect(await page()).toContain('Type it at the gate.')
    expect(await page()).toContain('5:00 AM to 9:00 PM, every day')
    const [mail] = await mails()
    expect(mail?.text).toContain('Access hours: 5:00 AM to 9:00 PM, every day')
    expect(mail?.text).not.toMatch(/The gate has|given to the gate/)
  })

  it('is on the page whether the gate has taken the code, is late or refuses it', async () => {
    await connect()
    await pay()
    expect(await page()).toContain('Being given to the gate.')
    expect(await page()).not.toContain('Type it at the gate.')
    await becomesLate()
    expect(await page()).toContain(late)
    await takesAll()
    expect(await page()).toContain('Type it at the gate. Opens now, until 9 PM.')
    const { gate_code } = await row(services, 'auction_winners')
    const { code_id } = await row(services, 'gate_wanted', { gate_code })
    await services.db.transaction((tx) =>
      storeCodesRefusedByController(tx, services, { locationCode: 'GA1' }, [{ id: code_id, why: 'in use' }]),
    )
    expect(await page()).toContain(late)
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    expect(await page()).not.toMatch(/at the gate|has not taken/)
  })

  it('is in the mail what is true when it is sent, and one mail follows once the gate has taken a late code', async () => {
    await connect()
    await pay()
    await becomesLate()
    const [paid] = await mails()
    expect(paid?.text).toContain(`${late} A mail says when it opens.`)
    expect(await mails()).toEqual([])
    await takesAll()
    await watchGates(services, () => false)
    const [ready, ...more] = await mails()
    expect(more).toEqual([])
    expect(ready?.text).toContain('had not taken your code. It has now.')
    await watchGates(services, () => false)
    expect(await mails()).toEqual([])
  })

  it.each([
    ['in its list', pay],
    ['not in its list yet', payUnsynced],
  ])(
    'is the promise of a mail, which comes even if the gate soon takes the code; the code is %s when it is paid for',
    async (_, payFor) => {
      await connect()
      services.later(90_001)
      await watchGates(services, () => false)
      await payFor()
      const [paid] = await mails()
      expect(paid?.text).toContain(`${late} A mail says when it opens.`)
      services.later(3000)
      await takesAll()
      await watchGates(services, () => false)
      expect((await mails()).map(({ text }) => text)).toEqual([
        expect.stringContaining('had not taken your code. It has now.'),
      ])
      await watchGates(services, () => false)
      expect(await mails()).toEqual([])
    },
  )

  it('is the promise of a mail, which comes although the code is late only since a new epoch', async () => {
    await connect()
    await pay()
    services.later(1)
    await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
    services.later(90_001)
    expect((await mails())[0]?.text).toContain('A mail says when it opens.')
    await takesAll()
    await watchGates(services, () => false)
    expect(await mails()).toHaveLength(1)
  })

  it('is in the mail that the code is being given to the gate', async () => {
    await connect()
    await pay()
    expect((await mails())[0]?.text).toContain('Your code is being given to the gate: try it in a minute.')
  })

  it('leaves the sentences about the former tenant’s gate code as they are when the winner’s code ends', async () => {
    services.allowsAnyFactor = true
    const agent = await signedInStaff(services, 'agent')
    await services.db.write
      .insertInto('leases')
      .values(lease({ lease_number: 10003, tenant_id: 1002, unit_id: 4, unit_number: '201', gate_code: '591734' }))
      .execute()
    await connect()
    await pay()
    await takesAll()
    const sentences = async () => [
      (await agent.get('/office/tenants/GA1/1002/gate')).data.sentence,
      (await agent.get('/office/tenants/GA1/1002')).html().match(/The gate (opens|refuses)[^<]*/)?.[0],
    ]
    const before = await sentences()
    expect(before).toEqual([expect.stringContaining('The gate opens'), expect.stringContaining('The gate opens')])
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    const { gate_code } = await row(services, 'auction_winners')
    await change(services, 'gate_codes', { gate_code }, { active: 0 })
    await syncGates(services, () => false)
    expect(await sentences()).toEqual(before)
  })

  it('is the hours that the gate follows, where they differ from the specified hours', async () => {
    await connect(week.map((span, day) => (day < 5 ? (['07:00', '18:00'] as const) : span)))
    await pay()
    await takesAll()
    const hours = 'Monday to Friday 7 AM to 6 PM, Saturday to Sunday 5 AM to 9 PM'
    expect(await page()).toContain(hours)
    expect(await page()).toContain('Opens now, until 6 PM.')
    // The gate has not acknowledged the facility's new time zone yet, by which it would be night.
    await change(services, 'locations', { location_code: 'GA1' }, { time_zone: 'Asia/Tokyo' })
    expect(await page()).toContain('Opens now, until 6 PM.')
    expect(await page()).not.toContain('9:00 PM')
    expect((await mails())[0]?.text).toContain(`Access hours: ${hours}`)
  })
})
