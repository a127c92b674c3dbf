/** Work side by side; one that ended makes room for another. */
export class Lanes {
  readonly #busy = new Set<Promise<void>>()
  readonly #failures: unknown[] = []

  /** Begins it where fewer than `most` are at work and none has failed. */
  begin(work: () => Promise<unknown>, most: number): void {
    if (this.#busy.size >= most || this.#failures.length > 0) return
    // Caught at once: a lane that fails while another is waited for would end the process.
    const caught = work().then(
      () => {},
      (error: unknown) => void this.#failures.push(error),
    )
    const lane = caught.finally(() => this.#busy.delete(lane))
    this.#busy.add(lane)
  }

  /** Once all have ended. @throws the first failure */
  async ended(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy)
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}
