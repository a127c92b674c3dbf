import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import type { Services } from '../../platform/operations/services.ts'
import { loadSetting } from '../facilities/site-settings.ts'
import { defaultRentRules, type RentRules } from './rules/rent-change.ts'

/** Parses the setting `rent_rules`; defaults when it was never set. */
export function parseRentRules(setting: string | null): RentRules {
  if (setting === null) return defaultRentRules
  const { capPercent } = parseJson(setting, writtenByUs<Partial<RentRules>>())
  return { capPercent: capPercent ?? defaultRentRules.capPercent }
}

export const loadRentRules = async (services: Pick<Services, 'db'>): Promise<RentRules> =>
  parseRentRules(await loadSetting(services.db.read, 'rent_rules'))
