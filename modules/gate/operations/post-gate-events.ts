import * as v from 'valibot'
import { machineKeysOnly } from '../../../platform/operations/callers.ts'
import { locationCode, readByOperation } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { GATE_EVENTS_MAX, gateEventInput, refusedCodeInput, storeGateEvents } from '../gate-events.ts'
import { gateNotFound } from '../internal/no-connected-gate-refusal.ts'
import { loadGate } from '../load-and-lock-facility-gate.ts'
import { gateEventKinds } from '../rules/gate-access.ts'
import { storeCodesRefusedByController } from '../store-codes-refused-by-controller.ts'

export const postGateEvents = operation({
  name: 'POST /api/gate/{facility}/events',
  summary: `What happened at the gate of a facility: ${gateEventKinds.join(', ')}. An event is known by its id, so a call may be repeated. One that cannot be read is named by its place, and the others are taken. At most ${GATE_EVENTS_MAX} events or 256 kB a call. Digits that were mistyped are never sent. \`refused\` names all codes of the list that the gate cannot store, and is empty once it can store each; left out, it says nothing of them.`,
  access: machineKeysOnly,
  input: v.object({
    facility: locationCode(),
    events: v.pipe(
      v.array(readByOperation(gateEventInput)),
      v.maxLength(GATE_EVENTS_MAX, `must be at most ${GATE_EVENTS_MAX} events`),
    ),
    /** All codes of the list that the gate cannot store; undefined if the gate does not report them. */
    refused: v.optional(v.array(refusedCodeInput)),
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
      refused: [{ id: 'b1e0a1b2c3d4', why: 'no room' }],
    },
    output: { taken: 1, known: 0, unread: [] },
  },
  async run(services, { facility, events, refused }) {
    const gate = await loadGate(services.db.read, facility)
    if (!gate || gate.kind === 'none') return gateNotFound
    if (refused)
      await services.db.transaction((tx) =>
        storeCodesRefusedByController(tx, services, { locationCode: facility }, refused),
      )
    return succeed(await storeGateEvents(services, facility, events))
  },
})
