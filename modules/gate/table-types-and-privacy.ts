import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import { noPerson, type TableCards, technicalTable } from '../../platform/schema/table-privacy-card-type.ts'
import { gateSettingsContext } from './gate-settings-encryption-context.ts'
import type { GateEventKind, GateKind } from './rules/gate-access.ts'
import type { GateFormat } from './rules/json-or-flat-gate-list.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    gate_codes: {
      active: Flag
    }
    /** Overrides of the gate access that the records give, set by staff until a day. */
    gate_overrides: {
      /** null for an override of all of the tenant's codes. */
      lease_number: number | null
      /** 'suspended': the gate refuses the tenant's codes; 'lifted': the lease's overlock does not count. */
      kind: 'suspended' | 'lifted'
      /** Set if the override was ended early. */
      ended_at: Instant | null
    }
    /** Locks as staff last saw them at the door; `leases.overlocked` says whether the ledger requires an overlock. */
    locks_seen: {
      state: 'on' | 'off'
    }
    /** Connection of a facility's gate. There is no row until a kind of connection is saved. */
    gates: {
      kind: GateKind
      /** `GateSettings` of ports/gate/gate.ts, JSON. */
      settings_sealed: Sealed | null
      /** `GateWeek` of modules/gate/rules/gate-hours.ts, JSON; '' until it was confirmed. */
      week: string
      /** Identifies the period whose acknowledgements count; a restore or another controller begins a new one. */
      epoch: string
      /** When the epoch began; 0 for an epoch from before this was recorded. */
      epoch_at: Instant
      /** First recorded contact since the gate was connected; null if there was none. */
      first_heard_at: Instant | null
      /** Version that last changed the hours or the time zone. */
      week_version: number
      week_changed_at: Instant
      /**
       * Hours that the gate had acknowledged, or may have followed, before the epoch or their last change, as in `week`;
       * null for none.
       */
      applied_week: string | null
      /** Time zone that belongs to `applied_week`. */
      applied_zone: string | null
      /** Version of this epoch that the gate last acknowledged; 0 for none. */
      applied_version: number
      /** Format in which the gate last requested its list; the flat file has no remote openings. */
      heard_format: GateFormat | null
    }
    /** Codes that the gate should have, each with the version that last changed it. */
    gate_wanted: {
      opens: Flag
      hours: 'standard' | '24-hour'
      /** Unit numbers, JSON. */
      units: Json
      /**
       * By the lists before this version: 1 if the one that the gate last acknowledged, or one that it may have received
       * since, opens for the code; 0 if none of them does; null if that is not known.
       */
      applied_opens: Flag | null
      /** 1 if the code is no longer in the list; the row is kept for late events. */
      gone: Flag
      /** Reason that the gate gave for refusing the code; null without a refusal. */
      refused: string | null
      /**
       * Since when the gate refuses the code, which tells one refusal from the next; null without a refusal.
       */
      refused_at: Instant | null
      /**
       * Since when the gate is late with the code, so that a mail is due once the gate has accepted it; null while no mail
       * is due.
       */
      late_at: Instant | null
    }
    gate_events: {
      what: GateEventKind
      /** Reason given by the controller. */
      why: string
    }
    gate_commands: {
      /** '' until the gate has answered. */
      answer: '' | GateEventKind
      /** Tenant for whom staff opened the gate; null for openings before this was recorded. */
      tenant_id: number | null
    }
  }
}

export const gateCards: TableCards = {
  gate_codes: {
    file: 'gate-codes',
    name: 'Gate codes',
    rows: 'gate codes',
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
    sealed: { settings_sealed: { context: (row) => gateSettingsContext(row.location_code) } },
  },
  gate_wanted: {
    file: 'gate-list',
    name: 'What the gate takes',
    rows: 'gate codes',
    by: 'code_id',
    erasure: 'rows',
    shown: ['gate_code', 'opens', 'hours', 'units', 'changed_at', 'gone', 'refused'],
    hidden: [
      'location_code',
      'tenant_id',
      'code_id',
      'version',
      'remote_id',
      'remote_version',
      'refused_at',
      'late_at',
      'applied_opens',
    ],
  },
  gate_marks: technicalTable,
  gate_events: {
    file: 'gate-events',
    name: 'What happened at the gate',
    rows: 'tenant',
    by: 'event_id',
    erasure: 'rows',
    shown: ['at', 'received_at', 'point', 'what', 'why'],
    hidden: ['location_code', 'event_id', 'tenant_id', 'code_id', 'command_id'],
  },
  gate_commands: {
    file: 'gate-openings',
    name: 'Gate opened by the office',
    rows: 'tenant',
    by: 'command_id',
    erasure: 'rows',
    shown: ['point', 'reason', 'created_at', 'done_at', 'answer'],
    hidden: ['command_id', 'location_code', 'tenant_id', 'staff_id', 'lapses_at'],
  },
}
