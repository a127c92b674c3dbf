import type { Services } from '../../../platform/operations/services.ts'
import { chartByDay, figureReport } from '../internal/figure-report.ts'
import type { ReportQuery } from '../report-figures.ts'
import { shareOf } from '../rules/report-format.ts'

export const autopayInsurance = figureReport({
  title: 'Autopay and insurance',
  about: 'The share of open leases with each.',
  of: 'span',
  group: 'People and work',
  reads: ['leases', 'leases_autopay', 'leases_refused', 'leases_insured', 'leases_own_policy'],
  columns: [
    { key: 'leases', label: 'Open leases', as: 'count', cell: (one) => one.leases },
    { key: 'autopay', label: 'Autopay', as: 'share', cell: (one) => shareOf(one.leases_autopay, one.leases) },
    { key: 'refused', label: 'Refused tries', as: 'count', wide: true, cell: (one) => one.leases_refused },
    { key: 'insured', label: 'Our insurance', as: 'share', cell: (one) => shareOf(one.leases_insured, one.leases) },
    {
      key: 'own',
      label: 'Own policy',
      as: 'share',
      wide: true,
      cell: (one) => shareOf(one.leases_own_policy, one.leases),
    },
  ],
  async tell({ services, asked, read, state: at }) {
    const proofs = await proofsEnded(services, asked)
    return {
      figures: [
        {
          label: 'On autopay',
          value: shareOf(at.leases_autopay, at.leases),
          as: 'share',
          beside: `${at.leases_autopay} of ${at.leases}`,
        },
        { label: 'With our insurance', value: shareOf(at.leases_insured, at.leases), as: 'share' },
        { label: 'With an own policy', value: shareOf(at.leases_own_policy, at.leases), as: 'share' },
        { label: 'Autopay refused', value: at.leases_refused, as: 'count', beside: 'leases with a refused try' },
      ],
      chart: {
        label: 'Shares by day',
        as: 'share',
        lines: [
          { label: 'Autopay', values: chartByDay(read, (one) => shareOf(one.leases_autopay, one.leases)) },
          { label: 'Our insurance', values: chartByDay(read, (one) => shareOf(one.leases_insured, one.leases)) },
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
async function proofsEnded({ db }: Pick<Services, 'db'>, { places, all, from, to }: ReportQuery): Promise<number> {
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
