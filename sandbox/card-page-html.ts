import { html, raw } from 'hono/html'
import { TEST_ACCOUNTS } from './bank.ts'
import { FAULT_KINDS, FAULT_PLACES } from './faults.ts'
import { writeAmount } from './parse-and-write-xml.ts'
import { type Order, SETTLED_AFTER_MS } from './provider-ledger.ts'
import {
  BRANDS,
  type CardEntry,
  ENTRY_MESSAGES,
  type EntryErrors,
  RESPONSES,
  TEST_CARDS,
  type TestCard,
  type TestCardName,
} from './test-cards.ts'

type Html = ReturnType<typeof html>

const lock = html`<svg class="lock" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false"><path d="M6 8V6a4 4 0 0 1 8 0v2" fill="none" stroke="currentColor" stroke-width="1.8"/><rect x="3.5" y="8" width="13" height="9.5" rx="2.4" fill="currentColor"/></svg>`

const marks: Record<string, Html> = {
  Visa: html`<svg viewBox="0 0 38 24" width="38" height="24" role="img" aria-label="Visa"><rect x=".5" y=".5" width="37" height="23" rx="4" fill="#fff" stroke="#c9ced6"/><text x="19" y="16.4" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-size="11.5" font-weight="700" font-style="italic" fill="#1a1f71">VISA</text></svg>`,
  Mastercard: html`<svg viewBox="0 0 38 24" width="38" height="24" role="img" aria-label="Mastercard"><rect x=".5" y=".5" width="37" height="23" rx="4" fill="#fff" stroke="#c9ced6"/><circle cx="15" cy="12" r="6.6" fill="#eb001b"/><circle cx="23" cy="12" r="6.6" fill="#f79e1b"/><path d="M19 6.75a6.6 6.6 0 0 1 0 10.5 6.6 6.6 0 0 1 0-10.5z" fill="#ff5f00"/></svg>`,
  'American Express': html`<svg viewBox="0 0 38 24" width="38" height="24" role="img" aria-label="American Express"><rect x=".5" y=".5" width="37" height="23" rx="4" fill="#1f6fd0" stroke="#1f6fd0"/><text x="19" y="15.6" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-size="9.4" font-weight="700" textLength="29" fill="#fff">AMEX</text></svg>`,
  Discover: html`<svg viewBox="0 0 38 24" width="38" height="24" role="img" aria-label="Discover"><rect x=".5" y=".5" width="37" height="23" rx="4" fill="#fff" stroke="#c9ced6"/><path d="M12 23.5C22 22 31 18 37.5 13v7a3.5 3.5 0 0 1-3.5 3.5z" fill="#f58220"/><text x="19" y="12.4" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-size="6.3" font-weight="700" textLength="31" fill="#20232a">DISCOVER</text></svg>`,
}

export function page(title: string, body: Html | Promise<Html>, more: Html | '' = ''): Html {
  return html`<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="preload" href="/assets/figtree.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/assets/pages.css">
${more}
</head>
<body>
${body}
</body>
</html>
`
}

interface Field {
  name: keyof CardEntry
  label: string
  hint?: string
  autocomplete: string
  numeric: boolean
  maxlength: number
}

const FIELDS: Field[] = [
  { name: 'number', label: 'Card number', autocomplete: 'cc-number', numeric: true, maxlength: 23 },
  { name: 'expiry', label: 'Expiry date', hint: 'MM / YY', autocomplete: 'cc-exp', numeric: true, maxlength: 9 },
  { name: 'cvv', label: 'Security code', hint: '3 or 4 digits', autocomplete: 'cc-csc', numeric: true, maxlength: 4 },
  { name: 'name', label: 'Name on card', autocomplete: 'cc-name', numeric: false, maxlength: 100 },
  { name: 'zip', label: 'Billing ZIP code', autocomplete: 'billing postal-code', numeric: true, maxlength: 10 },
]

function inlineJson(value: unknown): Html {
  return raw(JSON.stringify(value).replace(/</g, '\\u003c')) as Html
}

const brandMarks = () =>
  html`<ul class="brands" aria-label="Cards taken">${BRANDS.map((brand) => html`<li data-brand="${brand.name}">${marks[brand.name]}</li>`)}</ul>`

function cardField(
  { name, label, hint, autocomplete, numeric, maxlength }: Field,
  value: string,
  error?: string,
): Html {
  const described = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(Boolean)
  return html`<div class="field field-${name}">
        <label for="${name}">${label}${hint ? html` <span class="hint" id="${name}-hint">${hint}</span>` : ''}</label>
        <p class="error" id="${name}-error" ${error ? '' : raw('hidden')}>${error ?? ''}</p>
        <div class="input"><input id="${name}" name="${name}" type="text" autocomplete="${autocomplete}" ${numeric ? raw('inputmode="numeric"') : ''} maxlength="${maxlength}" required spellcheck="false" autocapitalize="${name === 'name' ? 'words' : 'off'}" value="${value}" ${described.length > 0 ? html`aria-describedby="${described.join(' ')}"` : ''} ${error ? raw('aria-invalid="true"') : ''}>${name === 'number' ? brandMarks() : ''}</div>
      </div>`
}

