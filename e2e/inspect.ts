import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, waitForPageShown } from './fixtures.ts'
import { heading, main } from './renter-actions-and-locators.ts'

/**
 * Runs a check with the browser's default font size doubled. Media queries in rem follow this default size too,
 * whatever font size a style sets.
 */
async function withTextTwiceAsLarge(page: Page, check: () => Promise<void>): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await check()
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await cdp.detach()
}

interface LayoutShift {
  value: number
  sources: { node: Element | null }[]
}

/**
 * Observes the layout shifts of each document that the page loads from now on.
 * @returns function that returns the sum of the open document's layout shifts, and the elements that moved
 */
export async function observeLayoutShifts(page: Page): Promise<() => Promise<{ by: number; elements: string }>> {
  await page.addInitScript(() => {
    const moved = { by: 0, elements: '' }
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as LayoutShift[]) {
        moved.by += value
        for (const { node } of sources) moved.elements += `${node?.nodeName} ${node?.textContent?.slice(0, 40)}; `
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(async () => {
      await document.fonts.ready
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return (window as unknown as { moved: { by: number; elements: string } }).moved
    })
}

/** Runs in the browser: returns whether a font of the page came over the network, and not from the cache. */
const hasLoadedFont = () =>
  document.fonts.ready.then(() =>
    performance
      .getEntriesByType('resource')
      .some((entry) => entry.name.endsWith('.woff2') && (entry as PerformanceResourceTiming).transferSize > 0),
  )

/**
 * Opens a page so that its fonts come from the cache, if necessary twice: a page without its fonts is shown in fallback
 * fonts at first, which do not match them on every machine.
 */
export async function openAt(page: Page, width: number, height: number, path: string): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.goto(path)
  if (await page.evaluate(hasLoadedFont)) {
    await page.goto(path)
    await page.evaluate(() => document.fonts.ready)
  }
}

/** Width and height, in pixels, of the phone windows for which pages are measured. */
export const phones = [
  [360, 640],
  [390, 664],
  [390, 844],
] as const

/** Width and height, in pixels, of the windows for which pages are measured: those of the phones and one of a desktop. */
export const windows = [...phones, [1440, 900]] as const

/**
 * Runs axe in a window as tall as the page, so that a bar that sticks to the window's end covers no control.
 * @param widths pixels; by default of two phones and a desktop
 */
export async function expectAccessibleTall(page: Page, widths = [360, 390, 1440]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height })
    await expectAccessible(page)
  }
}

const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'

/**
 * Checks a window of 1280 × 1024 enlarged to 400 %: no horizontal overflow, and no focused element that is wholly
 * covered, as by a bar (WCAG 2.4.11).
 */
async function expectUsableEnlarged(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 256 })
  await expectNoSidewaysScroll(page)
  const hidden = await page.evaluate((controls) => {
    const isUncovered = (control: HTMLElement) => {
      const { left, right, top, bottom } = control.getBoundingClientRect()
      if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return false
      const l = Math.max(0, left)
      const r = Math.min(innerWidth, right)
      const t = Math.max(0, top)
      const b = Math.min(innerHeight, bottom)
      const at = [0.5, 0.1, 0.9].flatMap((y) => [0.5, 0.1, 0.9].map((x) => [l + (r - l) * x, t + (b - t) * y] as const))
      return at.some(([x, y]) => {
        const found = document.elementFromPoint(x, y)
        return (
          found && (control.contains(found) || found.contains(control) || found.closest('label')?.control === control)
        )
      })
    }
    const all = [...document.querySelectorAll<HTMLElement>(controls)].filter(
      (control) => !control.matches(':disabled, [tabindex="-1"]') && control.checkVisibility(),
    )
    const covered = all.filter((control) => {
      control.focus({ focusVisible: true } as FocusOptions)
      return document.activeElement === control && !isUncovered(control)
    })
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    scrollTo(0, 0)
    return covered.map((control) => control.outerHTML.slice(0, 160))
  }, controls)
  expect(hidden, `controls of ${page.url()} that are covered when they have the focus`).toEqual([])
}

/**
 * Checks that no line break divides an amount, date, time, duration, distance, size or phone number, or a word with a
 * hyphen in a price summary, and that no list is cut off.
 */
export async function expectNothingCutOff(page: Page): Promise<void> {
  const { torn, cut } = await page.evaluate(() => {
    const together =
      /\b\d\d\/\d\d\/\d{4}\b|[−-]\u2060?\$[\d,.]+|\$[\d,.]+|\d+\s(?:days?|hours?|minutes?|miles?|feet|AM|PM)\b|\d+\s×\s\d+|\(\d{3}\)\s\d{3}-\d{4}/g
    const withHyphens = new RegExp(`${together.source}|\\w+-\\u2060?\\w+`, 'g')
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const torn: string[] = []
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const text = node.nodeValue ?? ''
      const place = node.parentElement
      if (!place?.checkVisibility() || place.closest('option, script, style, textarea, svg, .sr')) continue
      const inPrice = place.closest('.fold > summary, .sum tfoot') !== null
      for (const { 0: found, index } of text.matchAll(inPrice ? withHyphens : together)) {
        range.setStart(node, index)
        range.setEnd(node, index + found.length)
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top / 6))
        if (new Set(lines).size > 1) torn.push(`${found} in “${text.trim().slice(0, 80)}”`)
      }
    }
    // Below 360 px a list may scroll sideways; menus and scrolling regions for the keyboard may do so at any width.
    const lists =
      innerWidth < 360
        ? []
        : [...document.querySelectorAll('.overflow-x-auto:not(nav, [role="region"], [tabindex="0"])')]
    const cut = lists
      .filter((list) => list.scrollWidth > list.clientWidth + 1)
      .map((list) => `${list.querySelector('caption')?.textContent}: ${list.scrollWidth - list.clientWidth} px`)
    return { torn, cut }
  })
  const at = `${page.url()} at ${page.viewportSize()?.width}`
  expect(torn, `torn on ${at}`).toEqual([])
  expect(cut, `lists cut on ${at}`).toEqual([])
}

