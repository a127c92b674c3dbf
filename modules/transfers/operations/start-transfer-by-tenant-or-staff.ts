import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { noEmailOnFile } from '../../../domain/texts/office-refusals.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-facts-for-pricing.ts'
import type { Lease } from '../../leases/lease.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { insertDraft } from '../../reservations/insert-draft.ts'
import { reserveAtDesk } from '../../reservations/reserve-at-desk.ts'
import { transferTypeTaken, transferUnitTaken } from '../../reservations/texts/reserve.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { signedCents } from '../../standing/ledger-operation.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { answersFromOldLease } from '../internal/answers-from-old-lease.ts'
import * as say from '../texts/transfer.ts'
import { expireLapsedTransfers } from '../transfer-rows.ts'
import { loadTransferPrice } from '../views/transfer-preview.ts'
import { loadTransferBlock } from '../views/why-not-transferable.ts'
import {
  checkTransferDay,
  leaseExample,
  leaseNotFoundFor,
  loadFactsForTransfer,
  mayTransferWithBalance,
  transferAccess,
  transferFields,
  wordingFor,
} from './transfer-operation-parts.ts'

const transferInput = v.object({
  ...transferFields,
  /** Balance that the form displayed, in cents. */
  balance: signedCents,
  due_at_signing: v.optional(signedCents),
  then_per_period: v.optional(signedCents),
  reason: optionalText(500),
})

type TransferInput = v.InferOutput<typeof transferInput>

/**
 * Loads the facility and checks the form, but not the lease.
 * @throws RefusalError for an unknown facility, an invalid day, a missing reason of a staff member, or a tenant without an
 *   e-mail address
 */
async function checkForm(services: Services, input: TransferInput, callers: Callers): Promise<FacilityFacts> {
  const facts = await loadFactsForTransfer(services, input.location_code)
  if (!facts) throw new RefusalError(leaseNotFoundFor(callers))
  checkTransferDay(facts, input.transfer_date ?? facts.today)
  if (callers.staff && input.reason === '') throw fieldError('reason', say.sayWhy)
  const tenant = await loadTenant(services.db.read, input.location_code, input.tenant_id)
  if (tenant?.email === '') throw refusalError(409, 'no_email', noEmailOnFile)
  return facts
}

/** Returns whether the current amounts equal those in the form. An amount that the form leaves out always matches. */
async function isPriceAsShown(
  tx: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  { due_at_signing: due, then_per_period: then, transfer_date }: TransferInput,
  type: UnitTypeRow,
): Promise<boolean> {
  const quote = await loadTransferPrice(tx, facts, lease, { type, startsOn: transfer_date ?? facts.today })
  return (
    (due ?? quote?.charges.dueToday) === quote?.charges.dueToday &&
    (then ?? quote?.charges.thenPerPeriod) === quote?.charges.thenPerPeriod
  )
}

/** Returns the unit type of the chosen unit, or the chosen type; undefined if there is no such unit or type. */
async function loadChosenType(tx: Kysely<Tables>, facts: FacilityFacts, { unit_id, unit_type_id }: TransferInput) {
  const unit =
    unit_id === null
      ? undefined
      : await tx
          .selectFrom('units')
          .select('unit_type_id')
          .where((eb) => eb.and({ location_code: facts.location.location_code, unit_id }))
          .executeTakeFirst()
  const id = unit_id === null ? unit_type_id : unit?.unit_type_id
  return facts.unitTypes.find((unitType) => unitType.unit_type_id === id)
}

/** An opened transfer. */
interface OpenedTransfer {
  transferId: string
  /** Rental draft to be signed and paid. */
  draftId: string
  /** Number of the old unit. */
  from: string
  /** Number of the new unit. */
  unitNumber: string
  /** End of the hold of the new unit, in epoch milliseconds. */
  holdUntil: number
}

/**
 * Opens a transfer: locks the lease, reserves the new unit, mails the link to sign, and creates the rental draft.
 * @throws RefusalError when the tenant has no such lease, the transfer is blocked, the unit (or every unit of the type) is
 *   taken, or balance or price differ from the form's
 */
