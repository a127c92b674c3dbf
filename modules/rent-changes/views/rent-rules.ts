import type { Services } from '../../../platform/operations/services.ts'
import { loadSetting } from '../../facilities/operator-settings-and-brand.ts'
import { parseRentRules, type RentRules } from '../rules/rent-change.ts'

/** Returns the operator's limits of rent increases. */
export const loadRentRules = async (services: Pick<Services, 'db'>): Promise<RentRules> =>
  parseRentRules(await loadSetting(services.db.read, 'rent_rules'))
