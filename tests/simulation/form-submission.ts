/** Reads a page like a browser without scripts: finds its forms, fills them in and returns what they submit. */

type Attributes = Readonly<Record<string, string>>

interface Control {
  name: string
  /** Type of the control, such as 'hidden', 'text', 'select' or 'checkbox'. */
  type: string
  /** Value submitted when left unchanged; null when nothing is submitted. */
  value: string | null
  required: boolean
  /** Values that a select, radio buttons or a checkbox offers. */
  options: string[]
}

interface ScreenForm {
  post: boolean
  multipart: boolean
  controls: Control[]
  /** Buttons; `skipsValidation`: submits without the browser's check of required fields. */
  buttons: { name: string; value: string; skipsValidation: boolean }[]
}

/** Values to enter into a form, by field name. */
export type Typed = Readonly<Record<string, string | readonly string[] | File>>

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const text = (markup: string) => markup.replace(/&(amp|lt|gt|quot|#x27);/g, (_, sign: string) => signs[sign] ?? '')

const attributesOf = (tag: string): Attributes =>
  Object.fromEntries(
    [...tag.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), text(value)]),
  )

/** Parser for markup as React writes it: attributes in double quotes, every element closed. */
class Reader {
  readonly forms: ScreenForm[] = []
  #form: ScreenForm | null = null
  #select: Control | null = null
  #option: Attributes | null = null
  #area: Control | null = null
  #text = ''

  read(html: string): ScreenForm[] {
    for (const [token] of html.matchAll(/<[^>]+>|[^<]+/g)) {
      if (!token.startsWith('<')) this.#text += text(token)
      else if (token.startsWith('</')) this.#closeTag(/^<\/(\w+)/.exec(token)?.[1] ?? '')
      else this.#openTag(/^<(\w+)/.exec(token)?.[1] ?? '', attributesOf(token))
    }
    return this.forms
  }

  #openTag(tag: string, attributes: Attributes) {
    if (['option', 'textarea'].includes(tag)) this.#text = ''
    if (tag === 'form') {
      this.#form = {
        post: attributes.method === 'post',
        multipart: attributes.enctype === 'multipart/form-data',
        controls: [],
        buttons: [],
      }
      this.forms.push(this.#form)
    } else if (tag === 'input') this.#input(attributes)
    else if (tag === 'select') this.#select = this.#addControl({ ...blank(attributes, 'select'), value: null })
    else if (tag === 'option') this.#option = attributes
    else if (tag === 'textarea') this.#area = this.#addControl(blank(attributes, 'textarea'))
    else if (tag === 'button' && this.#form && attributes.type !== 'button' && !('disabled' in attributes))
      this.#form.buttons.push({
        name: attributes.name ?? '',
        value: attributes.value ?? '',
        skipsValidation: 'formnovalidate' in attributes,
      })
  }

  #closeTag(tag: string) {
    if (tag === 'form') this.#form = null
    if (tag === 'textarea' && this.#area) this.#area.value = this.#text.replace(/^\n/, '')
    if (tag === 'option' && this.#select && this.#option) {
      const value = this.#option.value ?? this.#text
      this.#select.options.push(value)
      if ('selected' in this.#option || this.#select.value === null) this.#select.value = value
    }
    if (tag === 'select') this.#select = null
  }

  #addControl(control: Control): Control {
    if (control.name !== '') this.#form?.controls.push(control)
    return control
  }

  #input(attributes: Attributes) {
    const control = blank(attributes, attributes.type ?? 'text')
    if (control.type !== 'radio' && control.type !== 'checkbox')
      return void this.#addControl({ ...control, value: control.type === 'file' ? '' : (attributes.value ?? '') })
    const radio = this.#form?.controls.find((control) => control.name === attributes.name && control.type === 'radio')
    const choice = radio ?? this.#addControl({ ...control, value: null })
    choice.options.push(attributes.value ?? 'on')
    if ('checked' in attributes) choice.value = attributes.value ?? 'on'
  }
}

const blank = (attributes: Attributes, type: string): Control => ({
  name: 'disabled' in attributes ? '' : (attributes.name ?? ''),
  type,
  value: '',
  required: 'required' in attributes,
  options: [],
})

/** Returns why a value cannot be entered into a control; '' when it can. */
function whyNotEntered({ name, type, options }: Control, typed: Typed[string]): string {
  if (type === 'hidden') return `${name} is hidden`
  if (type === 'file') return typed instanceof File ? '' : `${name} takes a file`
  if (options.length === 0 || typed instanceof File) return ''
  return [typed].flat().every((value) => options.includes(value))
    ? ''
    : `${name} offers ${options.join(', ')}, not ${typed}`
}

/**
 * Returns what a page's form submits when a button is pressed.
 * Uses the first POST form that has the button and all fields of `typed`.
 * @param button value of the button; '' for the form's first button
 * @param typed values to enter
 * @returns fields, as a record with the last value of each name, or as form data if the form is multipart; or a text
 * that says why the form cannot be submitted: no such form, a hidden field, a choice that is not offered, a text for a
 * file, an empty required field
 */
export function submissionOf(html: string, button: string, typed: Typed): FormData | Record<string, string> | string {
  const withButton = new Reader()
    .read(html)
    .filter(({ post, buttons }) => post && (button === '' || buttons.some(({ value }) => value === button)))
  const missingFields = ({ controls }: ScreenForm) =>
    Object.keys(typed).filter((name) => !controls.some((control) => control.name === name))
  const form = withButton.find((candidate) => missingFields(candidate).length === 0)
  if (!form) return withButton[0] ? `no field ${missingFields(withButton[0])}` : `no button ${button}`
  const sent: [string, string | File][] = []
  const skipsValidation = form.buttons.some((formButton) => formButton.value === button && formButton.skipsValidation)
  const taken = new Set<string>()
  for (const control of form.controls) {
    const { name, type, value, required } = control
    const entered = typed[name]
    if (entered !== undefined) {
      // Each checkbox is a control of its own, which does not know the values of the others of its name.
      const why = type === 'checkbox' ? '' : whyNotEntered(control, entered)
      if (why) return why
      if (!taken.has(name)) for (const part of [entered].flat()) sent.push([name, part as string | File])
      taken.add(name)
    } else if (value !== null) {
      if (value === '' && required && !skipsValidation && type !== 'hidden') return `${name} is left empty`
      sent.push([name, type === 'file' ? new File([], '') : value])
    } else if (required && !skipsValidation) return `${name} is left empty`
  }
  const pressedButton = form.buttons.find((formButton) => button === '' || formButton.value === button)
  if (pressedButton?.name) sent.push([pressedButton.name, pressedButton.value])
  if (!form.multipart) return Object.fromEntries(sent as [string, string][])
  const body = new FormData()
  for (const [name, value] of sent) body.append(name, value)
  return body
}