async function openTransfer(
  { tx, services, callers }: Pick<OfficeContext, 'tx' | 'services' | 'callers'>,
  facts: FacilityFacts,
  input: TransferInput,
): Promise<OpenedTransfer> {
  const { location_code, tenant_id, unit_id: unitId } = input
  const lease = await lockLeaseRow(tx, input)
  if (lease?.tenant_id !== tenant_id) throw new RefusalError(leaseNotFoundFor(callers))
  const block = await loadTransferBlock(tx, lease, mayTransferWithBalance(callers, location_code))
  if (block) throw refusalError(409, block, say.transferBlocks[block][wordingFor(callers)])
  if (lease.balance !== input.balance) throw refusalError(409, 'changed', say.changedSinceShown)
  const type = await loadChosenType(tx, facts, input)
  const field = unitId === null ? 'unit_type_id' : 'unit_id'
  const taken = unitId === null ? transferTypeTaken : transferUnitTaken
  if (!type) throw refusalError(409, 'taken', taken, { fields: { [field]: taken } })
  if (!(await isPriceAsShown(tx, facts, lease, input, type)))
    throw refusalError(409, 'price_changed', say.priceChangedSinceShown)
  const now = services.clock.now()
  await expireLapsedTransfers(tx, lease, now)
  const tenant = await loadTenant(tx, location_code, tenant_id)
  if (!tenant) throw new Error(`Lease ${lease.lease_number} at ${location_code} has no tenant`)
  const { first, last, email, cell_phone } = tenant
  const startsOn = input.transfer_date ?? facts.today
  const renter = { first, last, email, cell_phone, tenantId: tenant_id }
  const reservation = await reserveAtDesk(tx, services, facts, { unitId, type, moveInDate: startsOn }, renter)
  if (!reservation) throw refusalError(409, 'taken', taken, { fields: { [field]: taken } })
  const { reservationCode, unitNumber, holdUntil } = reservation
  const { draftId } = await insertDraft(tx, services, {
    locationCode: location_code,
    unitTypeId: type.unit_type_id,
    tenantId: tenant_id,
    reservationCode,
    answers: await answersFromOldLease(tx, facts, lease, startsOn),
  })
  const transferId = services.random.uuid()
  await tx
    .insertInto('transfers')
    .values({
      transfer_id: transferId,
      location_code,
      tenant_id,
      lease_number: lease.lease_number,
      unit_number: lease.unit_number,
      reservation_code: reservationCode,
      to_unit_number: unitNumber,
      to_lease: null,
      starts_on: startsOn,
      overlap_days: input.overlap_days,
      ends_on: null,
      state: 'offered',
      moved_cents: 0,
      opened_by: callers.staff?.staffId ?? null,
      opened_at: now,
      ended_at: null,
    })
    .execute()
  return { transferId, draftId, from: lease.unit_number, unitNumber, holdUntil }
}

const toResponse = ({ transferId, unitNumber, holdUntil }: OpenedTransfer) => ({
  transfer_id: transferId,
  unit_number: unitNumber,
  hold_until: holdUntil,
})

/** Opens a transfer that a staff member offers. */
const transferByStaff = officeOperation({
  name: 'TransferUnit',
  permission: 'unit.transfer',
  button: {
    label: 'Transfer',
    key: 't',
    place: 7,
    page: 'transfer',
    about: 'lease',
    when: (lease) => lease.status !== 'Closed',
  },
  input: transferInput,
  example: {
    ...leaseExample,
    unit_id: 214,
    transfer_date: '2026-11-23',
    overlap_days: '2',
    balance: 0,
    reason: 'Called: needs more room',
  },
  before: checkForm,
  async work(act, input, facts) {
    const opened = await openTransfer(act, facts, input)
    const on = formatUs(input.transfer_date ?? facts.today)
    const details = { unit: opened.from, to: opened.unitNumber, on }
    await act.audit({ kind: 'transfer.offered', details })
    return toResponse(opened)
  },
})

/** Opens a transfer to another unit of the facility, for the tenant or for a staff member who offers it. */
export const TransferUnit = internalOperation({
  ...transferByStaff,
  access: transferAccess,
  async run(services, input, callers) {
    if (callers.staff) return transferByStaff.run(services, input, callers)
    const facts = await checkForm(services, input, callers)
    const opened = await services.db.transaction((tx) => openTransfer({ tx, services, callers }, facts, input))
    // The tenant signs the new lease in the same browser, so its session gets the rental draft.
    return succeed(toResponse(opened), { draftId: opened.draftId })
  },
})
