/** Rare events of the simulated month: lien cases up to the payout of a surplus, transfers, and erasures of tenants. */
import { sql } from 'kysely'
import { format } from '../../domain/money.ts'
import { pdf, photo } from '../../modules/liens/testing-lien-rules.ts'
import { recordAuctionRulesAcknowledgment } from '../../modules/links/record-auction-rules-acknowledgment.ts'
import { openLinkPayment } from '../../modules/payments/open/open-link-payment.ts'
import { openMoveInPayment } from '../../modules/payments/open/open-move-in-payment.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { finishErasures } from '../../modules/privacy/finish-erasure.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { answerAndSignLease } from './answer-and-sign-lease.ts'
import type { MonthWorld } from './create-month-start-data.ts'
import type { LeaseRef, MonthOffice } from './month-office.ts'

interface LeaseBalance extends LeaseRef {
  /** Cents. */
  balance: number
}

/** Fields to fill in, by step of a lien case before the sale. */
const stepFields: Readonly<Record<string, Record<string, string>>> = {
  military: { way: 'not serving' },
  notice: { way: 'verified mail', proof: '9407 1000' },
  advertisement: { way: 'newspaper', proof: 'The Post, page 4' },
  check: {},
}

/** Causes the rare events of a simulated month; `faults` describes signatures and payments that failed. */
export class RareEvents {
  readonly faults: string[] = []
  readonly #world: MonthWorld
  readonly #office: MonthOffice

  constructor(world: MonthWorld, office: MonthOffice) {
    this.#world = world
    this.#office = office
  }

