import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { paymentNotFound } from '../../../domain/texts/payment.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { uuid } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { personalText } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { loadSettlementLink } from '../../links/auction-and-settlement-link-records.ts'

export const getDelinquentTenant = operation({
  name: 'GET /api/delinquent-tenants/detail',
  summary: 'The settlement behind a past-due tenant’s link.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({
    facilityId: v.number(),
    unitNumber: v.string(),
    facilityName: v.string(),
    tenantName: personalText(),
    settlementAmount: v.string(),
  }),
  limit: guessLimits.link.address,
  writes: false,
  example: {
    input: { uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a13100002' },
    output: {
      facilityId: 101,
      unitNumber: '132',
      facilityName: 'Latchkey Ralston Mill',
      tenantName: 'Silas Boone',
      settlementAmount: '150.00',
    },
  },
  async run(services, input) {
    const limited = await checkAndCountGuess(services, 'link')
    if (limited) return limited
    const link = await loadSettlementLink(services.db.read, input.uuid)
    if (!link) await countWrongGuess(services, 'link')
    const location =
      link &&
      (await services.db.read
        .selectFrom('locations')
        .select('facility_id')
        .where('location_code', '=', link.location_code)
        .executeTakeFirst())
    if (!link || !location) return refuse(404, 'link_not_found', paymentNotFound)
    return succeed({
      facilityId: location.facility_id,
      unitNumber: link.unit_number,
      facilityName: link.facility_name,
      tenantName: link.tenant_name,
      settlementAmount: toWire(link.settlement_amount),
    })
  },
})
