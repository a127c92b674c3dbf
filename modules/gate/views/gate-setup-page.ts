import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadMachineKeys, type MachineKey } from '../../staff/machine-keys.ts'
import { type Gate, loadGate } from '../load-and-lock-facility-gate.ts'

/** A facility's gate and the keys with which a controller may read the gate's code list. */
export interface GateSetupPage {
  /** undefined until a kind of connection is saved. */
  gate: (Pick<Gate, 'kind' | 'week'> & GateContact) | undefined
  keys: GateKey[]
}

/** Contact with the controller of a gate. */
interface GateContact {
  heardAt: Instant | null
  /** Name of the key that last requested the list; '' without a request, or if the key is not among the working ones. */
  keyName: string
  /** Instant at which the gate acknowledged the newest list that it has; null until it acknowledges one. */
  takenAt: Instant | null
  /** Instant at which the gate's epoch began; acknowledgements from before do not count. */
  since: Instant
  /** Newest version of the list less the one that the gate has acknowledged; 0 when the gate is up to date. */
  behind: number
}

interface GateKey {
  id: string
  name: string
}

/** Returns the gate of a facility as its setup page shows it. */
export async function loadGateSetupPage(
  services: Pick<Services, 'db' | 'clock'>,
  facility: { location_code: string; state: string },
): Promise<GateSetupPage> {
  const gate = await loadGate(services.db.read, facility.location_code)
  const keys = await loadGateKeys(services, facility)
  return {
    keys,
    gate: gate && {
      kind: gate.kind,
      week: gate.week,
      heardAt: gate.heard_at,
      keyName: keys.find(({ id }) => id === gate.heard_by)?.name ?? '',
      takenAt: gate.applied_at,
      since: gate.epoch_at,
      behind: gate.version - gate.applied_version,
    },
  }
}

/** Returns the working keys with the role 'gate' whose scope includes the facility. */
async function loadGateKeys(
  services: Pick<Services, 'db' | 'clock'>,
  facility: { location_code: string; state: string },
): Promise<GateKey[]> {
  const isForFacility = ({ scopes }: MachineKey) =>
    scopes.some(
      (scope) =>
        'all' in scope ||
        ('state' in scope ? scope.state === facility.state : scope.facility === facility.location_code),
    )
  return (await loadMachineKeys(services, services.db.read))
    .filter((key) => key.role === 'gate' && key.state === 'working' && isForFacility(key))
    .map((key) => ({ id: key.keyId, name: key.name }))
}