/**
 * Checks that a page has one h1, one main, a title and no axe findings, and that it does not overflow at these widths.
 * @param widths pixels
 * @param also further check, run once at the last width
 * @param atEach further check, run at each width
 * @returns the title
 */
export async function inspectAt(
  page: Page,
  widths: readonly number[],
  also = async () => {},
  atEach = async () => {},
): Promise<string> {
  await waitForPageShown(page)
  await expect(heading(page), page.url()).toHaveCount(1)
  await expect(main(page), page.url()).toHaveCount(1)
  const title = await page.title()
  expect(title, page.url()).toMatch(/\S.* · Latchkey( office)?$|^Latchkey/)
  await expectAccessible(page)
  const size = page.viewportSize() ?? { width: 1280, height: 900 }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(page)
    await atEach()
  }
  await also()
  await page.setViewportSize(size)
  return title
}

/** Inspects a page outside the office at phone widths, with large text, and enlarged. */
export const inspect = (page: Page): Promise<string> =>
  inspectAt(
    page,
    [390, 360, 320],
    async () => {
      await withTextTwiceAsLarge(page, () => expectNoSidewaysScroll(page))
      await expectUsableEnlarged(page)
    },
    () => expectNothingCutOff(page),
  )

/** Checks that each control shows the focus: by its own style, its parent's or its next sibling's. */
export async function expectFocusShown(page: Page): Promise<void> {
  const unseen = await page.evaluate((controls) => {
    const stylesAround = (control: Element) =>
      [control, control.parentElement, control.nextElementSibling]
        .map((element) => element && getComputedStyle(element))
        .map((style) =>
          style ? [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join(' ') : '',
        )
        .join()
    // A transition would not be finished when the style is read.
    const withoutTransitions = new CSSStyleSheet()
    withoutTransitions.replaceSync('* { transition: none !important }')
    document.adoptedStyleSheets.push(withoutTransitions)
    const unchanged = [...document.querySelectorAll<HTMLElement>(controls)].filter((control) => {
      if (control.matches(':disabled, [tabindex="-1"]') || !control.checkVisibility()) return false
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const before = stylesAround(control)
      control.focus({ focusVisible: true, preventScroll: true } as FocusOptions)
      return document.activeElement === control && stylesAround(control) === before
    })
    document.adoptedStyleSheets.pop()
    return unchanged.map((control) => control.outerHTML.slice(0, 160))
  }, controls)
  expect(unseen, `controls of ${page.url()} that do not show the focus`).toEqual([])
}

/**
 * Walks through the main part by Tab and checks that each stop is at least partly in the window and not covered at its
 * middle; a chip in a scrolling row may be covered there if one of its ends is not.
 */
export async function expectTabbedUncovered(page: Page): Promise<void> {
  await page.evaluate(() => {
    scrollTo(0, 0)
    document.getElementById('main')?.focus()
  })
  let stops = 0
  for (; stops < 200; stops += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused?.closest('main')) return null
      const { left, right, top, bottom } = focused.getBoundingClientRect()
      // Browsers do not scroll to a chip that is partly visible, so any part of a chip in a scrolling row counts.
      const across = focused.closest('.chips-row') ? [left + 4, (left + right) / 2, right - 4] : [(left + right) / 2]
      const isOwn = across.some((x) => {
        const found = document.elementFromPoint(x, (top + bottom) / 2)
        return found !== null && (focused.contains(found) || found.contains(focused))
      })
      return { html: focused.outerHTML.slice(0, 120), isUncovered: isOwn && bottom > 0 && top < innerHeight }
    })
    if (!stop) break
    expect(stop.isUncovered, `${stop.html} of ${page.url()} under something`).toBe(true)
  }
  expect(stops, page.url()).toBeGreaterThan(2)
}

/**
 * Returns whether the frame contains the whole of each part.
 * @param frame CSS selector
 * @param parts CSS selectors; the first element of each is looked at, and a missing one counts as outside
 */
export const isFramed = (page: Page, frame: string, parts: readonly string[]): Promise<boolean> =>
  page.evaluate(
    ([frame, ...parts]) => {
      const boxOf = (selector = '') => document.querySelector(selector)?.getBoundingClientRect()
      const outer = boxOf(frame)
      return parts.every((part) => {
        const box = boxOf(part)
        return (
          outer !== undefined &&
          box !== undefined &&
          box.top >= outer.top &&
          box.bottom <= outer.bottom &&
          box.left >= outer.left &&
          box.right <= outer.right
        )
      })
    },
    [frame, ...parts],
  )

/** Returns whether the tenant's unit and the whole way to the unit are within the frame of the map. */
export const isUnitFramed = (page: Page): Promise<boolean> =>
  isFramed(page, '.map-frame', ['.map-mine rect', '.map-way'])
