/** Simulated staff members on the office pages, who submit operations as a browser does. Completed operations are counted. */

import { type StaffBrowser, signedInStaff } from '../../app/office/testing.ts'
import type { Answer, Page } from '../../app/testing.ts'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { loadDrawerTotals } from '../../modules/cash-drawers/load-drawers.ts'
import type { MonthWorld } from './create-month-start-data.ts'
import { submissionOf, type Typed } from './form-submission.ts'

export interface LeaseRef {
  location_code: string
  tenant_id: number
  lease_number: number
}

/**
 * Fields that a simulated staff member fills in on an office form. `button` is the value of the pressed button; '' for
 * the form's first button.
 */
type Filled = Typed & { button: string }

const dollars = (cents: number) => (cents / 100).toFixed(2)
const tenantPath = (lease: LeaseRef) => `/office/tenants/${lease.location_code}/${lease.tenant_id}`
const leasePath = (lease: LeaseRef) => `${tenantPath(lease)}/leases/${lease.lease_number}`

const roles: readonly OfficeRole[] = ['agent', 'field', 'manager', 'district', 'finance', 'owner']

export class MonthOffice {
  readonly people = {} as Record<OfficeRole, StaffBrowser>
  /** Number of completed operations, by kind of audit event. */
  readonly done = new Map<AuditKind, number>()
  /**
   * Number of refusals by kind of audit event, path with its ids masked (not of money forms), why the form could not be
   * submitted (if that failed), status and first error message, such as 'charge.waived 409 …'.
   */
  readonly refused = new Map<string, number>()
  readonly #world: MonthWorld

  constructor(world: MonthWorld) {
    this.#world = world
  }

  async hire() {
    for (const role of roles) this.people[role] = await signedInStaff(this.#world.services, role)
  }

  /** Signs in all staff members each morning, because their sign-ins of the day before have ended. */
  async signIn() {
    for (const role of roles) {
      const person = this.people[role]
      await person.givePassword()
      const entered = await person.giveCode(person.code())
      if (entered.status >= 400) throw new Error(`${role} does not get in: ${JSON.stringify(entered.data)}`)
    }
  }

  #count = (kind: AuditKind, times = 1) => this.done.set(kind, (this.done.get(kind) ?? 0) + times)

  #recordRefusal(action: string, { status, data }: { status: number; data: unknown }) {
    if (status >= 500) throw new Error(`${action}: ${status} ${JSON.stringify(data)}`)
    const name = `${action} ${status} ${Object.values((data as { fields?: Record<string, string> })?.fields ?? {})[0] ?? ''}`
    this.refused.set(name, (this.refused.get(name) ?? 0) + 1)
    return null
  }

