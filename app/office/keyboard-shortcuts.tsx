import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { Dialog, DialogClose } from '../ui/dialog.tsx'

/** Key in this browser's storage for the choice to turn single keys off. */
const OFF = 'office keys off'

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Links of the page's main list, which j and k walk through. */
const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-row] a[data-open], a[data-row]')]

function focusRow(step: 1 | -1): void {
  const all = rows()
  // Focus may also be elsewhere in the row, as in a form opened below it.
  const here = document.activeElement?.closest('[data-row]')
  const index = all.findIndex(
    (element) => element === document.activeElement || (here && element.closest('[data-row]') === here),
  )
  all[Math.max(0, Math.min(all.length - 1, index + step))]?.focus()
}

/** Lists the buttons whose keys act now: those of the focused row, of the form below a row, and outside of rows. */
function buttonsWithKeys(place: Document): HTMLElement[] {
  const row = place.activeElement?.closest('[data-row]')
  const all = [...place.querySelectorAll<HTMLElement>('[data-key]')]
  const own = all.filter((element) => row?.contains(element))
  return [...own, ...all.filter((element) => element.closest('.office-below') || !element.closest('[data-row]'))]
}

/**
 * Returns a function that presses the button with this keyboard shortcut, and tells whether a navigation within the
 * office begins; undefined when no button has it.
 */
function pressButton(key: string): (() => boolean) | undefined {
  const button = buttonsWithKeys(document).find((candidate) => candidate.dataset.key === key)
  return button && (() => clicked(button))
}

/** Clicks a button or link. @returns whether the router follows the link, for which it prevents the browser's way */
function clicked(button: HTMLElement): boolean {
  let isFollowed = false
  const after = (event: Event) => {
    isFollowed = event.defaultPrevented && button instanceof HTMLAnchorElement
  }
  window.addEventListener('click', after, { once: true })
  button.click()
  window.removeEventListener('click', after)
  return isFollowed
}

/** Lists all keys of the page's buttons with their labels, including those of rows and open forms. */
function keysOfPage(): [string, string][] {
  const named = new Map<string, string>()
  for (const element of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const label = element.dataset.keyName ?? element.firstChild?.textContent ?? ''
    const where = element.closest('[data-row]') && !element.closest('.office-below') ? ', of the row' : ''
    const key = element.dataset.key ?? ''
    if (!named.has(key)) named.set(key, `${label}${where}`)
  }
  const sends = document.querySelector('[aria-keyshortcuts="Control+Enter"]')
  if (sends) named.set('Ctrl Enter', sends.textContent)
  return [...named]
}

/**
 * Keyboard shortcuts of every office page: `g` and a letter open a menu page, `j` and `k` move between rows, and a
 * letter presses the button with that `data-key`, a row's only from within the row. `?` lists them all.
 * No key acts inside a field or during a navigation, and everything can be reached without keys.
 */
export function KeyboardShortcuts({ menu }: { menu: { path: string; label: string; key: string }[] }) {
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const [own, setOwn] = useState<[string, string][]>([])
  const [off, setOff] = useState(false)
  const going = useRef(false)
  const leaving = useRef(false)
  const { state } = useNavigation()
  const { key: shownPage } = useLocation()
  // A layout effect runs in the commit that shows the new page, so its keys act from then on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation may end before its beginning was shown
  useLayoutEffect(() => {
    leaving.current = state !== 'idle'
  }, [state, shownPage])
  useEffect(() => setOff(localStorage.getItem(OFF) === '1'), [])
  useEffect(() => {
    if (off) return
    const acts: Record<string, () => unknown> = {
      g: () => {
        going.current = true
      },
      '?': () => {
        setOwn(keysOfPage())
        setHelp(true)
      },
      j: () => focusRow(1),
      k: () => focusRow(-1),
      '/': () => document.querySelector<HTMLInputElement>('.office-find [type=search]')?.select(),
    }
    // `g` starts a menu key; pressed twice it is the button's key.
    const actOf = (key: string) => {
      const page = going.current ? menu.find((item) => item.key === key) : undefined
      if (page)
        return () => {
          void navigate(page.path)
          return true
        }
      return (going.current && key === 'g' ? pressButton(key) : undefined) ?? acts[key] ?? pressButton(key)
    }
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const act = actOf(event.key)
      going.current = false
      // The page shown is being left; another press would repeat its action.
      if (!act || leaving.current) return
      event.preventDefault()
      // The next key may come before React shows that the navigation has begun.
      leaving.current = act() === true
    }
    document.addEventListener('keydown', press)
    // The style sheet shows key hints only while keys act.
    document.documentElement.dataset.keys = 'on'
    return () => {
      document.removeEventListener('keydown', press)
      delete document.documentElement.dataset.keys
    }
  }, [off, menu, navigate])
  const listed = [
    ['/', 'Find'],
    ['j k', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ...menu.map(({ key, label }) => [`g ${key}`, label]),
    ...own,
    ['?', 'This list'],
  ] as [string, string][]
  return (
    <Dialog open={help} onClose={() => setHelp(false)} title="Keys" actions={<DialogClose focused>Close</DialogClose>}>
      <dl className="office-keys">
        {listed.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p>
        <label>
          <input
            type="checkbox"
            checked={!off}
            onChange={(event) => {
              setOff(!event.currentTarget.checked)
              localStorage.setItem(OFF, event.currentTarget.checked ? '0' : '1')
            }}
          />{' '}
          Keys are on
        </label>
      </p>
    </Dialog>
  )
}
