// Written by `npm run catalogue`.
import * as migration001 from './001-first-schema.ts'
import * as migration002 from './002-machine-keys.ts'
import * as migration003 from './003-gates.ts'
import * as migration004 from './004-facility-trust.ts'
import * as migration005 from './005-gate-acknowledgement.ts'
import * as migration006 from './006-gate-events.ts'
import * as migration007 from './007-retired-with.ts'

export const migrations = {
  '001-first-schema': migration001,
  '002-machine-keys': migration002,
  '003-gates': migration003,
  '004-facility-trust': migration004,
  '005-gate-acknowledgement': migration005,
  '006-gate-events': migration006,
  '007-retired-with': migration007,
}
