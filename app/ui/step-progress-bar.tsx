import '../styles/journey.css'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { moveInSteps } from '../../modules/reservations/rules/journey/journey-steps.ts'
import { Icon } from './icons.tsx'

/**
 * Progress bar of the move-in.
 * @param step current step, starting at 1
 */
export function StepBar({ step }: { step: number }) {
  return (
    <>
      <ol className="steps" aria-label="Progress">
        {moveInSteps.map((name, index) => {
          const at = index + 1
          const state = at < step ? 'done' : at === step ? 'now' : 'to-do'
          return (
            <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
              {state === 'done' && <Icon name="check" />} {name}
              <span className="sr">{state === 'done' ? ', done' : state === 'now' ? ', this step' : ', to do'}</span>
            </li>
          )
        })}
      </ol>
      <p className="soft small mb-[0.35rem] print:hidden">
        Step {step} of {moveInSteps.length} – {moveInSteps[step - 1]}
      </p>
    </>
  )
}

/**
 * Opens a menu entry's page within the current page. It stays a link if the visitor asked for a new tab or the screen
 * is too narrow for a frame.
 */
function openHere(event: MouseEvent, open: (() => void) | undefined) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || !matchMedia('(min-width: 40rem)').matches) return
  event.preventDefault()
  open?.()
}

export function SideMenu({
  label,
  links,
  children,
}: {
  label: string
  /**
   * `document`: leads outside the hydrated pages (a PDF, a public page). `onOpen`:
   * opens on this page instead, where scripts run.
   */
  links: { label: string; href: string; current?: boolean; document?: boolean; onOpen?: (() => void) | undefined }[]
  children: ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const currentHref = links.find((link) => link.current)?.href
  // Scrolls the phone's row of links to the current one, also in browsers without scroll-initial-target.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    if (!list.current || !entry) return
    const spare = (list.current.clientWidth - entry.offsetWidth) / 2
    list.current.scrollLeft += entry.getBoundingClientRect().left - list.current.getBoundingClientRect().left - spare
  }, [currentHref])
  return (
    <div className="aside-menu">
      <nav aria-label={label}>
        <ul ref={list}>
          {links.map((link) => (
            <li key={link.href}>
              {link.document ? (
                <a href={link.href} onClick={link.onOpen && ((event) => openHere(event, link.onOpen))}>
                  {link.label}
                </a>
              ) : (
                <Link to={link.href} aria-current={link.current ? 'page' : undefined}>
                  {link.label}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div>{children}</div>
    </div>
  )
}

/**
 * Frame that shows a file of the site, such as a PDF, within the page.
 * @param wayOut note that says what to do when the frame stays empty
 */
export function Frame({ src, title, wayOut }: { src: string; title: string; wayOut?: ReactNode }) {
  return (
    <>
      <iframe className="frame" src={src} title={title} />
      {wayOut && <p className="small soft mt-2">{wayOut}</p>}
    </>
  )
}
