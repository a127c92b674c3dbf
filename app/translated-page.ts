/**
 * Keeps a page usable while the browser translates it. Translators put a <font> in the place of each text, whereas React goes on to
 * change and remove the text that it made.
 */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (roots: Iterable<ParentNode>): Field[] =>
  [...roots].flatMap((root) => [...root.querySelectorAll<Field>('main :is(input, select, textarea)[name]')])

/** Names a field by what stays the same when its page is drawn again: its name and its place among those of that name. */
function byPlace(fields: readonly Field[]): Map<string, Field> {
  const seen = new Map<string, number>()
  return new Map(
    fields.map((field) => {
      const at = seen.get(field.name) ?? 0
      seen.set(field.name, at + 1)
      return [`${field.name} ${at}`, field]
    }),
  )
}

const isPressed = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox')

/** Fills a field as a person would, so that React hears of it. */
function fill(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}

let done = false

/** Gives the page that was drawn again what was typed and chosen in the one that was served. */
export function putBack(served: readonly Element[]): void {
  if (done) return
  done = true
  const now = byPlace(fieldsOf([document]))
  for (const [place, before] of byPlace(fieldsOf(served))) {
    const field = now.get(place)
    if (!field || field === before || before.type === 'hidden' || before.type === 'file') continue
    if (isPressed(before)) {
      if (isPressed(field) && field.checked !== before.checked && (before.checked || before.type === 'checkbox'))
        field.click()
    } else if (field.value !== before.value) fill(field, before.value)
  }
}

/** The <font> that stands in the place of a text of React's. */
const places = new WeakMap<Node, ChildNode>()

function note(records: readonly MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const removed of removedNodes) {
      if (!(removed instanceof Text) || removed.isConnected) continue
      const font = [...addedNodes, previousSibling, nextSibling].find((one) => one?.nodeName === 'FONT')
      if (!font) continue
      places.set(removed, font as ChildNode)
      texts.observe(removed, { characterData: true })
    }
}

/** React changes the text that is no longer on the page: the translation takes what it says now. */
const texts = new MutationObserver((records) => {
  for (const { target } of records) {
    const font = places.get(target)
    if (font?.isConnected && font.textContent !== target.nodeValue) font.textContent = target.nodeValue
  }
})

const replacements = new MutationObserver(note)
replacements.observe(document.body, { childList: true, subtree: true })

/** What stands in `parent` for a node that React takes for its child. */
function placeIn(parent: Node, node: Node): Node | null {
  note(replacements.takeRecords())
  let place: Node | null = places.get(node) ?? node
  while (place && place.parentNode !== parent) place = place.parentNode
  return place
}

const { removeChild, insertBefore } = Node.prototype

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  if (child.parentNode === this) return removeChild.call(this, child) as Child
  const place = placeIn(this, child)
  if (place) removeChild.call(this, place)
  return child
}

Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
  const place = before === null || before.parentNode === this ? before : placeIn(this, before)
  return insertBefore.call(this, child, place) as Child
}
