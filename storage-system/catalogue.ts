/**
 * The list of everything that can be called. A declaration that stands here is reachable through both doors and in
 * process; one that does not, is not.
 */
import { paymentOperations, paymentResources } from '../paying/operations.ts'
import { appointmentResources } from '../site-records/appointments.ts'
import { insuranceResources } from '../site-records/insurance-proofs.ts'
import { postProspects, postTenants, putProspect, siteResources } from '../site-records/resources.ts'
import { postTenantUpdateNotice } from './account-changes.ts'
import { lookUpOperations, lookUpResources } from './account-look-ups.ts'
import { autopayOperations } from './autopay.ts'
import { leaseOperations } from './leases.ts'
import { ledgerOperations } from './ledger.ts'
import { locationOperations } from './locations.ts'
import { moveOutOperations, moveOutResources, postScheduledMoveOuts } from './move-outs.ts'
import type { Operation } from './operation.ts'
import { reservationOperations } from './reservations.ts'
import { signInOperations } from './sign-in.ts'
import { tenantOperations } from './tenants.ts'
import { unitOperations } from './units.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export type AnyOperation = Operation<any, any>

/** Operations of the storage system, by wire name. */
export const operations: ReadonlyMap<string, AnyOperation> = new Map(
  (
    [
      ...locationOperations,
      ...unitOperations,
      ...reservationOperations,
      ...tenantOperations,
      ...leaseOperations,
      ...ledgerOperations,
      ...autopayOperations,
      ...moveOutOperations,
      ...signInOperations,
      ...lookUpOperations,
      ...paymentOperations,
    ] as AnyOperation[]
  ).map((one) => [one.name, one]),
)

const websites = new Set<string>(paymentOperations.map((one) => one.name))

/** Whether a storage system on another address runs it; payments are made where the website is. */
export const isStorageSystems = (name: string): boolean => operations.has(name) && !websites.has(name)

/** Resources of the site that are nothing but records: a storage system on another address runs them for the website. */
const ofRecords = new Set<string>(
  [postProspects, putProspect, postTenants, postScheduledMoveOuts].map((one) => one.name),
)

/** Whether it is asked for with the calls of inward.ts, as it has no name of the catalogue's. */
export const isRecordsResource = (name: string): boolean => ofRecords.has(name)

/** The site's own resources, each named by method and path template. */
export const resources: ReadonlyMap<string, AnyOperation> = new Map(
  (
    [
      ...siteResources,
      ...lookUpResources,
      ...insuranceResources,
      ...paymentResources,
      ...moveOutResources,
      ...appointmentResources,
      postTenantUpdateNotice,
    ] as AnyOperation[]
  ).map((one) => [one.name, one]),
)

/** What `operator catalogue --json` prints. The two doors themselves are resources as well. */
export const catalogue = () => ({
  operations: [...operations.keys()],
  resources: ['POST /api/ssm', 'POST /api/ssm/{operation}', ...resources.keys()],
})
