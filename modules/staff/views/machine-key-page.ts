import { machineRoleNames } from '../../../domain/machine-key-role-names-and-limits.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadMachineKey, type MachineKey } from '../machine-keys.ts'
import { formatScopes } from '../rules/format-roles.ts'

/** A machine key, with its role and scopes as text. */
export interface MachineKeyPage extends Omit<MachineKey, 'role' | 'scopes'> {
  role: string
  scopes: string
}

/** Returns a machine key as its page shows it; null for an unknown id. */
export async function loadMachineKeyPage(
  services: Pick<Services, 'db' | 'clock'>,
  keyId: string,
): Promise<MachineKeyPage | null> {
  const key = await loadMachineKey(services, services.db.read, keyId)
  return key && { ...key, role: machineRoleNames[key.role], scopes: formatScopes(key.scopes) }
}
