/** People of the office at work on its pages: each act is asked for as a browser would, and counted when it was done. */

import { type OfficePerson, signedInStaff } from '../../app/office/testing.ts'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import type { OfficeRole } from '../../domain/office/roles.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import type { MonthWorld } from './month-world.ts'

export interface LeaseRef {
  location_code: string
  tenant_id: number
  lease_number: number
}

type Fields = Record<string, string>

const dollars = (cents: number) => (cents / 100).toFixed(2)
const tenantPath = (lease: LeaseRef) => `/office/tenants/${lease.location_code}/${lease.tenant_id}`
const leasePath = (lease: LeaseRef) => `${tenantPath(lease)}/leases/${lease.lease_number}`

const roles: readonly OfficeRole[] = ['agent', 'field', 'manager', 'district', 'finance', 'owner']

export class MonthOffice {
  readonly people = {} as Record<OfficeRole, OfficePerson>
  /** By kind of audit event, how many acts were done. */
  readonly done = new Map<AuditKind, number>()
  /** What a page refused: 'waive 409'. */
  readonly refused = new Map<string, number>()
  readonly #world: MonthWorld

  constructor(world: MonthWorld) {
    this.#world = world
  }

  async hire() {
    for (const role of roles) this.people[role] = await signedInStaff(this.#world.services, role)
  }

  /** The morning: sessions of yesterday are over. */
  async signIn() {
    for (const role of roles) {
      const person = this.people[role]
      await person.givePassword()
      const entered = await person.giveCode(person.code())
      if (entered.status >= 400) throw new Error(`${role} does not get in: ${JSON.stringify(entered.data)}`)
    }
  }

  #count = (kind: AuditKind, times = 1) => this.done.set(kind, (this.done.get(kind) ?? 0) + times)

  #refusedBy(what: string, { status, data }: { status: number; data: unknown }) {
    if (status >= 500) throw new Error(`${what}: ${status} ${JSON.stringify(data)}`)
    const name = `${what} ${status} ${Object.values((data as { fields?: Fields })?.fields ?? {})[0] ?? ''}`
    this.refused.set(name, (this.refused.get(name) ?? 0) + 1)
    return null
  }

