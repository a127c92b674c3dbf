/** Runs work concurrently up to a limit. */
export class ConcurrentWork {
  readonly #busy = new Set<Promise<void>>()
  readonly #failures: unknown[] = []

  /** Starts the work if fewer than `limit` are running and none has failed. */
  begin(work: () => Promise<unknown>, limit: number): void {
    if (this.#busy.size >= limit || this.#failures.length > 0) return
    // The rejection is handled at once: otherwise it would crash the process if nothing awaits the work yet.
    const caught = work().then(
      () => {},
      (error: unknown) => void this.#failures.push(error),
    )
    const lane = caught.finally(() => this.#busy.delete(lane))
    this.#busy.add(lane)
  }

  /**
   * Waits until all started work has ended.
   * @throws the first failure
   */
  async waitUntilIdle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy)
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}
