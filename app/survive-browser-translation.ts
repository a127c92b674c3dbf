/**
 * Keeps a page usable while the browser translates it. Translators replace each text node by a <font> element, but
 * React still changes and removes the text nodes that it rendered.
 */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (roots: Iterable<ParentNode>): Field[] =>
  [...roots].flatMap((root) => [...root.querySelectorAll<Field>('main :is(input, select, textarea)[name]')])

/**
 * Indexes form fields by name and position among fields of the same name. Both stay the same when the page is rendered
 * again.
 */
function indexByNameAndPosition(fields: readonly Field[]): Map<string, Field> {
  const counts = new Map<string, number>()
  return new Map(
    fields.map((field) => {
      const position = counts.get(field.name) ?? 0
      counts.set(field.name, position + 1)
      return [`${field.name} ${position}`, field]
    }),
  )
}

const isRadioOrCheckbox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox')

/**
 * Sets a field's value and sends the events from which React learns of it. The prototype's setter is used, since React
 * overrides the setter of the element itself and would then take the value for one that it knows.
 */
function setFieldValue(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}

let hasRestored = false

/**
 * Restores values that the visitor entered before hydration, if hydration failed and React rendered the page again.
 * Only the first call has an effect.
 * @param served body elements before hydration
 */
export function restoreTypedValues(served: readonly Element[]): void {
  if (hasRestored) return
  hasRestored = true
  const currentFields = indexByNameAndPosition(fieldsOf([document]))
  for (const [key, before] of indexByNameAndPosition(fieldsOf(served))) {
    const field = currentFields.get(key)
    if (!field || field === before || before.type === 'hidden' || before.type === 'file') continue
    if (isRadioOrCheckbox(before)) {
      // A click cannot clear a radio button, so only the selected one is clicked.
      if (
        isRadioOrCheckbox(field) &&
        field.checked !== before.checked &&
        (before.checked || before.type === 'checkbox')
      )
        field.click()
    } else if (field.value !== before.value) setFieldValue(field, before.value)
  }
}

/** `<font>` elements of a browser's page translation, by the text node that each replaced. */
const fontByText = new WeakMap<Node, Node>()

/** Records which `<font>` element replaced each removed text node. A node that is still connected was only moved. */
function recordReplacements(records: readonly MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const removed of removedNodes) {
      if (!(removed instanceof Text) || removed.isConnected) continue
      const font = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
      if (!font) continue
      fontByText.set(removed, font)
      textObserver.observe(removed, { characterData: true })
    }
}

/** Copies React's changes to a replaced text node into its translation. */
const textObserver = new MutationObserver((records) => {
  for (const { target } of records) {
    const font = fontByText.get(target)
    if (font?.isConnected && font.textContent !== target.nodeValue) font.textContent = target.nodeValue
  }
})

const replacementObserver = new MutationObserver(recordReplacements)
replacementObserver.observe(document.body, { childList: true, subtree: true })

/**
 * Finds a node that React takes for a child of `parent` but that a browser's translation has moved or replaced. Returns
 * the child of `parent` that now contains or replaces the node; null if none does.
 */
function findCurrentChild(parent: Node, node: Node): Node | null {
  recordReplacements(replacementObserver.takeRecords())
  let current: Node | null = fontByText.get(node) ?? node
  while (current && current.parentNode !== parent) current = current.parentNode
  return current
}

// React calls both methods with nodes that a translation has moved or replaced, for which the browser's methods throw.
const { removeChild, insertBefore } = Node.prototype

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  const current = child.parentNode === this ? child : findCurrentChild(this, child)
  if (current) removeChild.call(this, current)
  return child
}

Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
  const next = before === null || before.parentNode === this ? before : findCurrentChild(this, before)
  insertBefore.call(this, child, next)
  return child
}
