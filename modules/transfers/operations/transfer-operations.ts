/** A tenant changes to another unit of the same facility: by themselves or by the office, through the same operations. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { isWithin, reservationWindow } from '../../../domain/reservation-window.ts'
import { noEmailOnFile } from '../../../domain/texts/office.ts'
import { dateOutsideWindow, transferTypeTaken, transferUnitTaken } from '../../../domain/texts/reserve.ts'
import * as say from '../../../domain/texts/transfer.ts'
import { MOST_OVERLAP_DAYS } from '../../../domain/transfer.ts'
import { type Callers, grantAt, may, ownTenant } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode, optional, orNull } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Outcome, type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isAvailable } from '../../facilities/availability.ts'
import { type FacilityFacts, facilityFacts, type UnitTypeRow } from '../../facilities/facts.ts'
import { leaseRow, noLease } from '../../leases/lease.ts'
import { lockLease } from '../../leases/lock.ts'
import { isMoneyOnItsWay } from '../../ledger/operations/write-off-operations.ts'
import type { Lease } from '../../ledger/totals.ts'
import { isBeingPaid } from '../../payments/expire-unpaid-holds.ts'
import { rentOf } from '../../pricing/offers.ts'
import type { Waiting, WaitingAsked } from '../../staff/queue-items.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { signedCents } from '../../standing/adjustments.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import { cancelTransfer } from '../cancel.ts'
import { type OpenedTransfer, openTransfer, whyNotTransferable } from '../open.ts'
import { offeredTransfers, openTransferOf, type Transfer } from '../transfer.ts'
import { previewTransfer, priceOfTransfer, type TransferPreview } from '../views/preview.ts'

const ofLease = { location_code: locationCode(), tenant_id: integer(), lease_number: integer() }
const leaseExample = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

const maybeUnit = () => orNull(integer('Choose a unit.'))

const overlapField = () =>
  v.optional(
    v.pipe(
      integer(say.overlapOutside(MOST_OVERLAP_DAYS)),
      v.maxValue(MOST_OVERLAP_DAYS, say.overlapOutside(MOST_OVERLAP_DAYS)),
    ),
    0,
  )

const wanted = {
  ...ofLease,
  /** A unit; left out, any of the type. */
  unit_id: maybeUnit(),
  unit_type_id: maybeUnit(),
  /** The first day of the new lease; left out, today. */
  transfer_date: orNull(date()),
  /** For this many days both units are theirs. */
  overlap_days: overlapField(),
}

const access = { tenant: ownTenant, staff: may('unit.transfer') } as const

interface Asked {
  location_code: string
  tenant_id: number
  lease_number: number
  unit_id: number | null
  unit_type_id: number | null
  transfer_date: IsoDate | null
  overlap_days: number
}

/** The tenant's own words, or the office's. */
const voiceOf = ({ staff }: Callers): 'office' | 'tenant' => (staff ? 'office' : 'tenant')

const mayOwing = ({ staff }: Callers, locationCode: string): boolean =>
  staff !== undefined && grantAt(staff, 'unit.transfer-owing', locationCode) === 'yes'

const factsAt = async (services: Services, code: string): Promise<FacilityFacts | undefined> =>
  (await facilityFacts(services, [code])).get(code)

const absent = (callers: Callers): Refusal => (callers.staff ? notOnFile : noLease())

/** A unit that may be chosen. */
export interface FreeUnit {
  unitId: number
  unitNumber: string
  unitTypeId: number
  floor: number
}

const freeUnits = async (services: Services, locationCode: string): Promise<FreeUnit[]> => {
  const rows = await services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no'])
    .where('location_code', '=', locationCode)
    .where(isAvailable(services.clock.now()))
    .orderBy('unit_type_id')
    .orderBy('unit_number')
    .execute()
  return rows.map((row) => ({
    unitId: row.unit_id,
    unitNumber: row.unit_number,
    unitTypeId: row.unit_type_id,
    floor: row.floor_no,
  }))
}

