import { html, raw } from 'hono/html'
import { page } from './card-page-html.ts'
import { type GateController, type GateList, OFFLINE_MS } from './gate-controller.ts'

type Html = ReturnType<typeof html>

const styles = html`<link rel="stylesheet" href="/assets/gate.css">`

function agoText(at: number | null, now: number): string {
  if (at === null) return 'never'
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 90) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}

/**
 * Returns a sentence about a simulated gate's list of codes, its last contact with the site, and its problem, if any.
 */
function statusText(gate: GateController, now: number): string {
  const list = gate.list ? `List ${gate.etag}, heard ${agoText(gate.heardAt, now)}` : 'No list yet'
  const why = gate.isAway ? 'away' : gate.problem
  const problem = gate.isShut ? `${why}; opens nothing any more` : why
  return problem === '' ? list : `${list}; ${problem}`
}

/** Renders the page of all simulated gates. */
export const gatesPage = (gates: readonly GateController[], now: number): Html =>
  page(
    'Simulated gates',
    html`<main class="gates">
  <h1>Simulated gates</h1>
  <p class="lead">A controller with a keypad stands at each facility of the site. It asks for its list as a real one does, and opens by that list alone.</p>
  ${
    gates.length === 0
      ? html`<p>The site has not answered yet. Load this page again in a moment.</p>`
      : html`<ul class="gate-list">${gates.map(
          (gate) =>
            html`<li><a href="/gates/${gate.code}">${gate.name} <span>${gate.code}</span></a> <span class="hint">${statusText(gate, now)}</span></li>`,
        )}</ul>`
  }
  <p class="hint"><a href="/">Test cards and bank accounts</a></p>
</main>`,
    styles,
  )

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'Clear', '0', 'Back']

const toggle = (name: string, label: string, isPressed: boolean): Html =>
  html`<button name="do" value="${name}" aria-pressed="${String(isPressed)}">${label}</button>`

/** Renders one gate's page, with keypad, display and faults for testers. The page works without scripts. */
export const keypadPage = (gate: GateController, now: number): Html =>
  page(
    `${gate.code} gate`,
    html`<main class="gates gate">
  <p class="hint"><a href="/gates">All gates</a></p>
  <h1>${gate.name}</h1>
  <p class="hint" id="standing">${statusText(gate, now)}${gate.waiting > 0 ? `; ${gate.waiting} to tell` : ''}</p>
  <div class="gate-halves">
  <form method="post" class="keypad" id="keypad">
    <p class="display" id="display" role="status" data-open="${gate.display ? String(gate.display.opened) : ''}">${
      gate.display ? html`${gate.display.text} <span>${agoText(gate.display.at, now)}</span>` : 'Enter your code.'
    }</p>
    <label for="code">Gate code</label>
    <input id="code" name="code" inputmode="numeric" autocomplete="off" maxlength="12" autofocus>
    <div class="digits" id="digits" hidden>${keys.map(
      (key) => html`<button type="button" data-key="${key}">${key}</button>`,
    )}</div>
    <button class="pay" name="do" value="type">Enter</button>
  </form>
  <section class="tester">
    <h2>For the tester</h2>
    <form method="post">
      ${toggle('away', gate.isAway ? 'Come back' : `Away for ${OFFLINE_MS / 3_600_000} h`, gate.isAway)}
      ${toggle('lose', 'Lose answers', gate.losesAnswers)}
      ${toggle('repeat', 'Repeat events', gate.repeatsEvents)}
      <button name="do" value="ask">Ask the site</button>
      ${toggle('refuse', gate.refused.length > 0 ? 'Take the refused code' : 'Refuse the next code', gate.refusesNext || gate.refused.length > 0)}
    </form>
    <p class="hint">Away, the controller goes on by its last list. Where the site refuses its key for 72 hours, it opens nothing. With lost answers the site has answered, and the controller does not know. With repeated events it tells everything twice. The next code that is new in the list can be refused: the controller says that it has no room left for it.</p>
    ${codesTable(gate, now)}
  </section>
  </div>
</main>
${raw('<script type="module" src="/assets/gate-keypad.js"></script>')}`,
    styles,
  )

type ListedCode = GateList['codes'][number]

const opensText = (entry: ListedCode | undefined): string =>
  entry === undefined ? 'not listed' : !entry.opens ? 'no' : entry.hours === 'any' ? 'at any hour' : 'in gate hours'

/** Renders for each code what the site's newest list says, beside what the controller does. */
function codesTable({ list, refused, newestSiteList }: GateController, now: number): Html | '' {
  const atDoor = new Map(list?.codes.map((entry) => [entry.id, entry]))
  const atSite = new Map(newestSiteList?.list.codes.map((entry) => [entry.id, entry]))
  const entries = [...new Map([...atDoor, ...atSite]).values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  if (entries.length === 0) return ''
  const rows = entries.map((entry) => {
    const door = refused.includes(entry.id) ? 'refused here' : opensText(atDoor.get(entry.id))
    const site = newestSiteList ? opensText(atSite.get(entry.id)) : 'not asked yet'
    return { entry, door, site, differs: newestSiteList !== null && door !== site }
  })
  const differences = rows.filter((row) => row.differs).length
  const agreement =
    differences === 0 ? '' : `, ${differences} ${differences === 1 ? 'differs' : 'differ'} from the door`
  return html`<p class="hint" id="site-list">Newest list read ${agoText(newestSiteList?.at ?? null, now)}${agreement}. The controller reads it at each contact; while it is away, or loses the answers, it does not follow it. Where you ask, the site counts the gate as heard.</p>
  <details id="codes"><summary>Door and site (${entries.length} codes)</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Codes at the door and in the site’s newest list"><table>
      <thead><tr><th scope="col">Code</th><th scope="col">Units</th><th scope="col">Door opens</th><th scope="col">Site says</th></tr></thead>
      <tbody>${rows.map(
        ({ entry, door, site, differs }) =>
          html`<tr><th scope="row"><code>${entry.code}</code></th><td>${entry.units.join(', ')}</td><td>${door}</td><td>${
            differs ? html`<strong>${site}</strong>` : site
          }</td></tr>`,
      )}</tbody>
    </table></div>
  </details>`
}
