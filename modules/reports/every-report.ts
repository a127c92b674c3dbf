/** All reports of the office, in the order of their list. */

import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import type { ViewReport } from './internal/build-report-of-daily-figures.ts'
import type { ListReport } from './internal/list-report.ts'
import { aging } from './named/aging.ts'
import { autopayInsurance } from './named/autopay-insurance.ts'
import { collectedOccupancy } from './named/collected-occupancy.ts'
import { deposits } from './named/deposits.ts'
import { economicOccupancy } from './named/economic-occupancy.ts'
import { exceptions } from './named/exceptions.ts'
import { moves } from './named/moves.ts'
import { occupancy } from './named/occupancy.ts'
import { pastDue } from './named/past-due.ts'
import { rateVariance } from './named/rate-variance.ts'
import { receivables } from './named/receivables-roll-forward.ts'
import { rentRoll } from './named/rent-roll.ts'
import { revenue } from './named/revenue.ts'
import { tax } from './named/tax.ts'
import { walkSheet } from './named/walk-sheet.ts'

const reports = {
  occupancy,
  'economic-occupancy': economicOccupancy,
  'collected-occupancy': collectedOccupancy,
  'rate-variance': rateVariance,
  'rent-roll': rentRoll,
  receivables,
  aging,
  revenue,
  tax,
  deposits,
  moves,
  'past-due': pastDue,
  'autopay-insurance': autopayInsurance,
  exceptions,
  'walk-sheet': walkSheet,
} as const satisfies Record<string, ListReport | ViewReport>

export type ReportName = keyof typeof reports
export const reportNames = keysOf(reports)
export const reportOf = (name: ReportName): ListReport | ViewReport => reports[name]
export const isReport = (text: string): text is ReportName => Object.hasOwn(reports, text)

/** Returns the permissions that open a report; one of them is enough. */
export const permissionsFor = (name: ReportName): Permission[] => {
  const { alternativePermission } = reportOf(name)
  return ['report.read', ...(alternativePermission ? [alternativePermission] : [])]
}