/** A size that has a unit free. */
export interface FreeSize {
  type: UnitTypeRow
  /** For a period, before tax and without what else is charged. */
  rent: Cents
  /** Against the rent now. */
  difference: Cents
  units: FreeUnit[]
}

export interface TransferQuote {
  /** Why it cannot be done now, in words for who asks; '' where it can. */
  blocked: string
  block: say.TransferBlock | ''
  /** What waits for its signature, or is under way. */
  open: Transfer | null
  rent: Cents
  balance: Cents
  sizes: FreeSize[]
  days: { earliest: IsoDate; latest: IsoDate }
  /** null where no unit is chosen, or the one chosen is not free. */
  preview: TransferPreview | null
}

/** Sizes from the cheapest on. */
function sizesOf(facts: FacilityFacts, units: readonly FreeUnit[], rent: Cents): FreeSize[] {
  return [...Map.groupBy(units, (unit) => unit.unitTypeId)]
    .flatMap(([id, of]): FreeSize[] => {
      const type = facts.unitTypes.find((one) => one.unit_type_id === id)
      return type ? [{ type, rent: rentOf(type), difference: rentOf(type) - rent, units: of }] : []
    })
    .sort((a, b) => a.rent - b.rent || a.type.unit_type_id - b.type.unit_type_id)
}

/** The size and the unit that were asked for; null where they are not free. */
function chosenOf(sizes: readonly FreeSize[], { unit_id, unit_type_id }: Pick<Asked, 'unit_id' | 'unit_type_id'>) {
  for (const { type, units } of sizes) {
    const unit = units.find((one) => one.unitId === unit_id)
    if (unit) return { type, unitNumber: unit.unitNumber }
    if (unit_id === null && type.unit_type_id === unit_type_id) return { type, unitNumber: '' }
  }
  return null
}

export const QuoteTransfer = internalOperation({
  name: 'QuoteTransfer',
  access,
  input: v.object(wanted),
  example: { input: { ...leaseExample, unit_type_id: 2, transfer_date: '2026-11-23', overlap_days: '2' } },
  writes: false,
  async run(services, input, callers): Promise<Outcome<TransferQuote>> {
    const facts = await factsAt(services, input.location_code)
    const lease = await leaseRow(services, input, input.lease_number)
    if (!facts || !lease) return absent(callers)
    const { read } = services.db
    const [block, open, units] = await Promise.all([
      whyNotTransferable(read, lease, {
        mayOwing: mayOwing(callers, input.location_code),
        isPaying: isMoneyOnItsWay,
      }),
      openTransferOf(read, lease),
      freeUnits(services, input.location_code),
    ])
    const days = reservationWindow(facts.today, facts.location.reservation_window)
    const startsOn = input.transfer_date ?? facts.today
    const wrong = wrongDay(facts, startsOn)
    if (wrong) return wrong
    const sizes = sizesOf(facts, units, lease.rent)
    const chosen = chosenOf(sizes, input)
    return succeed({
      block: block ?? '',
      blocked: block ? say.transferBlocks[block][voiceOf(callers)] : '',
      open: open ?? null,
      rent: lease.rent,
      balance: lease.balance,
      sizes,
      days,
      preview:
        chosen &&
        (await previewTransfer(services, facts, lease, { ...chosen, startsOn, overlapDays: input.overlap_days })),
    })
  },
})

function wrongDay(facts: FacilityFacts, day: IsoDate): Refusal | null {
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  if (isWithin(window, day)) return null
  const why = dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest))
  return refuse(400, 'invalid_input', why, { fields: { transfer_date: why } })
}

const transferInput = v.object({
  ...wanted,
  /** What the form was made from. */
  balance: signedCents,
  due_at_signing: v.optional(signedCents),
  then_per_period: v.optional(signedCents),
  reason: optional(500),
})
type TransferInput = v.InferOutput<typeof transferInput>

/** Rolls the transaction of a tenant's own act back, and carries what it answers. */
class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

type End = ActTools['refuse']

