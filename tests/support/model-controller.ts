/** A gate controller as the protocol describes it: it holds one list, and knows nothing of how the list came to be. */
import { type GateWeek, isInGateHours } from '../../modules/gate/rules/gate-hours.ts'

export interface ControllerList {
  epoch: string
  version: number
  week: GateWeek
  codes: readonly { id: string; code: string; opens: boolean; hours: 'week' | 'any' }[]
}

export class ModelController {
  #list: ControllerList | null = null

  /** Takes an answer in, unless it is an older one of the same epoch. */
  receive(list: ControllerList): void {
    const known = this.#list
    if (known && known.epoch === list.epoch && list.version < known.version) return
    this.#list = list
  }

  /** Returns what acknowledges the list in force: the value of `If-None-Match`; '' before the first list. */
  get etag(): string {
    return this.#list ? `"${this.#list.epoch}-${this.#list.version}"` : ''
  }

  /** Returns whether the door opens for the digits, on a weekday (0 for Monday) and minute. */
  opens(code: string, weekday: number, minute: number): boolean {
    const list = this.#list
    const found = list?.codes.find((one) => one.code === code)
    if (!list || !found?.opens) return false
    return found.hours === 'any' || isInGateHours(list.week, weekday, minute)
  }
}
