/**
 * The list of everything that can be called. A declaration that stands here is reachable through both doors and in
 * process; one that does not, is not.
 */
import { paymentOperations, paymentResources } from '../paying/operations.ts'
import { appointmentResources } from '../site-records/appointments.ts'
import { insuranceResources } from '../site-records/insurance-proofs.ts'
import { prospectResources } from '../site-records/prospects.ts'
import { siteResources } from '../site-records/resources.ts'
import { postTenantUpdateNotice } from './account-changes.ts'
import { lookUpOperations, lookUpResources } from './account-look-ups.ts'
import { autopayOperations } from './autopay.ts'
import { leaseOperations } from './leases.ts'
import { ledgerOperations } from './ledger.ts'
import { locationOperations } from './locations.ts'
import { moveOutOperations, moveOutResources } from './move-outs.ts'
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

/** The site's own resources, each named by method and path template. */
export const resources: ReadonlyMap<string, AnyOperation> = new Map(
  (
    [
      ...siteResources,
      ...prospectResources,
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
