import { type Cents, format } from '../../../domain/money.ts'
import { formatUsDay } from '../../../domain/plain-date.ts'

/** Returns the text of a move-in's autopay consent. `thenPerPeriod` is in cents, `nextBilling` an ISO date. */
export const moveInConsent = (thenPerPeriod: Cents, nextBilling: string): string =>
  `I also authorize the amount due under my lease to be taken from this account every 30 days, next ${format(thenPerPeriod)} on ${formatUsDay(nextBilling)}, until I turn autopay off in my account.`
