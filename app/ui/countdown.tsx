import { useEffect, useState } from 'react'
import { withNoBreakSpaces } from './no-break.ts'

/**
 * Text such as 'Held for you until 9:40 PM (23 minutes left)', then 'The hold ended at 9:40 PM'. It counts down from
 * the server's time, so a wrong clock of the browser does not matter.
 * @param until end, in epoch milliseconds
 * @param now time at which the page was rendered, in epoch milliseconds
 * @param untilText end in the facility's time zone
 */
export function Countdown({ until, now, untilText }: { until: number; now: number; untilText: string }) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setElapsed(performance.now() - start), 15_000)
    return () => clearInterval(timer)
  }, [])
  const remaining = Math.max(0, until - now - elapsed)
  return (
    <span role="timer">
      {remaining > 0 ? (
        <>
          Held for you until {withNoBreakSpaces(untilText)}{' '}
          <span className="num">({formatDuration(remaining)} left)</span>
        </>
      ) : (
        <>The hold ended at {withNoBreakSpaces(untilText)}</>
      )}
    </span>
  )
}

/**
 * Formats a duration in whole days from two days on, in whole hours from two hours on, else in minutes, at least one.
 */
export function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [count, unit] =
    minutes >= 2880 ? [minutes / 1440, 'day'] : minutes >= 120 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
