import type { Instant } from '../../domain/dates.ts'
import type { GateEventKind, GateKind } from '../../domain/gate.ts'
import { machinery, noPerson, type TableCards } from '../../platform/schema/card.ts'
import type { Flag } from '../../platform/schema/columns.ts'
import type { Json, Sealed } from '../../platform/schema/text-columns.ts'
import { gateSettingsContext } from './gate-settings.ts'

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
    /** What is connected at a facility's gate; no row is 'not said yet'. */
    gates: {
      kind: GateKind
      /** `GatePushSettings` of ports/gate/gate.ts, JSON. */
      settings_sealed: Sealed | null
      /** `GateWeek` of domain/gate.ts, JSON; '' until it was confirmed. */
      week: string
      /** Names the life of this database: another one after a restore. */
      epoch: string
      /** Newest version of this epoch that the gate has acknowledged. */
      applied_version: number
    }
    /** What the gate should open, and in which version each code came to be so. */
    gate_wanted: {
      opens: Flag
      hours: 'standard' | '24-hour'
      /** Unit numbers, JSON. */
      units: Json
      /** No longer in the list; kept for events that come late. */
      gone: Flag
      /** Why the gate does not take the code; null where it does. */
      refused: string | null
      /** Since when its tenant reads that the gate has not taken the code; null where it has, or may still. */
      late_at: Instant | null
    }
    gate_events: {
      what: GateEventKind
      /** What the controller said of it. */
      why: string
    }
    gate_commands: {
      /** '' until the gate has answered. */
      answer: '' | GateEventKind
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
  gates: {
    ...noPerson('What is connected at a gate: no person.'),
    sealed: { settings_sealed: { context: (of) => gateSettingsContext(of.location_code) } },
  },
  gate_wanted: {
    file: 'gate-list',
    name: 'What the gate takes',
    rows: 'tenant',
    by: 'code_id',
    erasure: 'rows',
    shown: ['gate_code', 'opens', 'hours', 'units', 'changed_at', 'gone', 'refused'],
    hidden: ['location_code', 'tenant_id', 'code_id', 'version', 'remote_id', 'remote_version', 'late_at'],
  },
  gate_marks: machinery,
  gate_events: {
    file: 'gate-events',
    name: 'What happened at the gate',
    rows: 'tenant',
    by: 'event_id',
    erasure: 'rows',
    shown: ['at', 'received_at', 'point', 'what', 'why'],
    hidden: ['location_code', 'event_id', 'tenant_id', 'code_id', 'command_id'],
  },
  gate_commands: noPerson('When the office opened a gate remotely: it names no tenant.'),
}
