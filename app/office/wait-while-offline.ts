/** Delay between two attempts to reach the server, in milliseconds. */
const ATTEMPT_MS = 1000

/**
 * Client middleware: while the browser is offline, holds back what is sent or opened until the server is reached, since
 * the error page would replace what was typed. Meanwhile `data-offline` of the document shows a notice.
 */
export async function waitWhileOffline({ request: { signal } }: { request: Request }): Promise<void> {
  const { dataset } = document.documentElement
  // A browser may say that it is offline and yet reach its own machine, so the server is asked.
  if (!navigator.onLine)
    while (!(await isServerReached())) {
      // The request that replaced this one waits too, and keeps the notice.
      if (signal.aborted) return
      dataset.offline = ''
      await new Promise((resolve) => {
        setTimeout(resolve, ATTEMPT_MS)
      })
    }
  delete dataset.offline
}

/** Returns whether the server responds, with whatever status. */
const isServerReached = (): Promise<boolean> =>
  fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
