/**
 * Keeps a page usable while the browser translates it. Translators replace each text node by a <font> element, while
 * React goes on changing and removing its text nodes.
 */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (roots: Iterable<ParentNode>): Field[] =>
  [...roots].flatMap((root) => [...root.querySelectorAll<Field>('main :is(input, select, textarea)[name]')])

/**
 * Indexes form fields by name and position among fields of the same name. Both stay the same when the page is rendered
 * again.
 */
function byPlace(fields: readonly Field[]): Map<string, Field> {
  const counts = new Map<string, number>()
  return new Map(
    fields.map((field) => {
      const position = counts.get(field.name) ?? 0
      counts.set(field.name, position + 1)
      return [`${field.name} ${position}`, field]
    }),
  )
}

const isPressed = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox')

/** Sets a field's value with events, so that React notices. */
function fill(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}

let hasRestored = false

/**
 * Restores values that the visitor entered before hydration, if hydration failed and React rendered the page again. Only
 * the first call has an effect.
 * @param served body elements before hydration
 */
export function restoreTypedValues(served: readonly Element[]): void {
  if (hasRestored) return
  hasRestored = true
  const currentFields = byPlace(fieldsOf([document]))
  for (const [place, before] of byPlace(fieldsOf(served))) {
    const field = currentFields.get(place)
    if (!field || field === before || before.type === 'hidden' || before.type === 'file') continue
    if (isPressed(before)) {
      if (isPressed(field) && field.checked !== before.checked && (before.checked || before.type === 'checkbox'))
        field.click()
    } else if (field.value !== before.value) fill(field, before.value)
  }
}

/** `<font>` elements of a browser's page translation, by the text node that each replaced. */
const places = new WeakMap<Node, Node>()

function recordReplacements(records: readonly MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const removed of removedNodes) {
      if (!(removed instanceof Text) || removed.isConnected) continue
      const font = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
      if (!font) continue
      places.set(removed, font)
      texts.observe(removed, { characterData: true })
    }
}

/** Copies React's changes to a replaced text node into its translation. */
const texts = new MutationObserver((records) => {
  for (const { target } of records) {
    const font = places.get(target)
    if (font?.isConnected && font.textContent !== target.nodeValue) font.textContent = target.nodeValue
  }
})

const replacements = new MutationObserver(recordReplacements)
replacements.observe(document.body, { childList: true, subtree: true })

/**
 * Finds a node that React takes for a child of `parent` but that a browser's translation has moved or replaced. Returns
 * the child of `parent` that now contains or replaces the node; null if none does.
 */
function placeIn(parent: Node, node: Node): Node | null {
  recordReplacements(replacements.takeRecords())
  let place: Node | null = places.get(node) ?? node
  while (place && place.parentNode !== parent) place = place.parentNode
  return place
}

const { removeChild, insertBefore } = Node.prototype

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  const place = child.parentNode === this ? child : placeIn(this, child)
  if (place) removeChild.call(this, place)
  return child
}

Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
  const place = before === null || before.parentNode === this ? before : placeIn(this, before)
  insertBefore.call(this, child, place)
  return child
}
