import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** After a change of page within a journey, reading goes on at the new page's heading. */
export function PageFocus() {
  const { pathname } = useLocation()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this reacts to
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus()
  }, [pathname])
  return null
}
