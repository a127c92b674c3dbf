/** The simulated gates of the demo: one controller for each facility, and their file. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Faults } from './faults.ts'
import { GateController, type KeptGate } from './gate-controller.ts'

/** Key of the demo's gates; no secret, since it exists only in demos. */
export const SANDBOX_GATE_KEY = 'lk_demogates001_no-secret-opens-only-pretend-gates-of-demos'

/**
 * Intervals in milliseconds at which the sandbox asks the site for its facilities: until the first response, and
 * afterwards.
 */
const FIRST_LOOK_MS = 1000
const LOOK_MS = 60_000

interface Facility {
  location_code: string
  name: string
  phone: string
}

interface GatesParts {
  /** Origin of the site; without it there are no gates. */
  site: string | undefined
  key: string
  file: string
  clock: Clock
  faults: Faults
  closing: AbortSignal
}

export class Gates {
  readonly #parts: GatesParts
  readonly #kept: Record<string, KeptGate>
  readonly #gates = new Map<string, GateController>()

  constructor(parts: GatesParts) {
    this.#parts = parts
    this.#kept = existsSync(parts.file) ? JSON.parse(readFileSync(parts.file, 'utf8')) : {}
  }

  get all(): GateController[] {
    return [...this.#gates.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  }

  named(code: string): GateController | undefined {
    return this.#gates.get(code)
  }

  /**
   * Creates a simulated gate controller for each facility of the site, and for facilities that are added later, until
   * the sandbox closes.
   */
  async run(): Promise<void> {
    const { closing } = this.#parts
    while (this.#parts.site !== undefined && !closing.aborted) {
      const found = await this.#facilities(this.#parts.site)
      for (const facility of found) if (!this.#gates.has(facility.location_code)) this.#install(facility)
      await delay(found.length === 0 ? FIRST_LOOK_MS : LOOK_MS, undefined, { signal: closing }).catch(() => {})
    }
  }

  #install({ location_code: code, name, phone }: Facility): void {
    const { site = '', key, clock, faults, closing } = this.#parts
    const kept: KeptGate = this.#kept[code] ?? { list: null, waiting: [] }
    this.#kept[code] = kept
    const gate = new GateController({
      code,
      name,
      phone: phone.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
      site,
      key,
      clock,
      closing,
      kept,
      keep: () => this.#keep(),
      fault: () => faults.takeForGate(code),
    })
    this.#gates.set(code, gate)
    void gate.run()
  }

  /** Replaces the file by a rename, so that a killed process leaves the old or the new content. */
  #keep(): void {
    const { file } = this.#parts
    writeFileSync(`${file}.new`, JSON.stringify(this.#kept))
    renameSync(`${file}.new`, file)
  }

  async #facilities(site: string): Promise<Facility[]> {
    try {
      const answer = await fetch(`${site}/api/locations`, { signal: this.#parts.closing })
      return answer.ok ? ((await answer.json()) as Facility[]) : []
    } catch {
      return []
    }
  }
}
