import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { Dialog, DialogClose } from '../ui/dialog.tsx'

/** Key in this browser's storage for the choice to turn single keys off. */
const OFF_KEY = 'office keys off'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Returns the links of the page's lists, between which j and k move the focus. */
const rowLinks = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-row] a[data-open], a[data-row]')]

function focusRow(step: 1 | -1): void {
  const all = rowLinks()
  // The focus may also be elsewhere in the row's element, which contains the form opened below the row.
  const currentRow = document.activeElement?.closest('[data-row]')
  const index = all.findIndex(
    (element) => element === document.activeElement || (currentRow && element.closest('[data-row]') === currentRow),
  )
  all[Math.max(0, Math.min(all.length - 1, index + step))]?.focus()
}

/** Lists the buttons whose keys act now: those of the focused row, of the form below a row, and outside of rows. */
function buttonsWithKeys(page: Document): HTMLElement[] {
  const row = page.activeElement?.closest('[data-row]')
  const all = [...page.querySelectorAll<HTMLElement>('[data-key]')]
  const buttonsOfRow = all.filter((element) => row?.contains(element))
  return [
    ...buttonsOfRow,
    ...all.filter((element) => element.closest('.office-below') || !element.closest('[data-row]')),
  ]
}

/**
 * Returns a function that presses the button or link with this keyboard shortcut, and returns whether the router
 * follows it as a link; undefined when no button or link whose key acts now has the shortcut.
 */
function findButtonAction(key: string): (() => boolean) | undefined {
  const button = buttonsWithKeys(document).find((candidate) => candidate.dataset.key === key)
  return button && (() => click(button))
}

/** Clicks a button or link and returns whether the router follows the link. The router then prevents the default. */
function click(button: HTMLElement): boolean {
  let isFollowed = false
  const onClick = (event: Event) => {
    isFollowed = event.defaultPrevented && button instanceof HTMLAnchorElement
  }
  window.addEventListener('click', onClick, { once: true })
  button.click()
  window.removeEventListener('click', onClick)
  return isFollowed
}

/** Lists all keys of the page's buttons with their labels, including those of rows and open forms. */
function keysOfPage(): [string, string][] {
  const labels = new Map<string, string>()
  for (const element of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const label = element.dataset.keyName ?? element.firstChild?.textContent ?? ''
    const suffix = element.closest('[data-row]') && !element.closest('.office-below') ? ', of the row' : ''
    const key = element.dataset.key ?? ''
    if (!labels.has(key)) labels.set(key, `${label}${suffix}`)
  }
  const submitButton = document.querySelector('[aria-keyshortcuts="Control+Enter"]')
  if (submitButton) labels.set('Ctrl Enter', submitButton.textContent)
  return [...labels]
}

/**
 * Keyboard shortcuts of the office pages: `g` and a letter open a menu page, `j` and `k` move between rows, and a
 * letter presses the button with that `data-key`, a row's button only while the row has the focus. `/` selects the
 * search field, and `?` lists all keys. None of them acts inside a field or during a navigation, and no function of a
 * page needs them.
 */
export function KeyboardShortcuts({ menu }: { menu: { path: string; label: string; key: string }[] }) {
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const [pageKeys, setPageKeys] = useState<[string, string][]>([])
  const [isOff, setIsOff] = useState(false)
  const menuKeyBegun = useRef(false)
  const isLeaving = useRef(false)
  const { state } = useNavigation()
  const { key: shownPage } = useLocation()
  // A layout effect runs in the commit that shows the new page, so its keys act from then on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation may end before its beginning was shown
  useLayoutEffect(() => {
    isLeaving.current = state !== 'idle'
  }, [state, shownPage])
  useEffect(() => setIsOff(localStorage.getItem(OFF_KEY) === '1'), [])
  useEffect(() => {
    if (isOff) return
    const actions: Record<string, () => unknown> = {
      g: () => {
        menuKeyBegun.current = true
      },
      '?': () => {
        setPageKeys(keysOfPage())
        setHelp(true)
      },
      j: () => focusRow(1),
      k: () => focusRow(-1),
      '/': () => document.querySelector<HTMLInputElement>('.office-find [type=search]')?.select(),
    }
    // `g` begins the shortcut of a menu page; a second `g` presses the button whose key is `g`.
    const actionOf = (key: string) => {
      const page = menuKeyBegun.current ? menu.find((item) => item.key === key) : undefined
      if (page)
        return () => {
          void navigate(page.path)
          return true
        }
      return (
        (menuKeyBegun.current && key === 'g' ? findButtonAction(key) : undefined) ??
        actions[key] ??
        findButtonAction(key)
      )
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const action = actionOf(event.key)
      menuKeyBegun.current = false
      // A navigation has begun; another press would repeat the action on the page that is being left.
      if (!action || isLeaving.current) return
      event.preventDefault()
      // The next key may come before React shows that the navigation has begun.
      isLeaving.current = action() === true
    }
    document.addEventListener('keydown', onKeyDown)
    // The style sheet shows key hints only while keys act.
    document.documentElement.dataset.keys = 'on'
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      delete document.documentElement.dataset.keys
    }
  }, [isOff, menu, navigate])
  const shortcuts: [string, string][] = [
    ['/', 'Find'],
    ['j k', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ...menu.map(({ key, label }): [string, string] => [`g ${key}`, label]),
    ...pageKeys,
    ['?', 'This list'],
  ]
  return (
    <Dialog open={help} onClose={() => setHelp(false)} title="Keys" actions={<DialogClose focused>Close</DialogClose>}>
      <dl>
        {shortcuts.map(([key, label]) => (
          <div key={key} className="grid grid-cols-[6rem_1fr] py-[0.2rem]">
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
            checked={!isOff}
            onChange={(event) => {
              setIsOff(!event.currentTarget.checked)
              localStorage.setItem(OFF_KEY, event.currentTarget.checked ? '0' : '1')
            }}
          />{' '}
          Keys are on
        </label>
      </p>
    </Dialog>
  )
}
