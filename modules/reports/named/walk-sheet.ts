import { loadCurrentUnits } from '../../leases/views/facility-unit-list.ts'
import type { ListReport } from '../internal/list-report.ts'

const stateNames: Record<string, string> = {
  free: 'Empty',
  held: 'Held',
  rented: 'Rented',
  overlocked: 'Overlocked',
  'to verify': 'To verify',
  'out of service': 'Out of service',
}

/** Sheet for a walk through the facility: the expected state of each unit, with room for notes. It names no tenant. */
export const walkSheet: ListReport = {
  title: 'Walk sheet',
  about: 'Units in walking order, with a box for what was seen. To print.',
  period: 'now',
  group: 'People and work',
  alternativePermission: 'lock.set',
  columns: [
    { key: 'unit', label: 'Unit', as: 'text' },
    { key: 'floor', label: 'Floor', as: 'text' },
    { key: 'state', label: 'Should be', as: 'text' },
    { key: 'lock', label: 'Our lock', as: 'text' },
    { key: 'seen', label: 'Seen', as: 'text' },
  ],
  async rows(services, place) {
    const units = await loadCurrentUnits(services, place.code)
    return units.map(({ unitId, unitNumber, floor, state, lockOn }) => ({
      row: {
        unit: unitNumber,
        floor: String(floor),
        state: stateNames[state] ?? state,
        lock: lockOn ? 'On' : '',
        seen: '',
      },
      // Field staff may open every unit, but only the tenants of their own tasks.
      link: `/office/units/${place.code}/${unitId}`,
    }))
  },
  sums: [
    { key: 'units', label: 'Units', as: 'count', cell: (state) => state.units },
    { key: 'locked', label: 'Overlocked', as: 'count', cell: (state) => state.leases_overlocked },
  ],
  printed: true,
}
