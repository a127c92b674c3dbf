import * as firstSchema from './001-first-schema.ts'
import * as machineKeys from './002-machine-keys.ts'
import * as gates from './003-gates.ts'
import * as facilityTrust from './004-facility-trust.ts'
import * as gateAcknowledgement from './005-gate-acknowledgement.ts'
import * as gateEvents from './006-gate-events.ts'
import type { TableChange } from './create-table.ts'

/** All migrations, each applied once, in the order of their names. A released migration never changes. */
export const migrations: Record<string, TableChange> = {
  '001-first-schema': firstSchema,
  '002-machine-keys': machineKeys,
  '003-gates': gates,
  '004-facility-trust': facilityTrust,
  '005-gate-acknowledgement': gateAcknowledgement,
  '006-gate-events': gateEvents,
}
