const encoder = new TextEncoder()

/** Written no faster than it is read, so that a slow reader holds nothing here. A failure breaks the download off. */
export const streamOf = (
  pieces: AsyncGenerator<string | Uint8Array>,
  failed: (error: unknown) => void = () => {},
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        failed(error)
        controller.error(error)
      }
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
