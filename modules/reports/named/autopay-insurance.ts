import type { Services } from '../../../platform/operations/services.ts'
import { chartByDay, figureReport } from '../internal/build-report-of-daily-figures.ts'
import type { ReportQuery } from '../internal/read-snapshot-figures.ts'
import { shareOf } from '../rules/report-format.ts'

export const autopayInsurance = figureReport({
  title: 'Autopay and insurance',
  about: 'The share of open leases with each.',
  period: 'span',
  group: 'People and work',
  reads: ['leases', 'leases_autopay', 'leases_refused', 'leases_insured', 'leases_own_policy'],
  columns: [
    { key: 'leases', label: 'Open leases', as: 'count', cell: (state) => state.leases },
    { key: 'autopay', label: 'Autopay', as: 'share', cell: (state) => shareOf(state.leases_autopay, state.leases) },
    { key: 'refused', label: 'Refused tries', as: 'count', wide: true, cell: (state) => state.leases_refused },
    {
      key: 'insured',
      label: 'Our insurance',
      as: 'share',
      cell: (state) => shareOf(state.leases_insured, state.leases),
    },
    {
      key: 'own',
      label: 'Own policy',
      as: 'share',
      wide: true,
      cell: (state) => shareOf(state.leases_own_policy, state.leases),
    },
  ],
  async buildParts({ services, query, read, state: closing }) {
    const proofs = await countEndedProofs(services, query)
    return {
      figures: [
        {
          label: 'On autopay',
          value: shareOf(closing.leases_autopay, closing.leases),
          as: 'share',
          explanation: `${closing.leases_autopay} of ${closing.leases}`,
        },
        { label: 'With our insurance', value: shareOf(closing.leases_insured, closing.leases), as: 'share' },
        { label: 'With an own policy', value: shareOf(closing.leases_own_policy, closing.leases), as: 'share' },
        {
          label: 'Autopay refused',
          value: closing.leases_refused,
          as: 'count',
          explanation: 'leases with a refused try',
        },
      ],
      chart: {
        label: 'Shares by day',
        as: 'share',
        lines: [
          { label: 'Autopay', values: chartByDay(read, (sums) => shareOf(sums.leases_autopay, sums.leases)) },
          { label: 'Our insurance', values: chartByDay(read, (sums) => shareOf(sums.leases_insured, sums.leases)) },
        ],
      },
      notes: proofs > 0 ? [`Own policies that ended in these days: ${proofs}.`] : [],
    }
  },
})

/**
 * Returns how many accepted insurance proofs at a report's facilities have a policy that ended in the report's span of
 * days.
 */
async function countEndedProofs({ db }: Pick<Services, 'db'>, { places, all, from, to }: ReportQuery): Promise<number> {
  const { count } = await db.read
    .selectFrom('insurance_proofs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(!all, (query) =>
      query.where(
        'location_code',
        'in',
        places.map(({ code }) => code),
      ),
    )
    .where('decision', '=', 'accepted')
    .where('expiration_date', '>=', from)
    .where('expiration_date', '<=', to)
    .executeTakeFirstOrThrow()
  return Number(count)
}