  get #read() {
    return this.#world.services.db.read
  }

  #leases = (condition: string, limit: number) =>
    sql<LeaseBalance>`select location_code, tenant_id, lease_number, balance from leases
      where location_code like 'M%' and ${sql.raw(condition)} order by location_code, lease_number limit ${limit}`
      .execute(this.#read)
      .then(({ rows }) => rows)

  async officeDay(day: number): Promise<void> {
    if (day === 0)
      for (const lease of await this.#leases("balance > 0 and location_code = 'M01' and lease_number <= 4", 4))
        await this.#openCase(lease)
    for (const { case_id, state } of await this.#read.selectFrom('lien_cases').select(['case_id', 'state']).execute())
      if (state === 'open') await this.#recordDueStep(case_id)
      else if (state === 'sold') await this.#payAsWinner(case_id)
      else if (state === 'surplus') await this.#payOutSurplus(case_id)
    if (day % 5 === 1) await this.#transferTenant(day % 10 === 1 ? 0 : 3)
    if (day % 4 === 2) await this.#eraseTenant()
  }

  night = () => finishErasures(this.#world.services)

  async #openCase(lease: LeaseBalance) {
    const path = `/office/tenants/${lease.location_code}/${lease.tenant_id}/leases/${lease.lease_number}/lien`
    await this.#office.form('manager', 'lien.opened', path, { button: 'open' })
  }

  /** Records the due step of a lien case with its proof. A second staff member confirms a check and a sale. */
  async #recordDueStep(case_id: string) {
    const path = `/office/liens/${case_id}`
    const { data } = await this.#office.people.manager.get(path)
    if (!data?.next?.ready) return
    const { step } = data.next
    if (step === 'sale') {
      const sale = { name: 'Otis Brandt', email: 'otis@example.com', city: 'Atlanta', zip: '30318' }
      const amount = format(data.owed + 120_00).slice(1)
      await this.#office.form('district', 'lien.recorded', path, { ...sale, button: 'sale', amount })
      return this.#confirmStep(path)
    }
    const proof = step === 'check' ? photo() : pdf()
    const form = {
      button: 'record',
      ...stepFields[step],
      file: new File([new Uint8Array(proof)], 'proof'),
      ...(step === 'check' && { ticks: ['door', 'bankruptcy', 'status'] }),
    }
    const by = step === 'check' ? 'field' : 'manager'
    if ((await this.#office.form(by, 'lien.recorded', path, form)) !== null && step === 'check')
      await this.#confirmStep(path)
  }

  async #confirmStep(path: string) {
    await this.#office.form('manager', 'lien.confirmed', path, { button: 'confirm' })
  }

  async #payAsWinner(case_id: string) {
    const { services, provider } = this.#world
    const { winner_uuid } = await this.#read
      .selectFrom('lien_cases')
      .select('winner_uuid')
      .where('case_id', '=', case_id)
      .executeTakeFirstOrThrow()
    await recordAuctionRulesAcknowledgment(services, winner_uuid ?? '', { address: '198.51.100.9', agent: 'winner' })
    const page = await openLinkPayment(services, 'auction', winner_uuid ?? '')
    if (!page.ok) return void this.faults.push(`The winner could not pay: ${page.why}`)
    provider.act(page.orderId, 'approve')
    await settlePayment(services, page.orderId)
  }

  async #payOutSurplus(case_id: string) {
    const path = `/office/liens/${case_id}`
    await this.#office.form('finance', 'lien.closed', path, { button: 'surplus', to: 'tenant', how: 'check 1042' })
  }

  /**
   * Moves a tenant without a balance due to another unit, so that money for unused days moves to the new lease. An
   * agent offers the transfer; the tenant signs and pays.
   * @param overlap days on which the tenant has both units
   */
  async #transferTenant(overlap: number) {
    const { services, provider } = this.#world
    const [lease] = await this.#leases(
      `status = 'Current' and balance <= 0 and scheduled_move_out is null and lease_number > 4
       and not exists (select 1 from transfers where transfers.location_code = leases.location_code
       and transfers.to_lease = leases.lease_number)`,
      1,
    )
    if (!lease) return
    const path = `/office/tenants/${lease.location_code}/${lease.tenant_id}/leases/${lease.lease_number}/transfer`
    const form = (await this.#office.people.agent.get(path)).data
    const unit = form?.options?.[0]?.value
    if (!unit) return
    const formPath = `${path}?unit_id=${unit}&overlap_days=${overlap}`
    const offer = { button: 'offer', reason: 'Room' }
    if ((await this.#office.form('agent', 'transfer.offered', formPath, offer)) === null) return
    const { draft_id } = await this.#read
      .selectFrom('transfers')
      .innerJoin('rental_drafts', 'rental_drafts.reservation_code', 'transfers.reservation_code')
      .select('draft_id')
      .where('transfers.location_code', '=', lease.location_code)
      .where('transfers.lease_number', '=', lease.lease_number)
      .where('transfers.state', '=', 'offered')
      .executeTakeFirstOrThrow()
    const { first: firstName, last } = await this.#read
      .selectFrom('tenants')
      .select(['first', 'last'])
      .where('location_code', '=', lease.location_code)
      .where('tenant_id', '=', lease.tenant_id)
      .executeTakeFirstOrThrow()
    const answers = { insurance: { status: 1 as const, schemeId: 1 }, autopay: false, fullDayAccess: false }
    const signed = await answerAndSignLease(services, draft_id, { name: `${firstName} ${last}`, answers })
    if (!signed.ok) return void this.faults.push(`A transfer was not signed: ${signed.why}`)
    const draft = await signed.saveMore({ paymentMethod: 'CC' })
    const quote = await storeQuote(services, draft)
    const opened = quote && (await openMoveInPayment(services, draft, { quoteId: quote.quoteId }))
    if (!opened?.ok) return void this.faults.push(`A transfer could not be paid: ${opened?.why}`)
    provider.act(opened.orderId, 'approve')
    await settlePayment(services, opened.orderId)
  }

  /** Erases a former tenant without a balance or payments: one staff member requests it, another approves. */
  async #eraseTenant() {
    const [lease] = await this.#leases(
      `status = 'Closed' and balance = 0 and not exists (select 1 from leases other
       where other.location_code = leases.location_code and other.tenant_id = leases.tenant_id
       and (other.status <> 'Closed' or other.balance <> 0)) and not exists (select 1 from tenants
       where tenants.location_code = leases.location_code and tenants.tenant_id = leases.tenant_id
       and erased_at is not null) and not exists (select 1 from payments
       where payments.location_code = leases.location_code and payments.tenant_id = leases.tenant_id)`,
      1,
    )
    if (!lease) return
    const path = `/office/tenants/${lease.location_code}/${lease.tenant_id}/erase`
    const typed = { button: 'erase', reason: 'Asked in writing' }
    if ((await this.#office.form('manager', 'approval.asked', path, typed)) !== null)
      await this.#office.approve('tenant.erased')
  }
}
