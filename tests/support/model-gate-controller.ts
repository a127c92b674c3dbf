/** A model of a gate controller, which stores the list that it receives, and hours and instants for tests of its door. */
import { type GateWeek, isInGateHours } from '../../modules/gate/rules/gate-hours.ts'

export interface ControllerList {
  epoch: string
  version: number
  zone: string
  week: GateWeek
  codes: readonly { id: string; code: string; opens: boolean; hours: 'week' | 'any' }[]
}

/** Gate hours that differ by weekday: shorter on Saturday, closed on Sunday. */
export const unevenWeek: GateWeek = Array.from({ length: 7 }, (_, day) =>
  day === 6 ? null : day === 5 ? (['08:00', '18:00'] as const) : (['05:00', '21:00'] as const),
)

/**
 * Times, in epoch milliseconds, at which tests compare the model's door with the site's records. For most of these
 * times the time zone, minute, weekday or season decides whether `unevenWeek` is open.
 */
export const tellingInstants: readonly number[] = [
  '2026-11-20T17:00:00Z',
  '2026-11-20T10:30:00Z',
  '2026-11-21T02:30:00Z',
  '2026-11-22T00:30:00Z',
  '2026-11-23T07:00:00Z',
  '2026-11-23T11:30:00Z',
  '2026-07-20T09:30:00Z',
].map((text) => Date.parse(text))

export class ModelController {
  #list: ControllerList | null = null
  /** Result of the last computation: whether the week of `list` is open at each of `instants`. */
  #hours: { list: ControllerList; instants: readonly number[]; open: boolean[] } | null = null

  /** Stores a response's list, unless it is an older version of the same epoch. */
  receive(list: ControllerList): void {
    const current = this.#list
    if (current && current.epoch === list.epoch && list.version < current.version) return
    this.#list = list
  }

  /** Returns the value of `If-None-Match` that acknowledges the list in force; '' before the first list. */
  get etag(): string {
    return this.#list ? `"${this.#list.epoch}-${this.#list.version}"` : ''
  }

  /** Returns whether the door opens for the digits, on a weekday (0 for Monday) and minute of the day, in local time. */
  opens(code: string, weekday: number, minute: number): boolean {
    const list = this.#list
    const found = list?.codes.find((entry) => entry.code === code)
    if (!list || !found?.opens) return false
    return found.hours === 'any' || isInGateHours(list.week, weekday, minute)
  }

  /**
   * Returns the digits for which the door opens and must not by the site's records, or the reverse, on a weekday and
   * minute as in `opens`. Digits that the records no longer know must not open.
   */
  findDifferingCodes(records: readonly { code: string; opens: boolean }[], weekday: number, minute: number): string[] {
    const mustOpen = new Set(records.filter(({ opens }) => opens).map(({ code }) => code))
    const codes = new Set([...records, ...(this.#list?.codes ?? [])].map(({ code }) => code))
    return [...codes].filter((code) => this.opens(code, weekday, minute) !== mustOpen.has(code))
  }

  /** Returns whether the door opens for the digits at each instant, by the clock of the list's time zone. */
  opensAt(code: string, instants: readonly number[]): boolean[] {
    const list = this.#list
    const found = list?.codes.find((entry) => entry.code === code)
    if (!list || !found?.opens) return instants.map(() => false)
    return found.hours === 'any' ? instants.map(() => true) : this.#inHours(list, instants)
  }

  #inHours(list: ControllerList, instants: readonly number[]): boolean[] {
    if (this.#hours?.list !== list || this.#hours.instants !== instants) {
      const open = instants.map((instant) => {
        const { weekday, minute } = localTime(list.zone, instant)
        return isInGateHours(list.week, weekday, minute)
      })
      this.#hours = { list, instants, open }
    }
    return this.#hours.open
  }
}

interface LocalTime {
  weekday: number
  minute: number
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const localTimes = new Map<string, Map<number, LocalTime>>()

/** Returns the local time of an instant by the runtime's own calendar, independently of the product's computation. */
function localTime(zone: string, instant: number): LocalTime {
  const zoneTimes = localTimes.get(zone) ?? new Map<number, LocalTime>()
  localTimes.set(zone, zoneTimes)
  const found = zoneTimes.get(instant)
  if (found) return found
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const time = { weekday: days.indexOf(parts.weekday ?? ''), minute: Number(parts.hour) * 60 + Number(parts.minute) }
  zoneTimes.set(instant, time)
  return time
}
