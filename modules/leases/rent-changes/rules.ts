import { defaultRentRules, type RentRules } from '../../../domain/office/rent-change.ts'

/** The operator's bounds from the setting `rent_rules`; the defaults where it was never set. */
export function rentRulesOf(setting: string | null): RentRules {
  if (setting === null) return defaultRentRules
  const { capPercent } = JSON.parse(setting) as Partial<RentRules>
  return { capPercent: capPercent ?? defaultRentRules.capPercent }
}
