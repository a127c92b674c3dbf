import * as v from 'valibot'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import { namedTenants, ownTenantNamed } from '../../../platform/operations/callers.ts'
import { integer, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { invalidLeaseNumber, noLeaseFound } from '../../leases/texts/portal.ts'
import { mailScheduledMoveOut } from '../schedule-and-cancel-move-out.ts'

export const sendScheduleMoveOutEmail = operation({
  name: 'send-schedule-move-out-email',
  summary:
    'Sends the mail about the account’s scheduled move-out, once for each time it is scheduled. Recipient and name come from the record; others are 409.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    /**
     * Facility of the lease whose move-out is mailed. Without location_code, tenant_id and lease_number, the mail is
     * about the newest of the account's scheduled move-outs.
     */
    location_code: v.optional(locationCode()),
    tenant_id: v.optional(integer(invalidTenantId)),
    lease_number: v.optional(integer(invalidLeaseNumber)),
    tenantEmail: optionalText(320),
    tenantName: optionalText(200),
  }),
  output: v.object({
    ...textFields('result', 'message'),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      tenantEmail: 'marcus.tilley@example.com',
      tenantName: 'Marcus Tilley',
    },
    output: { result: 'success', message: '' },
  },
  async run(services, input, callers) {
    const ownTenants = callers.tenant ? namedTenants(callers.tenant, input) : []
    if (ownTenants.length === 0) return leaseNotFound()
    const tenants = await services.db.read
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'first', 'last', 'email'])
      .where((eb) =>
        eb.or(ownTenants.map((tenant) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))),
      )
      .execute()
    // The same person may have another name or e-mail address at another facility.
    const refusals = tenants.map((tenant) =>
      refuseDifferingFields(input, {
        tenantEmail: fieldComparisons.email(tenant.email),
        tenantName: fieldComparisons.name(`${tenant.first} ${tenant.last}`),
      }),
    )
    const matchingTenants = tenants.filter((_, index) => !refusals[index])
    if (matchingTenants.length === 0) return refusals[0] ?? leaseNotFound()
    const row = await services.db.read
      .selectFrom('move_outs')
      .select('move_out_id')
      .where('state', '=', 'scheduled')
      .where((eb) =>
        eb.or(
          matchingTenants.map((tenant) => eb.and({ location_code: tenant.location_code, tenant_id: tenant.tenant_id })),
        ),
      )
      .$call(
        optionalCondition(input.lease_number, (query, leaseNumber) => query.where('lease_number', '=', leaseNumber)),
      )
      .orderBy('created_at', 'desc')
      .orderBy('move_out_id')
      .executeTakeFirst()
    if (!row) return succeed({ result: 'failed', message: noLeaseFound })
    await mailScheduledMoveOut(services.db.write, row.move_out_id, services.clock.now())
    return succeed({ result: 'success', message: '' })
  },
})