/**
 * Renders the card page, which works without scripts. Card number and security code are never written back into the
 * page.
 */
export function cardPage(order: Order, options: { entry?: CardEntry; errors?: EntryErrors } = {}): Html {
  const errors = options.errors ?? {}
  const invalidFields = FIELDS.filter((field) => errors[field.name])
  const free = order.amount === 0
  const dollars = `$${writeAmount(order.amount).replace(/\B(?=(\d{3})+\.)/g, ',')}`
  const action = free ? 'Save card' : `Pay ${dollars}`
  const title = free ? 'Save your card' : 'Card payment'
  const visibleEntry: Partial<CardEntry> = {
    name: options.entry?.name ?? order.customer_name,
    zip: options.entry?.zip ?? order.customer_zip,
    expiry: options.entry?.expiry ?? '',
  }
  const target = order.return_target === '_self' ? '_self' : '_top'

  return page(
    `${invalidFields.length > 0 ? 'Error: ' : ''}${title}`,
    html`<aside class="practice" aria-label="Practice mode"><p><b>Practice mode:</b> no real money. <a href="/" target="_blank" rel="noopener">Test cards<span class="hidden"> (opens in a new tab)</span></a></p></aside>
<main class="checkout">
  <header class="summary">
    <p class="secure">${lock} Secure card page</p>
    <h1>${title}</h1>
    <p class="amount">${free ? '$0.00' : dollars} <span>USD</span></p>
    <p class="what">${
      free
        ? 'Nothing is charged today. Your card is kept for the payments you agreed to.'
        : order.create_alias
          ? 'Charged once now. Your card is kept for the automatic payments you agreed to.'
          : 'Charged once, now. Your card is not kept.'
    }</p>
    <dl class="facts">
      <div><dt>Order</dt><dd>${order.order_id}</dd></div>
      <div><dt>You return to</dt><dd>${new URL(order.return_url).host}</dd></div>
    </dl>
  </header>
  <div class="panel">
    <div id="summary" class="problem" role="alert" tabindex="-1" ${invalidFields.length > 0 ? '' : raw('hidden')}>
      <h2>There is a problem</h2>
      <ul>${invalidFields.map((field) => html`<li><a href="#${field.name}">${errors[field.name]}</a></li>`)}</ul>
    </div>
    <form id="card" method="post" action="/pay/${order.session_token}" target="${target}" data-action="${action}" novalidate>
      ${FIELDS.map((field) => cardField(field, visibleEntry[field.name] ?? '', errors[field.name]))}
      <p id="status" class="hidden" role="status"></p>
      <button type="submit" class="pay">${lock}<span id="pay-label">${action}</span></button>
    </form>
    <p class="leave"><a id="cancel" href="/pay/${order.session_token}/cancel" target="${target}">Cancel and go back</a></p>
    <p class="assure">Your card number goes to the card provider only, never to the shop.</p>
  </div>
</main>
<script type="application/json" id="rules">${inlineJson({ brands: BRANDS, messages: ENTRY_MESSAGES })}</script>`,
    html`<script type="module" src="/assets/card-page.js"></script>`,
  )
}

export function closedPage(title: string, text: string, back: { href: string; target: string } | null): Html {
  return page(
    title,
    html`<main class="closed">
  <h1>${title}</h1>
  <p>${text}</p>
  ${back ? html`<p><a class="pay" href="${back.href}" target="${back.target}">Go back</a></p>` : ''}
</main>`,
  )
}

function groupDigits(digits: string): string {
  const groups = digits.length === 15 ? [4, 6, 5] : [4, 4, 4, 4]
  let at = 0
  return groups
    .map((length) => {
      at += length
      return digits.slice(at - length, at)
    })
    .join(' ')
}

/** Writes the allowed values of a field of a JSON body: '"down" | "slow"'. */
const writeChoices = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(' | ')

