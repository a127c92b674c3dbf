/** The simulated gates of the demo: one controller for each facility, and the file with their state. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock-and-random.ts'
import type { Faults } from './faults.ts'
import { GateController, type StoredGate } from './gate-controller.ts'

/** Key of the demo's gates; no secret, since it exists only in demos. */
export const SANDBOX_GATE_KEY = 'lk_demogates001_no-secret-opens-only-pretend-gates-of-demos'

/** Interval in milliseconds at which the sandbox asks the site for its facilities until the site names any. */
const FIRST_POLL_MS = 1000
/** Interval in milliseconds at which the sandbox asks for facilities that were added later. */
const POLL_MS = 60_000

interface Facility {
  location_code: string
  name: string
  phone: string
}

interface GatesParts {
  /** Origin of the site; without one there are no gates. */
  site: string | undefined
  key: string
  file: string
  clock: Clock
  faults: Faults
  closing: AbortSignal
}

export class Gates {
  readonly #parts: GatesParts
  readonly #stored: Record<string, StoredGate>
  readonly #gates = new Map<string, GateController>()

  constructor(parts: GatesParts) {
    this.#parts = parts
    this.#stored = existsSync(parts.file) ? JSON.parse(readFileSync(parts.file, 'utf8')) : {}
  }

  get all(): GateController[] {
    return [...this.#gates.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  }

  find(code: string): GateController | undefined {
    return this.#gates.get(code)
  }

  /**
   * Creates a simulated gate controller for each facility of the site, and for facilities that are added later, until
   * the sandbox closes.
   */
  async run(): Promise<void> {
    const { closing } = this.#parts
    while (this.#parts.site !== undefined && !closing.aborted) {
      const facilities = await this.#loadFacilities(this.#parts.site)
      for (const facility of facilities) if (!this.#gates.has(facility.location_code)) this.#install(facility)
      await delay(facilities.length === 0 ? FIRST_POLL_MS : POLL_MS, undefined, { signal: closing }).catch(() => {})
    }
  }

  #install({ location_code: code, name, phone }: Facility): void {
    const { site = '', key, clock, faults, closing } = this.#parts
    const stored: StoredGate = this.#stored[code] ?? { list: null, waiting: [] }
    this.#stored[code] = stored
    const gate = new GateController({
      code,
      name,
      phone: phone.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
      site,
      key,
      clock,
      closing,
      stored,
      save: () => this.#save(),
      fault: () => faults.takeForGate(code),
    })
    this.#gates.set(code, gate)
    void gate.run()
  }

  /** Replaces the file by a rename, so that a killed process leaves the old or the new content. */
  #save(): void {
    const { file } = this.#parts
    writeFileSync(`${file}.new`, JSON.stringify(this.#stored))
    renameSync(`${file}.new`, file)
  }

  async #loadFacilities(site: string): Promise<Facility[]> {
    try {
      const response = await fetch(`${site}/api/locations`, { signal: this.#parts.closing })
      return response.ok ? ((await response.json()) as Facility[]) : []
    } catch {
      return []
    }
  }
}