  /**
   * Opens a page, fills the form of a button and submits it.
   * @returns redirect target; null when refused
   */
  async #form(by: StaffBrowser, kind: AuditKind, path: string, { button, ...typed }: Filled): Promise<string | null> {
    const name = `${kind} ${path.replace(/\d+|[\w-]{36}|M\d\d/g, '*')}`
    const page = await by.get(path)
    if (page.status !== 200) return this.#recordRefusal(name, page)
    const sent = submissionOf(page.html(), button, typed)
    if (typeof sent === 'string') return this.#recordRefusal(`${name}: ${sent}`, page)
    const first = await by.post(path, sent)
    const answer = first.data?.asks ? await this.#confirm(by, path, first, button) : first
    if (answer.status !== 302) return this.#recordRefusal(name, answer)
    await this.#checkTarget(by, answer.to)
    this.#count(kind)
    return answer.to
  }

  /** Submits a form again whose response asks to confirm the number of changes. */
  async #confirm(by: StaffBrowser, path: string, asking: Answer, button: string): Promise<Answer> {
    const sent = submissionOf((await by.get(path)).html(asking.data), button, {})
    if (typeof sent === 'string') throw new Error(`${path} asks in a form that cannot be sent: ${sent}`)
    return by.post(path, sent)
  }

  /** Checks that the page to which an operation redirects responds with 200. @throws Error otherwise */
  async #checkTarget(by: StaffBrowser, to: string) {
    const { status } = await by.get(to)
    if (status !== 200) throw new Error(`${to} answers ${status}`)
  }

  /** Submits a form as the staff member of a role. */
  form = (role: OfficeRole, kind: AuditKind, path: string, filled: Filled) =>
    this.#form(this.people[role], kind, path, filled)

  /**
   * Returns what the final button of a money form submits, after a preview where the form has one.
   * @returns `sent`: the fields; or `refused`: reason, with the page that refuses
   */
  async #preview(
    by: StaffBrowser,
    path: string,
    page: Page,
    typed: Typed,
  ): Promise<{ sent: Record<string, string> | FormData } | { refused: string; answer: Answer }> {
    const html = page.html()
    const asks = submissionOf(html, 'preview', typed)
    if (typeof asks === 'string') {
      const sent = submissionOf(html, 'act', typed)
      return typeof sent === 'string' ? { refused: sent, answer: page } : { sent }
    }
    const answer = await by.post(path, asks)
    if (!answer.data?.preview) return { refused: 'preview', answer }
    // The preview page still holds the typed values.
    const sent = submissionOf((await by.get(path)).html(answer.data), 'act', {})
    return typeof sent === 'string' ? { refused: sent, answer } : { sent }
  }

  /**
   * Submits a form that writes to a ledger, after its preview if it has one. If that makes an approval request, the
   * owner approves the request.
   * @returns whether the operation is done
   */
  async #money(role: OfficeRole, kind: AuditKind, path: string, typed: Typed): Promise<boolean> {
    const by = this.people[role]
    const page = await by.get(path)
    if (page.status !== 200) return this.#recordRefusal(kind, page) ?? false
    const press = await this.#preview(by, path, page, typed)
    if ('refused' in press) return this.#recordRefusal(`${kind} ${press.refused}`, press.answer) ?? false
    const answer = await by.post(path, press.sent)
    if (answer.status !== 302) return this.#recordRefusal(kind, answer) ?? false
    // Submitting twice performs the operation once.
    const again = await by.post(path, press.sent)
    if (again.to !== answer.to)
      throw new Error(
        `${kind}: pressed twice, it answers ${again.status} ${again.to} ${JSON.stringify([path, press.sent, again.data?.fields])}`,
      )
    await this.#checkTarget(by, answer.to)
    if (!answer.to.includes('done=asked')) {
      this.#count(kind)
      return true
    }
    this.#count('approval.asked')
    return this.approve(kind)
  }

  /**
   * Approves the open approval request as the owner. Refuses the request if the site does not accept the approval.
   * @returns whether the request was approved
   */
  async approve(kind: AuditKind): Promise<boolean> {
    const { approval_id } = await this.#world.services.db.read
      .selectFrom('approvals')
      .select('approval_id')
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    const path = `/office/queue/${approval_id}`
    if ((await this.#form(this.people.owner, 'approval.approved', path, { button: 'approve' })) === null) {
      await this.#form(this.people.owner, 'approval.refused', path, { button: 'refuse' })
      return false
    }
    this.#count(kind)
    return true
  }

  waive = (lease: LeaseRef, entry: string) =>
    this.#money('agent', 'charge.waived', `${leasePath(lease)}/waive?entry=${entry}`, { reason: 'courtesy' })

  charge = (lease: LeaseRef) =>
    this.#money('manager', 'charge.added', `${leasePath(lease)}/charge`, { fee_id: '4', reason: 'missed-charge' })

  credit = (role: 'agent' | 'manager', lease: LeaseRef, cents: number) =>
    this.#money(role, 'lease.credited', `${leasePath(lease)}/credit`, {
      amount: dollars(cents),
      reason: 'service-problem',
    })

  moveBalance = (lease: LeaseRef) =>
    this.#money('finance', 'balance.moved', `${leasePath(lease)}/move-balance`, { reason: 'other', note: 'One bill' })

  writeOff = (lease: LeaseRef) =>
    this.#money('owner', 'balance.written-off', `${leasePath(lease)}/write-off`, { reason: 'uncollectible' })

  refund = (role: 'agent' | 'finance', lease: LeaseRef, order: string, options: { part?: number; forgiven: boolean }) =>
    this.#money(role, 'money.refunded', `${leasePath(lease)}/refund?order=${order}`, {
      reason: 'charged-twice',
      afterwards: options.forgiven ? 'forgiven' : 'owed',
      ...(options.part !== undefined && { way: 'check', amount: dollars(options.part) }),
    })

  /**
   * Opens a drawer.
   * @returns drawer id; null when refused
   */
  async openDrawer(role: 'agent' | 'manager', place: string): Promise<string | null> {
    const typed = { button: '', place, float: '100' }
    const to = await this.#form(this.people[role], 'drawer.opened', '/office/receipts', typed)
    return to && new URL(to, 'https://rent.example').searchParams.get('drawer')
  }

  receive = (
    lease: LeaseRef,
    drawer: string,
    { cents, method, number }: { cents: number; method: 'check' | 'cash' | 'money_order'; number: string },
  ) =>
    this.#money('agent', 'payment.received', `${tenantPath(lease)}/receive`, {
      drawer,
      method,
      check_number: method === 'cash' ? '' : number,
      [`amount-${lease.lease_number}`]: dollars(cents),
    })

  voidReceipt = (receipt: string) =>
    this.#money('manager', 'receipt.voided', `/office/receipts/${receipt}/void`, { reason: 'wrong-amount' })

  returnCheck = (receipt: string) =>
    this.#money('finance', 'check.returned', `/office/receipts/${receipt}/return`, { reason: 'nsf' })

  /** Closes a drawer. @param over counted cash above the expected cash, in cents */
  async closeDrawer(drawer: string, over: number): Promise<void> {
    const path = `/office/day-close/${drawer}`
    const { agent } = this.people
    const { cents } = await loadDrawerTotals(agent.services.db.read, drawer)
    const counted = {
      cash: dollars(cents.cash + over),
      checks: dollars(cents.check),
      money_orders: dollars(cents.money_order),
    }
    if (over === 0) {
      await this.#form(agent, 'drawer.closed', path, { button: 'close', ...counted })
      return
    }
    const blind = submissionOf((await agent.get(path)).html(), 'close', counted)
    if (typeof blind === 'string') throw new Error(`${path}: ${blind}`)
    const differs = await agent.post(path, blind)
    const sent = submissionOf((await agent.get(path)).html(differs.data), 'close', { difference_reason: 'found' })
    if (typeof sent === 'string') throw new Error(`${path}: ${sent}`)
    const closed = await agent.post(path, sent)
    if (closed.status !== 302) throw new Error(`${path} answers ${closed.status}`)
    this.#count('drawer.counted')
    this.#count('drawer.closed')
  }

  async matchDeposit(drawer: string, day: IsoDate): Promise<void> {
    const path = `/office/day-close/${drawer}`
    const { data } = await this.people.finance.get(path)
    await this.#form(this.people.finance, 'deposit.matched', path, {
      button: 'match',
      bank_cents: dollars(data.deposit),
      bank_day: formatUs(day),
    })
  }

  /** Records in the queue that a refund was paid by a check. */
  payByHand = (refund: string) =>
    this.#form(this.people.finance, 'refund.paid_by_hand', `/office/queue/refund/${refund}`, {
      button: 'by-hand',
      text: 'check 1042',
    })

  scheduleMoveOut = async (lease: LeaseRef, on: IsoDate) =>
    this.#form(this.people.agent, 'move_out.scheduled', `${leasePath(lease)}/move-out`, {
      button: 'schedule',
      move_out_date: on,
      reason: 'Called',
    })

  /**
   * Does the field staff's job at a unit's door, if there is one: verifies a move-out, or reports the overlock on or
   * off.
   */
  async doFieldJob(lease: LeaseRef, button: 'verify' | 'on' | 'off'): Promise<void> {
    const path = `/office/field/${lease.location_code}/${lease.lease_number}`
    const { data } = await this.people.field.get(path)
    if (data?.job === null) return
    await this.#form(this.people.field, button === 'verify' ? 'move_out.verified' : 'lock.seen', path, {
      button,
      ...(button === 'verify' && { found: 'clean' }),
    })
  }

  async changeGateAccess(lease: LeaseRef, action: 'suspend' | 'lift', until: IsoDate): Promise<void> {
    const path = `${tenantPath(lease)}/gate`
    await this.#form(this.people.manager, action === 'lift' ? 'overlock.lifted' : 'gate.suspended', path, {
      reason: 'Asked on the phone',
      until,
      button: action === 'lift' ? `lift ${lease.lease_number}` : 'suspend',
    })
  }

  async changeRents(lines: readonly (LeaseRef & { to: number })[]): Promise<void> {
    const list = [
      'facility,lease,new_rent',
      ...lines.map((line) => `${line.location_code},${line.lease_number},${dollars(line.to)}`),
    ]
    const filled = { button: 'list', reason: 'Yearly', list: list.join('\n') }
    const batch = await this.form('manager', 'rent.proposed', '/office/rent-changes/new', filled)
    const approved = batch && (await this.form('district', 'rent.approved', batch, { button: 'approve-all' }))
    if (!approved) throw new Error(`rents: ${[...this.refused.keys()]}`)
    // The site writes one proposal event for each facility and one approval event for each lease. `form` counted one each.
    this.#count('rent.proposed', new Set(lines.map(({ location_code }) => location_code)).size - 1)
    this.#count('rent.approved', lines.length - 1)
  }

  holdUnit = (location: string, unitId: number, contact: Typed, today: IsoDate) =>
    this.#form(this.people.agent, 'move_in.offered', `/office/units/${location}/move-in?unit=${unitId}`, {
      button: 'hold',
      move_in_date: today,
      ...contact,
    })
}