/** An act on the tenant's own behalf, in a transaction. */
async function ownAct<T extends object>(
  services: Services,
  work: (tx: Kysely<Tables>, end: End) => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await services.db.transaction((tx) =>
      work(tx, (refusal) => {
        throw new Refused(refusal)
      }),
    )
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

export interface TransferOffered {
  transfer_id: string
  unit_number: string
  hold_until: number
}

const offeredOf = ({ transferId, unitNumber, holdUntil }: OpenedTransfer): TransferOffered => ({
  transfer_id: transferId,
  unit_number: unitNumber,
  hold_until: holdUntil,
})

/** Locks the lease, asks whether it may be transferred, and holds the unit. */
async function open(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  input: TransferInput,
  callers: Callers,
  end: End,
): Promise<OpenedTransfer & { from: string }> {
  const lease = await lockLease(tx, input)
  if (lease?.tenant_id !== input.tenant_id) return end(absent(callers))
  const block = await whyNotTransferable(tx, lease, {
    mayOwing: mayOwing(callers, input.location_code),
    isPaying: isMoneyOnItsWay,
  })
  if (block) return end(refuse(409, block, say.transferBlocks[block][voiceOf(callers)]))
  if (lease.balance !== input.balance) return end(refuse(409, 'changed', say.changedSinceShown))
  const type = await typeOf(tx, facts, input)
  const field = input.unit_id === null ? 'unit_type_id' : 'unit_id'
  const taken = input.unit_id === null ? transferTypeTaken : transferUnitTaken
  if (!type) return end(refuse(409, 'taken', taken, { fields: { [field]: taken } }))
  if (!(await isPriceAsShown(tx, facts, lease, input, type)))
    return end(refuse(409, 'price_changed', say.priceChangedSinceShown))
  const opened = await openTransfer(tx, services, facts, lease, {
    type,
    unitId: input.unit_id,
    startsOn: input.transfer_date ?? facts.today,
    overlapDays: input.overlap_days,
    openedBy: callers.staff?.staffId ?? null,
  })
  return opened
    ? { ...opened, from: lease.unit_number }
    : end(refuse(409, 'taken', taken, { fields: { [field]: taken } }))
}

/** Whether the price is the one that the form showed; a form that names none was made without. */
async function isPriceAsShown(
  tx: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  { due_at_signing: due, then_per_period: then, transfer_date }: TransferInput,
  type: UnitTypeRow,
): Promise<boolean> {
  const quote = await priceOfTransfer(tx, facts, lease, { type, startsOn: transfer_date ?? facts.today })
  return (
    (due ?? quote?.charges.dueToday) === quote?.charges.dueToday &&
    (then ?? quote?.charges.thenPerPeriod) === quote?.charges.thenPerPeriod
  )
}

/** The type of the unit that was chosen, or the one that was. */
async function typeOf(tx: Kysely<Tables>, facts: FacilityFacts, { unit_id, unit_type_id }: TransferInput) {
  const unit =
    unit_id === null
      ? undefined
      : await tx
          .selectFrom('units')
          .select('unit_type_id')
          .where((eb) => eb.and({ location_code: facts.location.location_code, unit_id }))
          .executeTakeFirst()
  const id = unit_id === null ? unit_type_id : unit?.unit_type_id
  return facts.unitTypes.find((one) => one.unit_type_id === id)
}

export const TransferUnit = internalOperation({
  name: 'TransferUnit',
  access,
  input: transferInput,
  example: {
    input: {
      ...leaseExample,
      unit_id: 214,
      transfer_date: '2026-11-23',
      overlap_days: '2',
      balance: 0,
      reason: 'Called: needs more room',
    },
  },
  async run(services, input, callers): Promise<Outcome<TransferOffered>> {
    const facts = await factsAt(services, input.location_code)
    if (!facts) return absent(callers)
    const wrong = wrongDay(facts, input.transfer_date ?? facts.today) ?? unexplained(input, callers)
    if (wrong) return wrong
    const tenant = await tenantRow(services.db.read, input.location_code, input.tenant_id)
    if (tenant?.email === '') return refuse(409, 'no_email', noEmailOnFile)
    const { staff } = callers
    if (!staff) {
      const opened = await ownAct(services, (tx, end) => open(tx, services, facts, input, callers, end))
      // The tenant signs in this very browser.
      return 'ok' in opened ? opened : succeed(offeredOf(opened), { draftId: opened.draftId })
    }
    const about = { permission: 'unit.transfer' as const, operation: 'TransferUnit', input }
    const lease = { tenantId: input.tenant_id, leaseNumber: input.lease_number }
    const acted = await officeAct(services, callers, { ...about, ...lease }, async (tx, { refuse: end }) => {
      const { from: unit, ...opened } = await open(tx, services, facts, input, callers, end)
      const on = formatUs(input.transfer_date ?? facts.today)
      return {
        done: offeredOf(opened),
        event: { kind: 'transfer.offered', details: { unit, to: opened.unitNumber, on } },
      }
    })
    return acted.ok ? succeed(acted.value.done as TransferOffered) : acted
  },
})

const unexplained = ({ reason }: TransferInput, { staff }: Callers): Refusal | null =>
  staff && reason === '' ? refuse(400, 'invalid_input', say.sayWhy, { fields: { reason: say.sayWhy } }) : null

const cancelInput = v.object({
  ...ofLease,
  transfer_id: v.pipe(v.string(), v.uuid('must be a uuid')),
  reason: optional(500),
})

/** The transfer that the form showed, given back. */
async function cancel(
  tx: Kysely<Tables>,
  services: Services,
  input: v.InferOutput<typeof cancelInput>,
  callers: Callers,
  end: End,
): Promise<Transfer> {
  const transfer = await openTransferOf(tx, input)
  if (transfer && transfer.tenant_id !== input.tenant_id) return end(absent(callers))
  if (transfer?.transfer_id !== input.transfer_id || transfer.state !== 'offered')
    return end(refuse(409, 'changed', say.noTransferAhead))
  const ended = await cancelTransfer(tx, services, transfer, isBeingPaid)
  if (ended === 'paying') return end(refuse(409, 'paying', say.transferIsPaid))
  return ended === 'cancelled' ? transfer : end(refuse(409, 'changed', say.noTransferAhead))
}

export const CancelTransfer = internalOperation({
  name: 'CancelTransfer',
  access,
  input: cancelInput,
  example: { input: { ...leaseExample, transfer_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' } },
  async run(services, input, callers): Promise<Outcome<{ unit_number: string }>> {
    const done = ({ to_unit_number }: Transfer) => ({ unit_number: to_unit_number })
    if (!callers.staff) {
      const own = await ownAct(services, async (tx, end) => done(await cancel(tx, services, input, callers, end)))
      return 'ok' in own ? own : succeed(own)
    }
    const about = { permission: 'unit.transfer' as const, operation: 'CancelTransfer', input }
    const lease = { tenantId: input.tenant_id, leaseNumber: input.lease_number }
    const acted = await officeAct(services, callers, { ...about, ...lease }, async (tx, { refuse: end }) => {
      const transfer = await cancel(tx, services, input, callers, end)
      const details = { unit: transfer.unit_number, to: transfer.to_unit_number }
      return { done: done(transfer), event: { kind: 'transfer.cancelled', details } }
    })
    return acted.ok ? succeed(acted.value.done as { unit_number: string }) : acted
  },
})

/** Those that wait for their signature, for the office's queue. */
export async function transfersWaiting(services: Services, asked: WaitingAsked): Promise<Waiting[]> {
  const rows = await offeredTransfers(services, asked)
  return rows.map((row) => ({
    id: row.transfer_id,
    at: row.opened_at,
    due: row.starts_on,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    unit: row.unit_number,
    cents: null,
    owner: null,
    what: say.waitsToSign(row.unit_number, row.to_unit_number),
    why: `${row.first} ${row.last}`.trim(),
  }))
}

/** Called by the tenant's pages and by the office's. */
export const transferOperations = [QuoteTransfer, TransferUnit, CancelTransfer]
