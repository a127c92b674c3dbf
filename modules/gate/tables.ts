import type { Instant } from '../../domain/dates.ts'
import type { TableCards } from '../../platform/schema/card.ts'
import type { Flag } from '../../platform/schema/columns.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    gate_codes: {
      active: Flag
    }
    /** What the office says of a gate until a day, beside what the books say. */
    gate_overrides: {
      /** null: the tenant's code as a whole. */
      lease_number: number | null
      /** 'suspended': the code opens nothing; 'lifted': the lease's overlock does not count. */
      kind: 'suspended' | 'lifted'
      /** Ended earlier than it says. */
      ended_at: Instant | null
    }
    /** What was seen at the door; `leases.overlocked` is what the books say. */
    locks_seen: {
      state: 'on' | 'off'
    }
  }
}

export const gateCards: TableCards = {
  gate_codes: {
    file: 'gate-codes',
    name: 'Gate codes',
    rows: 'tenant',
    erasure: 'rows',
    shown: ['gate_code', 'lease_number', 'time_zone_name', 'active', 'created_at'],
    hidden: ['location_code', 'tenant_id'],
  },
  gate_overrides: {
    file: 'gate-overrides',
    name: 'Gate: suspended or lifted',
    rows: 'tenant',
    by: 'override_id',
    erasure: 'rows',
    shown: ['lease_number', 'kind', 'holds_until', 'reason', 'created_at', 'ended_at'],
    hidden: ['override_id', 'location_code', 'tenant_id', 'staff_id'],
  },
  locks_seen: {
    file: 'locks',
    name: 'Locks seen at the door',
    rows: 'leases',
    by: 'lease_number',
    erasure: 'rows',
    shown: ['lease_number', 'unit_number', 'state', 'note', 'seen_at'],
    hidden: ['location_code', 'staff_id'],
  },
}
