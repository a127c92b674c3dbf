import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { Dialog, DialogClose } from '../ui/dialog.tsx'

/** Single keys can be turned off; the choice stays in this browser. */
const OFF = 'office keys off'

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Rows of the page's main list, which j and k walk through. */
const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-row] a[data-open], a[data-row]')]

function focusRow(step: 1 | -1): void {
  const all = rows()
  // Also from another place in the row: a form that is open under it.
  const here = document.activeElement?.closest('[data-row]')
  const at = all.findIndex((one) => one === document.activeElement || (here && one.closest('[data-row]') === here))
  all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus()
}

/** Buttons with a key that act now: of the row that the keys are on, of the form open under a row, and of no row. */
function buttonsWithKeys(place: Document): HTMLElement[] {
  const row = place.activeElement?.closest('[data-row]')
  const all = [...place.querySelectorAll<HTMLElement>('[data-key]')]
  const own = all.filter((one) => row?.contains(one))
  return [...own, ...all.filter((one) => one.closest('.office-below') || !one.closest('[data-row]'))]
}

function pressButton(key: string): (() => void) | undefined {
  const button = buttonsWithKeys(document).find((one) => one.dataset.key === key)
  return button && (() => button.click())
}

/** Every key of the page's own buttons and what it does, those of rows and of a form that is sent too. */
function keysOfPage(): [string, string][] {
  const named = new Map<string, string>()
  for (const one of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const label = one.dataset.keyName ?? one.firstChild?.textContent ?? ''
    const where = one.closest('[data-row]') && !one.closest('.office-below') ? ', of the row' : ''
    const key = one.dataset.key ?? ''
    if (!named.has(key)) named.set(key, `${label}${where}`)
  }
  const sends = document.querySelector('[aria-keyshortcuts="Control+Enter"]')
  if (sends) named.set('Ctrl Enter', sends.textContent)
  return [...named]
}

/**
 * Keys of every page: `g` and a letter a page of the menu, `j` `k` the rows, a letter on `data-key` its button:
 * a row's acts only from within that row. `?` lists them all. None acts inside a field or while another page is on its
 * way, and nothing is reachable by keys alone.
 */
export function OfficeKeys({ menu }: { menu: { path: string; label: string; key: string }[] }) {
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const [own, setOwn] = useState<[string, string][]>([])
  const [off, setOff] = useState(false)
  const going = useRef(false)
  const leaving = useRef(false)
  const { state } = useNavigation()
  // In the same commit as the page that comes: its keys act from then on.
  useLayoutEffect(() => {
    leaving.current = state !== 'idle'
  }, [state])
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
    // `g` begins a page's key; pressed twice it is the button's.
    const actOf = (key: string) => {
      const page = going.current ? menu.find((one) => one.key === key) : undefined
      if (page) return () => navigate(page.path)
      return (going.current && key === 'g' ? pressButton(key) : undefined) ?? acts[key] ?? pressButton(key)
    }
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const act = actOf(event.key)
      going.current = false
      // What is on the page still is being left: a second press would act once more.
      if (!act || leaving.current) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    // Keys are named on the page only while they act.
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
