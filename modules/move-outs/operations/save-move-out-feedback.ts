import * as v from 'valibot'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { invalidLeaseNumber } from '../../leases/texts/portal.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { moveOutFeedback } from '../rules/feedback-form.ts'
import { saveFeedback } from '../schedule-and-cancel-move-out.ts'

export const postScheduledMoveOuts = operation({
  name: 'POST /api/scheduled_move_outs',
  summary:
    'Keeps the feedback on a move-out: stars, comment, and for 1 to 3 stars reasons. Said again, it replaces the first.',
  access: { tenant: ownTenant },
  input: v.pipe(
    v.object({
      ...tenantFields,
      lease_number: integer(invalidLeaseNumber),
      ...moveOutFeedback.pipe[0].entries,
      comment: v.optional(moveOutFeedback.pipe[0].entries.comment, ''),
    }),
    v.transform(({ star_rating, comment, reasons, ...leaseKey }) => ({
      ...leaseKey,
      feedback: v.parse(moveOutFeedback, { star_rating, comment, reasons }),
    })),
  ),
  output: v.object({
    location_code: v.string(),
    tenant_id: v.number(),
    lease_number: v.number(),
    star_rating: v.number(),
    comment: v.string(),
    reasons: v.array(v.string()),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
    output: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
  },
  async run(services, { location_code, tenant_id, lease_number, feedback }) {
    const lease = await services.db.read
      .selectFrom('leases')
      .select(['location_code', 'tenant_id', 'lease_number'])
      .where((eb) => eb.and({ location_code, tenant_id, lease_number }))
      .where('status', '!=', 'Closed')
      .executeTakeFirst()
    if (!lease) return leaseNotFound()
    await services.db.transaction((tx) => saveFeedback(tx, services, lease, feedback))
    return succeed({ ...lease, ...feedback })
  },
})
