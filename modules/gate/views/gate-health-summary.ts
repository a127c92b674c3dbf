import type { Services } from '../../../platform/operations/services.ts'
import { loadGateHealth } from '../watch-gates.ts'

/** State of the connected gates in one line; `bad` when staff should look at a gate. */
export interface GateHealthRow {
  label: string
  value: string
  bad: boolean
}

/** Returns the state of the gates that are connected at these facilities; null if none is. */
export async function loadGateHealthRow(
  services: Pick<Services, 'db' | 'clock'>,
  codes: 'all' | readonly string[],
): Promise<GateHealthRow | null> {
  const { connected, silent, late, lateHours, refused } = await loadGateHealth(services, codes)
  if (connected === 0) return null
  const formatCodeCount = (count: number) => (count === 0 ? '' : `${count} ${count === 1 ? 'code' : 'codes'}`)
  const hours = lateHours === 0 ? '' : connected === 1 ? 'hours' : `hours of ${lateHours}`
  const notTaken = [formatCodeCount(late), hours].filter(Boolean).join(' and ')
  const value = [
    silent === 0 ? `${connected === 1 ? 'heard' : `all ${connected} heard`}` : `${silent} of ${connected} silent`,
    notTaken && `${notTaken} not taken`,
    formatCodeCount(refused) && `${formatCodeCount(refused)} refused`,
  ]
    .filter(Boolean)
    .join(', ')
  return { label: connected === 1 ? 'Gate' : 'Gates', value, bad: silent + late + lateHours + refused > 0 }
}
