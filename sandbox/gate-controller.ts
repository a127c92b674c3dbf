/**
 * A simulated gate controller: pulls its list of codes from the site, opens by that list, and reports events. Shares no
 * code with the site, so that a misunderstanding of the protocol cannot go unnoticed on both sides.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock-and-random.ts'
import type { GateFault } from './faults.ts'

/** A gate's list of codes and hours as the site sends it to the controller; see docs/running/gates.md. */
export interface GateList {
  facility: string
  epoch: string
  version: number
  zone: string
  poll_s: number
  week: ([from: string, to: string] | null)[]
  codes: ListedCode[]
}

interface ListedCode {
  id: string
  code: string
  opens: boolean
  hours: 'week' | 'any'
  units: string[]
}

interface Command {
  id: string
  point: string
  within_s: number
}

interface GateEvent {
  id: string
  at: string
  point: string
  what: 'opened' | 'refused'
  code_id: string
  command: string
  why: string
}

/** State of a simulated gate controller that survives a restart of the sandbox. */
export interface StoredGate {
  list: GateList | null
  waiting: GateEvent[]
  /** Ids of listed codes that this controller cannot store; absent in files of earlier versions. */
  refused?: string[]
  /** Whether the site has yet to hear of a change of `refused`. */
  refusedIsNew?: boolean
  /** Ids of the remote openings in the last list, so that none is carried out again when a list repeats it. */
  done?: string[]
  /** Time of the site's first refusal of the key, in epoch milliseconds; null while the site accepts the key. */
  keyRefusedSince?: number | null
}

/** Last display of a simulated gate's keypad. */
export interface KeypadDisplay {
  at: number
  opened: boolean
  text: string
}

export interface GateParts {
  code: string
  name: string
  phone: string
  site: string
  key: string
  clock: Clock
  closing: AbortSignal
  stored: StoredGate
  /** Stores the state that a restart needs. */
  save(): void
  /** Returns the fault that was set for this contact, if any. */
  fault(): GateFault | null
}

/** Time in milliseconds for which a tester disconnects the controller. */
export const OFFLINE_MS = 72 * 3_600_000
/** Time in milliseconds after which a controller whose key is refused opens nothing. */
const KEY_REFUSED_MAX_MS = 72 * 3_600_000
/**
 * Pause in milliseconds before the next contact after a missing or lost response, or after a 503 that names no pause;
 * also the delay of a contact with the fault 'slow'.
 */
const RETRY_MS = 5000
/** Pause in milliseconds after a refusal other than 503 that names no pause, as when no gate is connected. */
const UNCONNECTED_MS = 15_000
/** Timeout of a request to the site, in milliseconds. */
const CALL_MS = 10_000
/** Maximum number of events that the gate controller sends in one request. */
const EVENTS_PER_CALL = 500

const problems: Record<number, string> = {
  401: 'the site does not take this key',
  403: 'this key is not for gates',
  404: 'no gate is connected here: see Setup, Gate',
  429: 'asks too often',
  503: 'the site waits',
}

/** HTTP statuses by which the site refuses the key for this gate. */
const KEY_REFUSED = [401, 403, 404]

export class GateController {
  readonly code: string
  readonly name: string
  readonly phone: string
  readonly #parts: GateParts
  /**
   * Time of the last `contact` whose response had status 200 or 304 and was not lost, in epoch milliseconds; null before
   * the first.
   */
  heardAt: number | null = null
  /** Why the last contact failed; '' if it succeeded. */
  problem = 'not asked yet'
  display: KeypadDisplay | null = null
  /** The site's newest list, for the tester: also one that the controller has lost, or that the tester requested. */
  newestSiteList: { list: GateList; at: number } | null = null
  /** Whether the controller ignores the site's responses, as if the network had lost them. */
  losesAnswers = false
  /** Whether the controller sends each event again at the next contact. */
  repeatsEvents = false
  /** Whether the controller refuses to store the next code that is new in the list. */
  refusesNext = false
  #awayUntil = 0
  #sentBefore: GateEvent[] = []

  constructor(parts: GateParts) {
    this.#parts = parts
    this.code = parts.code
    this.name = parts.name
    this.phone = parts.phone
  }

  get list(): GateList | null {
    return this.#parts.stored.list
  }

  get etag(): string {
    return this.list ? `${this.list.epoch}-${this.list.version}` : ''
  }

  get isAway(): boolean {
    return this.#awayUntil > this.#parts.clock.now()
  }

  /** Whether this controller opens nothing, because the site has refused its key for 72 hours. */
  get isShut(): boolean {
    const { clock, stored } = this.#parts
    return clock.now() - (stored.keyRefusedSince ?? clock.now()) >= KEY_REFUSED_MAX_MS
  }

  get waiting(): number {
    return this.#parts.stored.waiting.length
  }

