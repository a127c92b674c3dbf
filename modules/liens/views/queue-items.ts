import { formatUs } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import { type LienCaseState, loadOpenCases } from '../load-lien-cases.ts'
import { stepNames, surplusLeft } from '../rules/next-lien-step.ts'

/**
 * Returns queue items of lien cases: a due step, a step that waits for confirmation, or a surplus held until today or
 * an earlier day.
 */
export async function loadLienItems(
  services: Pick<Services, 'db' | 'clock' | 'lienRules'>,
  { codes, after, limit, only }: QueueQuery,
): Promise<QueueItem[]> {
  const cases = await loadOpenCases(services, codes)
  return cases
    .flatMap(queueItemsOf)
    .filter((item) => only === undefined || item.id === only)
    .filter((item) => after === null || item.at > after.at || (item.at === after.at && item.id > after.id))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

function queueItemsOf(lien: LienCaseState): QueueItem[] {
  const { row, waiting, next, today, blocks } = lien
  const subject = {
    id: row.case_id,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    unit: row.unit_number,
    cents: lien.lease.owed,
    owner: null,
  }
  if (waiting) {
    const title = `Lien: ${stepNames[waiting.step].toLowerCase()} waits for a second person`
    return [
      { ...subject, at: waiting.recorded_at, due: null, what: title, why: `done on ${formatUs(waiting.done_on)}` },
    ]
  }
  if (row.state === 'surplus' && row.surplus_until !== null && row.surplus_until <= today)
    return [
      {
        ...subject,
        at: Date.parse(row.surplus_until),
        due: row.surplus_until,
        cents: surplusLeft(row.surplus, lien.lease.owed),
        what: 'Lien: surplus of the sale',
        why: `held until ${formatUs(row.surplus_until)}`,
      },
    ]
  if (!next || blocks.length > 0 || next.earliest > today) return []
  const title = `Lien: ${stepNames[next.step].toLowerCase()}`
  return [{ ...subject, at: Date.parse(next.earliest), due: next.earliest, what: title, why: next.because }]
}
