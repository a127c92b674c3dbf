/** Reads a page like a browser without scripts: finds its forms, fills them in and returns what they submit. */

type Attributes = Readonly<Record<string, string>>

interface Control {
  name: string
  /** Type of the control, such as 'hidden', 'text', 'select' or 'checkbox'. */
  type: string
  /** Value submitted when left unchanged; null when nothing is submitted. */
  value: string | null
  required: boolean
  /** Offered values of a select, radio buttons or checkboxes. */
  options: string[]
}

interface ScreenForm {
  post: boolean
  multipart: boolean
  controls: Control[]
  buttons: { name: string; value: string; unchecked: boolean }[]
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
      else if (token.startsWith('</')) this.#ends(/^<\/(\w+)/.exec(token)?.[1] ?? '')
      else this.#begins(/^<(\w+)/.exec(token)?.[1] ?? '', attributesOf(token))
    }
    return this.forms
  }

  #begins(tag: string, of: Attributes) {
    if (['option', 'textarea'].includes(tag)) this.#text = ''
    if (tag === 'form') {
      this.#form = {
        post: of.method === 'post',
        multipart: of.enctype === 'multipart/form-data',
        controls: [],
        buttons: [],
      }
      this.forms.push(this.#form)
    } else if (tag === 'input') this.#input(of)
    else if (tag === 'select') this.#select = this.#adds({ ...blank(of, 'select'), value: null })
    else if (tag === 'option') this.#option = of
    else if (tag === 'textarea') this.#area = this.#adds(blank(of, 'textarea'))
    else if (tag === 'button' && this.#form && of.type !== 'button' && !('disabled' in of))
      this.#form.buttons.push({ name: of.name ?? '', value: of.value ?? '', unchecked: 'formnovalidate' in of })
  }

  #ends(tag: string) {
    if (tag === 'form') this.#form = null
    if (tag === 'textarea' && this.#area) this.#area.value = this.#text.replace(/^\n/, '')
    if (tag === 'option' && this.#select && this.#option) {
      const value = this.#option.value ?? this.#text
      this.#select.options.push(value)
      if ('selected' in this.#option || this.#select.value === null) this.#select.value = value
    }
    if (tag === 'select') this.#select = null
  }

  #adds(control: Control): Control {
    if (control.name !== '') this.#form?.controls.push(control)
    return control
  }

  #input(of: Attributes) {
    const control = blank(of, of.type ?? 'text')
    if (control.type !== 'radio' && control.type !== 'checkbox')
      return void this.#adds({ ...control, value: control.type === 'file' ? '' : (of.value ?? '') })
    const known = this.#form?.controls.find((control) => control.name === of.name && control.type === 'radio')
    const choice = known ?? this.#adds({ ...control, value: null })
    choice.options.push(of.value ?? 'on')
    if ('checked' in of) choice.value = of.value ?? 'on'
  }
}

const blank = (of: Attributes, type: string): Control => ({
  name: 'disabled' in of ? '' : (of.name ?? ''),
  type,
  value: '',
  required: 'required' in of,
  options: [],
})

/** Returns why a value cannot be entered into a control; '' when it can. */
function hinders({ name, type, options }: Control, typed: Typed[string]): string {
  if (type === 'hidden') return `${name} is hidden`
  if (type === 'file') return typed instanceof File ? '' : `${name} takes a file`
  if (options.length === 0 || typed instanceof File) return ''
  return [typed].flat().every((one) => options.includes(one))
    ? ''
    : `${name} offers ${options.join(', ')}, not ${typed}`
}

/**
 * Returns what a page's form submits when a button is pressed.
 * @param button value of the button; '' for a form with one button
 * @returns form data; or why it cannot be submitted: no such form, a choice that is not offered, an empty required
 * field
 */
export function pressed(html: string, button: string, typed: Typed): FormData | Record<string, string> | string {
  const withButton = new Reader()
    .read(html)
    .filter(({ post, buttons }) => post && (button === '' || buttons.some((one) => one.value === button)))
  const lacks = ({ controls }: ScreenForm) =>
    Object.keys(typed).filter((name) => !controls.some((control) => control.name === name))
  const form = withButton.find((one) => lacks(one).length === 0)
  if (!form) return withButton[0] ? `no field ${lacks(withButton[0])}` : `no button ${button}`
  const sent: [string, string | File][] = []
  const unchecked = form.buttons.some((one) => one.value === button && one.unchecked)
  const taken = new Set<string>()
  for (const control of form.controls) {
    const { name, type, value, required } = control
    const given = typed[name]
    if (given !== undefined) {
      const why = type === 'checkbox' ? '' : hinders(control, given)
      if (why) return why
      if (!taken.has(name)) for (const one of [given].flat()) sent.push([name, one as string | File])
      taken.add(name)
    } else if (value !== null) {
      if (value === '' && required && !unchecked && type !== 'hidden') return `${name} is left empty`
      sent.push([name, type === 'file' ? new File([], '') : value])
    } else if (required && !unchecked) return `${name} is left empty`
  }
  const pressedButton = form.buttons.find((one) => button === '' || one.value === button)
  if (pressedButton?.name) sent.push([pressedButton.name, pressedButton.value])
  if (!form.multipart) return Object.fromEntries(sent as [string, string][])
  const body = new FormData()
  for (const [name, value] of sent) body.append(name, value)
  return body
}