  /** Disconnects the controller for 72 hours, or connects it again. */
  goAway(away: boolean): void {
    this.#awayUntil = away ? this.#parts.clock.now() + OFFLINE_MS : 0
  }

  get refused(): readonly string[] {
    return this.#parts.stored.refused ?? []
  }

  /** Makes the controller refuse the next new code; if it already does or has refused one, makes it accept all codes. */
  refuseNext(): void {
    this.refusesNext = !this.refusesNext && this.refused.length === 0
    this.#setRefused([])
  }

  #setRefused(ids: string[]): void {
    if (ids.join() === this.refused.join()) return
    this.#parts.stored.refused = ids
    this.#parts.stored.refusedIsNew = true
    this.#parts.save()
  }

  /** Polls the site until the sandbox closes. */
  async run(): Promise<void> {
    const { closing } = this.#parts
    while (!closing.aborted) {
      const pause = await this.contact().catch(() => RETRY_MS)
      await delay(pause, undefined, { signal: closing }).catch(() => {})
    }
  }

  /**
   * Contacts the site once, as a gate controller does: requests the list of gate codes and sends the waiting events.
   * @returns milliseconds until the next contact
   */
  async contact(): Promise<number> {
    const fault = this.#parts.fault()
    if (this.isAway || fault === 'down') return 1000
    if (fault === 'slow') await delay(RETRY_MS, undefined, { signal: this.#parts.closing }).catch(() => {})
    const response = await this.#call('state', { headers: this.list ? { 'if-none-match': `"${this.etag}"` } : {} })
    if (!response) return RETRY_MS
    if (this.losesAnswers || fault === 'lost') {
      await this.#recordSiteList(response)
      this.problem = 'the answer was lost'
      return RETRY_MS
    }
    this.#recordKeyRefusal(response.status)
    if (response.status !== 200 && response.status !== 304) {
      this.problem = problems[response.status] ?? `answer ${response.status}`
      const retryAfter = Number(response.headers.get('retry-after')) * 1000
      return retryAfter || (response.status === 503 ? RETRY_MS : UNCONNECTED_MS)
    }
    this.problem = ''
    this.heardAt = this.#parts.clock.now()
    const newList = await this.#recordSiteList(response)
    if (newList) this.#receive(newList)
    await this.#reportEvents(fault === 'repeat')
    return (this.list?.poll_s ?? 2) * 1000
  }

  /**
   * Requests the site's list to show it to the tester; the controller does not use it. The site counts this as a contact
   * of the gate.
   */
  async requestSiteList(): Promise<void> {
    const response = await this.#call('state', { headers: {} })
    if (response) await this.#recordSiteList(response)
  }

  /** Records the site's list for the tester. @returns the list; null if the response contains none */
  async #recordSiteList(response: Response): Promise<(GateList & { open: Command[] }) | null> {
    const at = this.#parts.clock.now()
    if (response.status === 304 && this.list) this.newestSiteList = { list: this.list, at }
    if (response.status !== 200) return null
    const list = (await response.json()) as GateList & { open: Command[] }
    this.newestSiteList = { list, at }
    return list
  }

  /** Stores since when the site has refused the key; only a response with status 200 or 304 ends the refusal. */
  #recordKeyRefusal(status: number): void {
    const { stored, clock, save } = this.#parts
    const before = stored.keyRefusedSince ?? null
    if (status === 200 || status === 304) stored.keyRefusedSince = null
    else if (KEY_REFUSED.includes(status)) stored.keyRefusedSince = before ?? clock.now()
    if ((stored.keyRefusedSince ?? null) !== before) save()
  }

  /**
   * Stores a list, unless it is older than the stored one of the same epoch, and executes each of its commands once.
   */
  #receive({ open, ...list }: GateList & { open: Command[] }): void {
    const isOlder = this.list?.epoch === list.epoch && list.version < this.list.version
    if (!isOlder) {
      const knownIds = new Set(this.list?.codes.map(({ id }) => id))
      const added = this.refusesNext && this.list ? list.codes.find(({ id }) => !knownIds.has(id)) : undefined
      if (added) this.refusesNext = false
      this.#setRefused(list.codes.flatMap(({ id }) => (id === added?.id || this.refused.includes(id) ? [id] : [])))
      // With a new epoch, the site may have lost or cleared what it knew of refused codes.
      if (this.list?.epoch !== list.epoch && this.refused.length > 0) this.#parts.stored.refusedIsNew = true
      this.#parts.stored.list = list
    }
    const doneIds = new Set(this.#parts.stored.done)
    // The ids are stored before the gate opens, so that a process killed in between does not open it again.
    this.#parts.stored.done = open.map(({ id }) => id)
    for (const { id, point } of open.filter((command) => !doneIds.has(command.id))) {
      this.#recordEvent({ what: 'opened', point, command: id })
      this.display = { at: this.#parts.clock.now(), opened: true, text: 'Open. The office has opened the gate.' }
    }
    this.#parts.save()
  }

  /** Enters digits at the keypad. Only a code that the controller has stored causes an event; other digits are never sent. */
  type(digits: string): KeypadDisplay {
    const now = this.#parts.clock.now()
    const entry = this.list?.codes.find(({ code, id }) => code === digits && !this.refused.includes(id))
    const { why, text } = this.#decide(entry, now)
    const opened = why === ''
    if (entry) this.#recordEvent({ what: opened ? 'opened' : 'refused', code_id: entry.id, why })
    this.display = { at: now, opened, text }
    return this.display
  }

  /** Decides whether a code opens the gate. @returns why the gate stays shut ('' if it opens), and the keypad's text */
  #decide(entry: ListedCode | undefined, now: number): { why: string; text: string } {
    const call = `Not accepted. Please call ${this.phone}.`
    if (this.isShut) return { why: 'the key is refused', text: call }
    if (!entry?.opens) return { why: 'closed', text: call }
    const opensAt = entry.hours === 'week' ? this.#opensAt(now) : null
    if (opensAt !== null) return { why: 'hours', text: opensAt }
    const units = `${entry.units.length === 1 ? 'Unit' : 'Units'} ${entry.units.join(', ')}.`
    return { why: '', text: entry.units.length === 0 ? 'Open.' : `Open. ${units}` }
  }

  /** Returns the display text with the next opening time, 'Closed.' if the week has none; null during the gate's hours. */
  #opensAt(now: number): string | null {
    const list = this.list
    if (!list) return null
    const { day, minute } = localTime(list.zone, now)
    for (let ahead = 0; ahead < 8; ahead++) {
      const span = list.week[(day + ahead) % 7]
      if (!span) continue
      const from = minutesOf(span[0])
      const to = minutesOf(span[1])
      if (ahead === 0 && minute >= from && minute < to) return null
      if (ahead > 0 || minute < from)
        return `Opens ${ahead === 0 ? '' : `${dayNames[(day + ahead) % 7]} `}at ${hourText(from)}.`
    }
    return 'Closed.'
  }

  #recordEvent(event: Partial<GateEvent> & Pick<GateEvent, 'what'>): void {
    this.#parts.stored.waiting.push({
      id: randomUUID(),
      at: new Date(this.#parts.clock.now()).toISOString(),
      point: 'main',
      code_id: '',
      command: '',
      why: '',
      ...event,
    })
    this.#parts.save()
  }

  /**
   * Reports gate events to the site, and the ids of all refused codes if these have changed. Does nothing if there is
   * neither. What the site has not confirmed is reported again at the next contact.
   * @param again whether to repeat the events that the previous report sent
   */
  async #reportEvents(again: boolean): Promise<void> {
    const { stored } = this.#parts
    const repeated = this.repeatsEvents || again ? this.#sentBefore : []
    const events = [...repeated, ...stored.waiting].slice(0, EVENTS_PER_CALL)
    const refused = stored.refusedIsNew ? this.refused.map((id) => ({ id, why: 'no room left' })) : undefined
    if (events.length === 0 && !refused) return
    const response = await this.#call('events', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events, refused }),
    })
    if (!response?.ok || this.losesAnswers) return
    if (refused) stored.refusedIsNew = false
    const { unread } = (await response.json()) as { unread: { place: number }[] }
    const unreadIds = new Set(unread.map(({ place }) => events[place]?.id))
    const sent = new Set(events.map(({ id }) => id).filter((id) => !unreadIds.has(id)))
    this.#sentBefore = stored.waiting.filter(({ id }) => sent.has(id))
    const at = new Date(this.#parts.clock.now()).toISOString()
    // The site rejects this controller's events only for their time, so they get the present time and are sent again.
    stored.waiting = stored.waiting
      .filter(({ id }) => !sent.has(id))
      .map((event) => (unreadIds.has(event.id) ? { ...event, at } : event))
    this.#parts.save()
  }

  async #call(
    endpoint: 'state' | 'events',
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<Response | null> {
    const { site, key, code, closing } = this.#parts
    try {
      return await fetch(`${site}/api/gate/${code}/${endpoint}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
        redirect: 'error',
        signal: AbortSignal.any([closing, AbortSignal.timeout(CALL_MS)]),
      })
    } catch {
      this.problem = 'the site does not answer'
      return null
    }
  }
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

const hourText = (minutes: number): string => {
  const hour = Math.floor(minutes / 60)
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `${hour % 12 || 12}${rest} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

/** Returns the weekday (0 for Monday) and the minutes since midnight in a time zone. */
function localTime(zone: string, now: number): { day: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const partValue = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return {
    day: dayNames.indexOf(partValue('weekday')),
    minute: Number(partValue('hour')) * 60 + Number(partValue('minute')),
  }
}
