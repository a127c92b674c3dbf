import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/**
 * Reloads the page's data at an interval while the page is visible and the browser is online; without scripts, the whole
 * page. With scripts, what the visitor has typed stays. A `Refresh` header would also bring back a visitor who has gone
 * on to another page by client-side navigation.
 */
export function RefreshPage({ seconds }: { seconds: number }) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const timer = setInterval(() => {
      if (navigator.onLine && !document.hidden) void revalidate()
    }, seconds * 1000)
    return () => clearInterval(timer)
  }, [revalidate, seconds])
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(seconds)} />
    </noscript>
  )
}

/** Interval in seconds at which pages check whether the gate has received a code. */
const GATE_SECONDS = 5

/** Refreshes the page while its gate code is being sent to the gate. */
export const GateRefresh = ({ coming }: { coming: boolean | undefined }) =>
  coming ? <RefreshPage seconds={GATE_SECONDS} /> : null
