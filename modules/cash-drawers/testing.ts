/** Staff members, drawers and counter payments for tests, and `performOrThrow` to perform operations. */
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { OpenDrawer } from './operations/open-drawer.ts'
import { ReceivePayment } from './operations/receive-payment.ts'

/** Returns a staff member with a role at the given facilities, or at all facilities. */
export const officeCaller = (
  role: OfficeRole,
  { at = 'all', id = role }: { at?: 'all' | string[]; id?: string } = {},
): Callers & { staff: StaffCaller } => ({
  ...visitor(),
  staff: {
    staffId: id,
    name: id,
    signIn: '0123456789abcdef',
    provenAt: Number.MAX_SAFE_INTEGER,
    roles: [{ role, facilities: at === 'all' ? 'all' : new Set(at) }],
  },
})

/**
 * Performs an operation and returns its value.
 * @throws Error where it is refused
 */
export async function performOrThrow<O>(
  services: Services,
  // biome-ignore lint/suspicious/noExplicitAny: of any input
  operation: InternalOperation<any, O>,
  input: object,
  callers: Callers,
): Promise<O> {
  const outcome = await perform(services, operation, input, callers)
  if (!outcome.ok) throw new Error(`${operation.name}: ${outcome.status} ${outcome.message}`)
  return outcome.value
}

/**
 * Returns one lease's entry in `leases` of a counter payment's input, with the lease's current balance and newest
 * ledger entry, as a newly opened form would send it.
 */
export async function counterPaymentShare(
  services: Services,
  lease_number: number,
  cents: number,
  location_code = 'GA1',
) {
  const [lease, newest] = await Promise.all([
    services.db.read
      .selectFrom('leases')
      .select('balance')
      .where((eb) => eb.and({ location_code, lease_number }))
      .executeTakeFirstOrThrow(),
    loadNewestEntry(services.db.read, { location_code, lease_number }),
  ])
  return { lease_number, cents, balance: lease.balance, newest_entry: newest?.entry_id ?? '' }
}

/**
 * Opens a drawer, at GA1 by default.
 * @returns the drawer's id
 */
export async function openTestDrawer(services: Services, callers: Callers, location_code = 'GA1'): Promise<string> {
  const opened = await performOrThrow(services, OpenDrawer, { location_code, float: 100_00 }, callers)
  return opened.batch_id
}

/** Returns the input that receives a check from Cy Dorn for lease 10002. */
export const checkInputForCy = async (services: Services, batch_id: string, cents: number, number = '1042') => ({
  location_code: 'GA1',
  tenant_id: 1002,
  batch_id,
  method: 'check',
  check_number: number,
  leases: [await counterPaymentShare(services, 10002, cents)],
})

/** Receives a check from the test tenant Cy at the counter. @returns id of the receipt */
export async function receiveTestCheck(
  services: Services,
  callers: Callers,
  batch: string,
  cents: number,
  number = '1042',
) {
  const result = await performOrThrow(
    services,
    ReceivePayment,
    await checkInputForCy(services, batch, cents, number),
    callers,
  )
  return result.done?.receiptId ?? ''
}
