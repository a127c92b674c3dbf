/** Pays or cancels at the hosted card page over HTTP without a browser, for tests. */
import { type CardEntry, type TestCardName, testCard } from './test-cards.ts'

/** Property of `CardEntry` that fills an input of the hosted card page, by the input's autocomplete token. */
const FILLED_BY: Record<string, keyof CardEntry> = {
  'cc-number': 'number',
  'cc-exp': 'expiry',
  'cc-csc': 'cvv',
  'cc-name': 'name',
  'postal-code': 'zip',
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

function attributes(tag: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, name, value] of tag.matchAll(/([\w-]+)="([^"]*)"/g)) values[name!] = unescapeHtml(value!)
  return values
}

/** The part of the signature of `fetch` that is needed to load and submit the card page. */
export type FetchLike = (
  url: string | URL,
  init: { method?: string; body?: URLSearchParams; redirect: 'manual' },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

async function openPage(payPageUrl: string, fetchPage: FetchLike): Promise<string> {
  const response = await fetchPage(payPageUrl, { redirect: 'manual' })
  const page = await response.text()
  if (response.status !== 200) throw new Error(`The card page answered ${response.status}.`)
  return page
}

function parseReturn(response: Awaited<ReturnType<FetchLike>>): { returnUrl: string } {
  const returnUrl = response.headers.get('location')
  if (response.status !== 303 || returnUrl === null)
    throw new Error(`No return: the card page answered ${response.status}.`)
  return { returnUrl }
}

/** Values for inputs of the hosted card page that the order has left empty. */
const BLANKS: Partial<CardEntry> = { name: 'Pat Payer', zip: '30308' }

function fillIn(form: string, entry: Partial<CardEntry>): URLSearchParams {
  const body = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const { name, value = '', autocomplete = '' } = attributes(tag)
    if (!name) continue
    const field = autocomplete
      .split(' ')
      .map((token) => FILLED_BY[token])
      .find(Boolean)
    body.set(name, field ? (entry[field] ?? (value || (BLANKS[field] ?? ''))) : value)
  }
  return body
}

/**
 * Fills in the page's form and sends it once.
 * @returns the URL to which the page redirects
 * @throws Error with the page's messages if it refuses the entry, or about any other unexpected response; the client's
 * error if the connection is cut
 */
export async function payAtHostedPage(
  payPageUrl: string,
  card: TestCardName | (Partial<CardEntry> & { number: string }),
  fetchPage: FetchLike = fetch,
): Promise<{ returnUrl: string }> {
  const page = await openPage(payPageUrl, fetchPage)
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/.exec(page)?.[0]
  if (!form) throw new Error('The card page has no form.')
  const number = typeof card === 'string' ? testCard(card).number : card.number
  const cvv = /^3[47]/.test(number) ? '1234' : '123'
  const entry: Partial<CardEntry> = { number, expiry: '12 / 39', cvv, ...(typeof card === 'string' ? {} : card) }

  const body = fillIn(form, entry)
  const { action = '', method = 'post' } = attributes(form.slice(0, form.indexOf('>')))
  const response = await fetchPage(new URL(action, payPageUrl), { method, body, redirect: 'manual' })
  if (response.status === 422) {
    const problem = /<div id="summary"[\s\S]*?<\/div>/.exec(await response.text())?.[0] ?? ''
    const messages = [...problem.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, text]) => unescapeHtml(text!))
    throw new Error(`The card page refused the entry: ${messages.join('; ')}`)
  }
  return parseReturn(response)
}

export async function cancelAtHostedPage(payPageUrl: string): Promise<{ returnUrl: string }> {
  const page = await openPage(payPageUrl, fetch)
  const link = [...page.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attributes(tag)).find(({ id }) => id === 'cancel')
  if (!link?.href) throw new Error('The card page has no cancel link.')
  return parseReturn(await fetch(new URL(link.href, payPageUrl), { redirect: 'manual' }))
}