  /** Fills a plain form and sends it. @returns where it leads; null where it was refused */
  async #form(by: OfficePerson, kind: AuditKind, path: string, fields: Fields | FormData): Promise<string | null> {
    const answer = await by.post(path, fields)
    if (answer.status !== 302) return this.#refusedBy(`${kind} ${path.replace(/\d+|[\w-]{36}|M\d\d/g, '*')}`, answer)
    this.#count(kind)
    return answer.to
  }

  /** The same by somebody of a role. */
  form = (role: OfficeRole, kind: AuditKind, path: string, fields: Fields | FormData) =>
    this.#form(this.people[role], kind, path, fields)

  /** A money panel: opened, filled, previewed, pressed; what is asked for, a second person approves. */
  async #money(role: OfficeRole, kind: AuditKind, path: string, typed: Fields): Promise<boolean> {
    const by = this.people[role]
    const page = await by.get(path)
    const form = page.data?.form ?? page.data?.receive?.form
    if (!form) return this.#refusedBy(`${kind} no form`, { status: page.status, data: {} }) ?? false
    const fields = { ...form.madeFrom, ...form.values, ...typed }
    const seen = await by.post(path, { ...fields, key: form.key, previewed: form.previewed, intent: 'preview' })
    if (!seen.data?.preview) return this.#refusedBy(`${kind} preview`, seen) ?? false
    const press = { ...fields, key: seen.data.key, previewed: seen.data.previewed, intent: 'act' }
    const answer = await by.post(path, press)
    if (answer.status !== 302) return this.#refusedBy(kind, answer) ?? false
    // The same press once more is the same act.
    const again = await by.post(path, press)
    if (again.to !== answer.to)
      throw new Error(
        `${kind}: pressed twice, it answers ${again.status} ${again.to} ${JSON.stringify([path, press, again.data?.fields])}`,
      )
    if (!answer.to.includes('done=asked')) {
      this.#count(kind)
      return true
    }
    this.#count('approval.asked')
    return this.approve(kind)
  }

  /** The owner approves what was asked for. */
  async approve(kind: AuditKind): Promise<boolean> {
    const { approval_id, location_code } = await this.#world.services.db.read
      .selectFrom('approvals')
      .select(['approval_id', 'location_code'])
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    const path = `/office/queue/${approval_id}`
    const approves = { intent: 'approve', because: '', location_code }
    if ((await this.#form(this.people.owner, 'approval.approved', path, approves)) === null) {
      await this.#form(this.people.owner, 'approval.refused', path, { ...approves, intent: 'refuse' })
      return false
    }
    this.#count(kind)
    return true
  }

  waive = (lease: LeaseRef, entry: string) =>
    this.#money('agent', 'charge.waived', `${leasePath(lease)}/waive?entry=${entry}`, {
      ...{ entry_id: entry, reason: 'courtesy' },
    })

  charge = (lease: LeaseRef) =>
    this.#money('manager', 'charge.added', `${leasePath(lease)}/charge`, { fee_id: '4', reason: 'missed-charge' })

  credit = (role: 'agent' | 'manager', lease: LeaseRef, cents: number) =>
    this.#money(role, 'lease.credited', `${leasePath(lease)}/credit`, {
      ...{ amount: dollars(cents), reason: 'service-problem' },
    })

  moveBalance = (lease: LeaseRef) =>
    this.#money('finance', 'balance.moved', `${leasePath(lease)}/move-balance`, { reason: 'other', note: 'One bill' })

  writeOff = (lease: LeaseRef) =>
    this.#money('owner', 'balance.written-off', `${leasePath(lease)}/write-off`, { reason: 'uncollectible' })

  refund = (role: 'agent' | 'finance', lease: LeaseRef, order: string, of: { part?: number; forgiven: boolean }) =>
    this.#money(role, 'money.refunded', `${leasePath(lease)}/refund?order=${order}`, {
      ...{ reason: 'charged-twice', afterwards: of.forgiven ? 'forgiven' : 'owed' },
      ...(of.part !== undefined && { way: 'check', amount: dollars(of.part) }),
    })

  /** @returns the drawer's id */
  async openDrawer(role: 'agent' | 'manager', place: string): Promise<string | null> {
    const { data } = await this.people[role].get('/office/receipts')
    const fields = { place, float: '100', key: data.formKey }
    const to = await this.#form(this.people[role], 'drawer.opened', '/office/receipts', fields)
    return to && new URL(to, 'https://rent.example').searchParams.get('drawer')
  }

  receive = (
    lease: LeaseRef,
    drawer: string,
    { cents, method, number }: { cents: number; method: 'check' | 'cash' | 'money_order'; number: string },
  ) =>
    this.#money('agent', 'payment.received', `${tenantPath(lease)}/receive`, {
      ...{ drawer, method, check_number: method === 'cash' ? '' : number, reason: 'counter-payment' },
      [`amount-${lease.lease_number}`]: dollars(cents),
    })

  voidReceipt = (receipt: string) =>
    this.#money('manager', 'receipt.voided', `/office/receipts/${receipt}/void`, { reason: 'wrong-amount' })

  returnCheck = (receipt: string) =>
    this.#money('finance', 'check.returned', `/office/receipts/${receipt}/return`, { reason: 'nsf' })

  async closeDrawer(drawer: string, over: number): Promise<void> {
    const path = `/office/day-close/${drawer}`
    const { data } = await this.people.agent.get(path)
    const sum = (of: Record<string, number>) => Object.values(of).reduce((all, one) => all + one, 0)
    await this.#form(this.people.agent, 'drawer.closed', path, {
      ...{ intent: 'close', key: data.formKey, system: String(sum(data.system)), receipts: String(sum(data.number)) },
      ...{ cash: dollars(data.system.cash + over), checks: dollars(data.system.check) },
      ...{ money_orders: dollars(data.system.money_order), difference_reason: over === 0 ? '' : 'found' },
    })
  }

  async matchDeposit(drawer: string, day: IsoDate): Promise<void> {
    const path = `/office/day-close/${drawer}`
    const { data } = await this.people.finance.get(path)
    await this.#form(this.people.finance, 'deposit.matched', path, {
      ...{ intent: 'match', key: data.formKey, bank_cents: dollars(data.deposit), bank_day: formatUs(day), note: '' },
    })
  }

  /** A refund by check is written by hand, from the queue. */
  payByHand = (refund: string, location: string) =>
    this.#form(this.people.finance, 'refund.paid_by_hand', `/office/queue/refund/${refund}`, {
      ...{ kind: 'refund', id: refund, location, task: '', intent: 'by-hand', text: 'check 1042' },
    })

  scheduleMoveOut = async (lease: LeaseRef, on: IsoDate) =>
    this.#form(this.people.agent, 'move_out.scheduled', `${leasePath(lease)}/move-out`, {
      ...{ intent: 'schedule', key: this.#world.services.random.uuid(), move_out_date: on, reason: 'Called' },
    })

  async atTheDoor(lease: LeaseRef, found: { intent: 'verify' | 'on' | 'off' }): Promise<void> {
    const path = `/office/field/${lease.location_code}/${lease.lease_number}`
    const { data } = await this.people.field.get(path)
    if (data?.job === null) return
    await this.#form(this.people.field, found.intent === 'verify' ? 'move_out.verified' : 'lock.seen', path, {
      ...{ ...found, key: data.formKey, found: 'clean', note: '' },
    })
  }

  async gate(lease: LeaseRef, what: 'suspend' | 'lift', until: IsoDate): Promise<void> {
    const path = `${tenantPath(lease)}/gate`
    const { data } = await this.people.manager.get(path)
    await this.#form(this.people.manager, what === 'lift' ? 'overlock.lifted' : 'gate.suspended', path, {
      ...{ made_from: data.mark, key: data.formKey, reason: 'Asked on the phone', until },
      intent: what === 'lift' ? `lift ${lease.lease_number}` : 'suspend',
    })
  }

  async changeRents(lines: readonly (LeaseRef & { to: number })[]): Promise<void> {
    const by = this.people.manager
    const list = [
      'facility,lease,new_rent',
      ...lines.map((one) => `${one.location_code},${one.lease_number},${dollars(one.to)}`),
    ]
    const fields = { intent: 'list', key: this.#world.services.random.uuid(), reason: 'Yearly', list: list.join('\n') }
    const answer = await by.post('/office/rent-changes/new', fields)
    if (answer.status !== 302) throw new Error(`rents: ${JSON.stringify(answer.data)}`)
    // One event a facility, and one for each lease that is approved.
    this.#count('rent.proposed', new Set(lines.map(({ location_code }) => location_code)).size)
    const approved = await this.people.district.post(answer.to, { intent: 'approve-all' })
    if (approved.status !== 302) throw new Error(`rents: ${JSON.stringify(approved.data)}`)
    this.#count('rent.approved', lines.length)
  }

  holdUnit = (location: string, unitId: number, who: Fields, today: IsoDate) =>
    this.#form(this.people.agent, 'move_in.offered', `/office/units/${location}/move-in?unit=${unitId}`, {
      ...{ intent: 'hold', key: this.#world.services.random.uuid(), unit_id: String(unitId), move_in_date: today },
      ...who,
    })
}
