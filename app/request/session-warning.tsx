import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { serverUnreachable } from '../../domain/texts/general-errors.ts'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { formatDuration } from '../ui/countdown.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { storeUnsentForm } from './unsent-form-storage.ts'

const WARNING_MS = 5 * 60_000
const TICK_MS = 15_000
/** Maximum delay of a browser timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Asks the server for the time left in the session; POST also extends it.
 * @returns milliseconds; null when the server cannot be reached or refuses
 */
async function fetchTimeLeft(method: 'GET' | 'POST'): Promise<number | null> {
  try {
    const response = await fetch('/session-time', { method, headers: { Accept: 'application/json' } })
    const { left }: { left?: unknown } = await response.json()
    return response.ok && typeof left === 'number' ? left : null
  } catch {
    return null
  }
}

/**
 * Counts down to the end of the session.
 * @param left milliseconds from the server
 * @returns `warning` with the time left, in the last five minutes; `ended`; `isFormStored` when an unsent form was
 *   stored; `update.current` takes a new value of `left`
 */
function useCountdown(left: number) {
  const [warning, setWarning] = useState<{ left: number } | null>(null)
  const [ended, setEnded] = useState(false)
  const [isFormStored, setIsFormStored] = useState(false)
  const update = useRef<(left: number) => void>(() => {})

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let latest = { left, at: performance.now() }
    const remaining = () => latest.left - (performance.now() - latest.at)
    const schedule = () => {
      clearTimeout(timer)
      const timeLeft = remaining()
      if (timeLeft <= 0) {
        setWarning(null)
        setIsFormStored(storeUnsentForm())
        setEnded(true)
      } else if (timeLeft <= WARNING_MS) {
        setWarning({ left: timeLeft })
        timer = setTimeout(schedule, Math.min(TICK_MS, timeLeft))
      } else {
        setWarning(null)
        timer = setTimeout(checkTimeLeft, Math.min(timeLeft - WARNING_MS, MAX_TIMER_MS))
      }
    }
    update.current = (timeLeft) => {
      latest = { left: timeLeft, at: performance.now() }
      schedule()
    }
    const checkTimeLeft = async () => {
      const timeLeft = await fetchTimeLeft('GET')
      if (isOver) return
      if (timeLeft === null) schedule()
      else update.current(timeLeft)
    }
    const checkWhenVisible = () => {
      if (document.visibilityState === 'visible' && performance.now() - latest.at > 60_000) void checkTimeLeft()
    }
    schedule()
    document.addEventListener('visibilitychange', checkWhenVisible)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', checkWhenVisible)
    }
  }, [left])
  return { warning, ended, isFormStored, update }
}

/**
 * Warns five minutes before the session ends. Asks the server again before the warning, since another tab may have
 * extended the session.
 * @param left milliseconds from the server
 */
export function SessionWarning({ left }: { left: number }) {
  const { pathname, search } = useLocation()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  /** True when the session cannot be extended further: 30 days after the log-in. */
  const [isFinal, setIsFinal] = useState(false)
  const { warning, ended, isFormStored, update } = useCountdown(left)

  const extendSession = async () => {
    setBusy(true)
    const timeLeft = await fetchTimeLeft('POST')
    setBusy(false)
    setFailed(timeLeft === null)
    if (timeLeft === null) return
    setIsFinal(timeLeft <= WARNING_MS)
    update.current(timeLeft)
  }

  if (ended) {
    return (
      <Dialog
        open
        blocking
        title="You have been signed out"
        actions={<LinkButton href={`/login?next=${encodeURIComponent(pathname + search)}`}>Sign in again</LinkButton>}
      >
        <p>
          A sign-in lasts a day, unless it is ended before from another device.{' '}
          {isFormStored
            ? 'What you had entered here comes back with you.'
            : 'What you had not saved has to be entered again.'}
        </p>
      </Dialog>
    )
  }
  if (!warning) return null
  return (
    <Dialog
      open
      blocking
      title="You will soon be signed out"
      actions={
        <>
          {!isFinal && (
            <Button type="button" busy={busy} busyLabel="One moment…" onClick={extendSession}>
              Stay signed in
            </Button>
          )}
          <LinkButton kind="secondary" href="/log-out">
            Log out
          </LinkButton>
        </>
      }
    >
      <p role="timer">
        {warning.left < 60_000 ? 'Less than a minute' : `About ${formatDuration(warning.left)}`} left. What you have
        typed stays as it is.
      </p>
      {isFinal && <p role="alert">You signed in 30 days ago. To go on, log out and log in again.</p>}
      {failed && <p role="alert">{serverUnreachable}</p>}
    </Dialog>
  )
}
