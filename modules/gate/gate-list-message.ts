/** Builds the message with a gate's list, which is the same for gates that pull it and gates that it is pushed to. */
import * as v from 'valibot'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { GateNews } from './answer-gate-list-pull.ts'

/** Schema of the message with a gate's list. */
export const gateAnswerSchema = v.object({
  facility: v.string(),
  epoch: v.string(),
  version: v.number(),
  now: v.string(),
  zone: v.string(),
  /** Seconds until the gate asks again; 0 in a list that the site sends by itself. */
  poll_s: v.number(),
  /**
   * Hours of the codes with `hours: 'week'`, Monday first; null for a day on which these codes do not open the gate, and
   * for each day if no hours were confirmed.
   */
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
  /** Remote openings that the gate has not answered and that have not lapsed. */
  open: v.array(v.object({ id: v.string(), point: v.string(), within_s: v.number() })),
})

export type GateAnswer = v.InferOutput<typeof gateAnswerSchema>

export const gateAnswerExample: GateAnswer = {
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

export const gateAnswer = (facility: string, { list, commands, pollSeconds }: GateNews, now: Instant): GateAnswer => ({
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
  codes: list.codes.map((code) => ({
    id: code.codeId,
    code: code.code,
    opens: code.opens,
    hours: code.hours === '24-hour' ? 'any' : 'week',
    units: [...code.units],
  })),
  open: commands.map((command) => ({
    id: command.id,
    point: command.point,
    within_s: Math.ceil((command.lapsesAt - now) / 1000),
  })),
})
