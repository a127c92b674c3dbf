import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Dialog, formatDuration } from '../ui/dialog.tsx'
import { storeUnsentForm } from './store-unsent-form.ts'

const WARNING_MS = 5 * 60_000
const TICK_MS = 15_000
/** Maximum delay of a browser timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Asks the server for the time left in the session; POST also extends it.
 * @returns milliseconds; null when the server cannot be reached
 */
async function ask(method: 'GET' | 'POST'): Promise<number | null> {
  try {
    const answer = await fetch('/session-time', { method, headers: { Accept: 'application/json' } })
    const { left } = (await answer.json()) as { left?: unknown }
    return answer.ok && typeof left === 'number' ? left : null
  } catch {
    return null
  }
}

/**
 * Counts down to the end of the session.
 * @param left milliseconds from the server
 * @returns `warning` in the last five minutes; `ended`; `kept` when an unsent
 *   form was stored; `learn` takes a new value of `left`
 */
function useCountdown(left: number) {
  const [warning, setWarning] = useState<{ left: number } | null>(null)
  const [ended, setEnded] = useState(false)
  const [kept, setKept] = useState(false)
  const learn = useRef<(left: number) => void>(() => {})

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    let known = { left, at: performance.now() }
    const remaining = () => known.left - (performance.now() - known.at)
    const plan = () => {
      clearTimeout(timer)
      const now = remaining()
      if (now <= 0) {
        setWarning(null)
        setKept(storeUnsentForm())
        setEnded(true)
      } else if (now <= WARNING_MS) {
        setWarning({ left: now })
        timer = setTimeout(plan, Math.min(TICK_MS, now))
      } else {
        setWarning(null)
        timer = setTimeout(look, Math.min(now - WARNING_MS, LONGEST_MS))
      }
    }
    learn.current = (now) => {
      known = { left: now, at: performance.now() }
      plan()
    }
    const look = async () => {
      const now = await ask('GET')
      if (over) return
      if (now === null) plan()
      else learn.current(now)
    }
    const wake = () => {
      if (document.visibilityState === 'visible' && performance.now() - known.at > 60_000) void look()
    }
    plan()
    document.addEventListener('visibilitychange', wake)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wake)
    }
  }, [left])
  return { warning, ended, kept, learn }
}

/**
 * Warns five minutes before the session ends.
 * It asks the server again first, since another tab may have extended the session.
 * @param left milliseconds from the server
 */
export function SessionWarning({ left }: { left: number }) {
  const { pathname, search } = useLocation()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  /** True when the session cannot be extended further: 30 days after the log-in. */
  const [last, setLast] = useState(false)
  const { warning, ended, kept, learn } = useCountdown(left)

  const stay = async () => {
    setBusy(true)
    const now = await ask('POST')
    setBusy(false)
    setFailed(now === null)
    if (now === null) return
    setLast(now <= WARNING_MS)
    learn.current(now)
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
          {kept ? 'What you had entered here comes back with you.' : 'What you had not saved has to be entered again.'}
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
          {!last && (
            <Button type="button" busy={busy} busyLabel="One moment…" onClick={stay}>
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
        {warning.left < 60_000 ? 'Less than a minute is left.' : `About ${formatDuration(warning.left)} are left.`} What
        you have typed stays as it is.
      </p>
      {last && <p role="alert">You signed in 30 days ago. To go on, log out and log in again.</p>}
      {failed && <p role="alert">We could not reach our server. Check your connection and try again.</p>}
    </Dialog>
  )
}
