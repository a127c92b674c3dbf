import * as v from 'valibot'
import { machineKeysOnly } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { GATE_EVENTS_MAX, storeGateEvents } from '../gate-events.ts'
import { gateNotFound, restoreHeld } from '../gate-refusals.ts'
import { loadGate } from '../gates.ts'
import { gateEventKinds } from '../rules/gate-access.ts'

export const postGateEvents = operation({
  name: 'POST /api/gate/{facility}/events',
  summary: `What happened at the gate of a facility: ${gateEventKinds.join(', ')}. An event is known by its id, so a call may be repeated. One that cannot be read is named by its place, and the others are taken. At most ${GATE_EVENTS_MAX} events or 256 kB a call. Digits that were mistyped are never sent.`,
  access: machineKeysOnly,
  input: v.object({
    facility: locationCode(),
    events: v.pipe(v.array(v.unknown()), v.maxLength(GATE_EVENTS_MAX, `must be at most ${GATE_EVENTS_MAX} events`)),
  }),
  output: v.object({
    taken: v.number(),
    known: v.number(),
    unread: v.array(v.object({ place: v.number(), why: v.string() })),
  }),
  writes: true,
  example: {
    input: {
      facility: 'ATL01',
      events: [
        {
          id: 'k-123',
          at: '2026-11-20T16:59:58Z',
          point: 'main',
          what: 'opened',
          code_id: 'c7d0a1b2c3d4',
          command: '',
          why: '',
        },
      ],
    },
    output: { taken: 1, known: 0, unread: [] },
  },
  async run(services, { facility, events }) {
    if (await services.mayBeRestored?.()) return restoreHeld
    const gate = await loadGate(services.db.read, facility)
    if (!gate || gate.kind === 'none') return gateNotFound
    return succeed(await storeGateEvents(services, facility, events))
  },
})