export function testCardsPage(options: { slowMs: number; faultsEnabled: boolean }): Html {
  const cards = Object.entries(TEST_CARDS) as [TestCardName, TestCard][]
  return page(
    'Card sandbox: test cards',
    html`<main class="guide">
  <h1>Card sandbox</h1>
  <p class="lead">A pretend card provider for practice and tests. It speaks the provider’s protocol, takes the cards below and
  moves no money. Any expiry date to come, any security code of the right length, any name and ZIP code will do.</p>
  <h2 id="cards">Test cards</h2>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="cards">
  <table>
    <thead><tr><th scope="col">Card number</th><th scope="col">RESPONSECODE</th><th scope="col">What happens</th></tr></thead>
    <tbody>${cards.map(
      ([name, card]) =>
        html`<tr><th scope="row"><code>${groupDigits(card.number)}</code> <span class="hint">${name}</span></th><td><code>${card.response.code}</code> ${card.response.description}</td><td>${card.does}</td></tr>`,
    )}</tbody>
  </table>
  </div>
  <ul>
    <li>To cancel, follow “Cancel and go back” on the card page: the frame returns with <code>action=cancel</code> and code <code>${RESPONSES.cancelled.code}</code>.</li>
    <li>The slow time is ${options.slowMs / 1000} seconds (<code>SANDBOX_SLOW_MS</code>).</li>
    <li>An amount of <code>0.00</code> stores the card and charges nothing.</li>
    <li>A charge can be voided for ${SETTLED_AFTER_MS / 3_600_000} hours; after that it is settled and has to be returned. Either way it is given back once.</li>
  </ul>
  <h2>Protocol</h2>
  <p>XML, <code>&lt;REQUEST&gt;</code> with <code>XWEBID</code>, <code>XWEBTERMINALID</code>, <code>XWEBAUTHKEY</code>, <code>TRANSACTIONTYPE</code> and <code>ORDERID</code>; the answer is <code>&lt;RESULT&gt;</code>.</p>
  <div class="scroll" tabindex="0" role="region" aria-label="Calls">
  <table>
    <thead><tr><th scope="col">Call</th><th scope="col">TRANSACTIONTYPE</th><th scope="col">Answer</th></tr></thead>
    <tbody>
      <tr><th scope="row"><code>POST /HostPayService/v1/hostpay/transactions/</code></th><td><code>CREDITSALE</code>, or <code>ALIASCREATE</code> with <code>0.00</code></td><td><code>SESSIONTOKEN</code> and <code>PAYPAGEURL</code></td></tr>
      <tr><th scope="row" rowspan="4"><code>POST /HostPayService/v1/directpay/express</code></th><td><code>QUERYPAYMENT</code></td><td>The order’s result; <code>814</code> while not finished or unknown</td></tr>
      <tr><td><code>CREDITSALE</code> with <code>ALIAS</code></td><td>The order’s result; charged once for an <code>ORDERID</code></td></tr>
      <tr><td><code>CREDITVOID</code> with <code>TRANSACTIONID</code></td><td><code>000</code>, or <code>816</code> once settled</td></tr>
      <tr><td><code>CREDITRETURN</code> with <code>TRANSACTIONID</code>, <code>AMOUNT</code></td><td><code>000</code></td></tr>
    </tbody>
  </table>
  </div>
  <h2 id="accounts">Test bank accounts</h2>
  <p>A pretend bank answers below <code>/bank</code>. Any routing number with a right check digit will do, such as <code>061000104</code>; the account number’s last four digits say what happens.</p>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="accounts">
  <table>
    <thead><tr><th scope="col">Account number</th><th scope="col">What happens</th></tr></thead>
    <tbody>${Object.entries(TEST_ACCOUNTS).map(
      ([ending, does]) => html`<tr><th scope="row"><code>00012345${ending}</code></th><td>${does}</td></tr>`,
    )}</tbody>
  </table>
  </div>
  <p>JSON with the key as bearer token: <code>POST /bank/accounts/validate</code>, <code>POST /bank/debits</code>, <code>GET /bank/debits/{order}</code>, <code>POST /bank/debits/{order}/credit</code>, <code>GET /bank/returns?after=</code>. Amounts are whole cents; an order is debited once.</p>
  <h2>For tests</h2>
  <ul>
    <li><a href="/sandbox/ledger"><code>GET /sandbox/ledger</code></a>: every order with its charges and returns, in cents; <code>?orderId=</code> for one.</li>
    <li><code>POST /sandbox/faults</code> ${options.faultsEnabled ? 'is enabled' : 'is switched off'}: it needs <code>SANDBOX_FAULT_KEY</code> and <code>Authorization: Bearer …</code>; body <code>{"orderId": "…" or "*", "kind": ${writeChoices(FAULT_KINDS)}, "times": 1, "on": ${writeChoices(FAULT_PLACES)}}</code>. With <code>lost</code> and <code>garbage</code> the work is done and only the answer goes missing. <code>DELETE</code> ends them all. On <code>gate</code> the <code>orderId</code> is a facility, and <code>kind</code> is <code>down</code> (no contact), <code>slow</code>, <code>lost</code> or <code>repeat</code> (only there: events are sent again).</li>
    <li><a href="/gates">The simulated gates</a>: a keypad for each facility; <a href="/gates?format=json"><code>GET /gates?format=json</code></a> says what each has.</li>
    <li><a href="/sandbox/bank/ledger"><code>GET /sandbox/bank/ledger</code></a>: every debit; <code>POST /sandbox/bank/returns</code> with the same key and <code>{"orderId": "…", "code": "R01"}</code> sends one back at once.</li>
  </ul>
</main>`,
    html`<link rel="stylesheet" href="/assets/test-cards.css">`,
  )
}
