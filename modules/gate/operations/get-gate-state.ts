import * as v from 'valibot'
import type { Instant } from '../../../domain/dates.ts'
import { keyAt } from '../../../platform/operations/callers.ts'
import { locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { flatFile } from '../flat-file.ts'
import { type ConnectedGate, contactGate } from '../gate-contact.ts'
import { booksHeld, noGate } from '../gate-refusals.ts'

const state = v.object({
  facility: v.string(),
  epoch: v.string(),
  version: v.number(),
  now: v.string(),
  zone: v.string(),
  /** Seconds until the gate asks again. */
  poll_s: v.number(),
  /** Hours of the codes that are for the week, Monday first; null: shut that day. */
  week: v.array(v.nullable(v.tuple([v.string(), v.string()]))),
  codes: v.array(
    v.object({
      id: v.string(),
      code: v.string(),
      opens: v.boolean(),
      hours: v.picklist(['week', 'any']),
      units: v.array(v.string()),
    }),
  ),
  /** Openings from afar that the gate has not answered. */
  open: v.array(v.object({ id: v.string(), point: v.string(), within_s: v.number() })),
})

export type GateState = v.InferOutput<typeof state>

export const gateStateExample: GateState = {
  facility: 'ATL01',
  epoch: 'e3',
  version: 42,
  now: '2026-11-20T17:00:00.000Z',
  zone: 'America/New_York',
  poll_s: 2,
  week: Array.from({ length: 7 }, () => ['05:00', '21:00']),
  codes: [
    { id: 'c7d0a1b2c3d4', code: '857877', opens: true, hours: 'week', units: ['318'] },
    { id: 'b1e0a1b2c3d4', code: '739104', opens: false, hours: 'any', units: ['322'] },
  ],
  open: [{ id: 'o91', point: 'main', within_s: 30 }],
}

const stateOf = (facility: string, { list, commands, pollSeconds }: ConnectedGate, now: Instant): GateState => ({
  facility,
  epoch: list.epoch,
  version: list.version,
  now: new Date(now).toISOString(),
  zone: list.zone,
  poll_s: pollSeconds,
  week: Array.from({ length: 7 }, (_, day) => {
    const span = list.week?.[day]
    return span ? [span[0], span[1]] : null
  }),
  codes: list.codes.map((one) => ({
    id: one.codeId,
    code: one.code,
    opens: one.opens,
    hours: one.hours === '24-hour' ? 'any' : 'week',
    units: [...one.units],
  })),
  open: commands.map((one) => ({
    id: one.id,
    point: one.point,
    within_s: Math.ceil((one.lapsesAt - now) / 1000),
  })),
})

export const getGateState = operation({
  name: 'GET /api/gate/{facility}/state',
  summary:
    'What the gate of a facility opens. `If-None-Match` names the list in force at the keypad, which acknowledges it. A lower version of the same epoch is ignored, another epoch replaces everything, a code that is not listed does not open. `format=flat` answers a text of 236 columns a unit, as StorMan writes it, for bridges of older controllers: time zone 01 is for gate hours, 02 for any hour; status 0 vacant, 1 rented, 2 refused.',
  access: { machine: keyAt('gate') },
  conditional: true,
  textType: 'text/plain',
  input: v.object({
    facility: locationCode(),
    format: v.optional(v.picklist(['json', 'flat'], 'must be json or flat'), 'json'),
    if_none_match: optional(80),
  }),
  output: v.union([state, v.string()]),
  writes: false,
  example: { input: { facility: 'ATL01', if_none_match: '"e3-41"' }, output: gateStateExample },
  async run(services, input, { machine }) {
    if (await services.held?.()) return booksHeld
    const contact = await contactGate(services, input.facility, input.if_none_match, machine?.keyId ?? '')
    if (!contact) return noGate
    const version = { etag: contact.etag, known: contact.known }
    const value =
      input.format === 'flat'
        ? await flatFile(services, input.facility, contact.list, machine?.pii === true)
        : stateOf(input.facility, contact, services.clock.now())
    return { ok: true, value, version }
  },
})
