/**
 * The card page's script: groups digits, shows the card brand while the payer types, reports errors before sending, and
 * sends only once. The page works without this script, and the server checks everything again.
 */
const form = document.getElementById('card')
const { brands, messages } = JSON.parse(document.getElementById('rules').textContent)
const fields = ['number', 'expiry', 'cvv', 'name', 'zip']
const input = (name) => document.getElementById(name)
const digitsOf = (text) => text.replace(/\D/g, '')

function brandOf(digits) {
  return brands.find((brand) => new RegExp(brand.begins).test(digits)) ?? null
}

function luhn(digits) {
  let sum = 0
  ;[...digits].reverse().forEach((character, place) => {
    const digit = Number(character) * (place % 2 === 1 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  })
  return sum % 10 === 0
}

/** Reformats a field and keeps the caret behind the same digit. */
function rewrite(element, format) {
  const before = digitsOf(element.value.slice(0, element.selectionStart ?? element.value.length)).length
  const atEnd = element.selectionStart === element.value.length
  const text = format(digitsOf(element.value))
  if (text === element.value) return
  element.value = text
  if (document.activeElement !== element) return
  let caret = 0
  for (let passed = 0; caret < text.length && passed < before; caret++) if (/\d/.test(text[caret])) passed++
  if (atEnd) caret = text.length
  element.setSelectionRange(caret, caret)
}

function showBrand() {
  const brand = brandOf(digitsOf(input('number').value))
  for (const mark of document.querySelectorAll('[data-brand]'))
    mark.classList.toggle('other', brand !== null && mark.dataset.brand !== brand.name)
  input('cvv').maxLength = brand ? brand.codeDigits : 4
  document.getElementById('cvv-hint').textContent = brand ? `${brand.codeDigits} digits` : '3 or 4 digits'
}

input('number').addEventListener('input', () => {
  rewrite(input('number'), (digits) => {
    const groups = brandOf(digits)?.groups ?? [4, 4, 4, 4]
    const length = groups.reduce((sum, group) => sum + group, 0)
    const parts = []
    let at = 0
    for (const group of groups) {
      if (at < digits.length) parts.push(digits.slice(at, Math.min(at + group, length)))
      at += group
    }
    return parts.join(' ')
  })
  showBrand()
})

input('expiry').addEventListener('input', (event) => {
  // Deleting must be able to remove the separator.
  if (event.inputType?.startsWith('delete')) return
  rewrite(input('expiry'), (entered) => {
    let digits = /^[2-9]/.test(entered) ? `0${entered}` : entered
    // Autofill enters MM/YYYY.
    if (digits.length === 6 && digits.slice(2, 4) === '20') digits = digits.slice(0, 2) + digits.slice(4)
    return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2, 6)}`
  })
})

const checks = {
  number() {
    const digits = digitsOf(input('number').value)
    if (digits === '') return messages.numberMissing
    return brandOf(digits)?.lengths.includes(digits.length) && luhn(digits) ? '' : messages.numberWrong
  },
  expiry() {
    const match = /^\s*(\d{1,2})\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(input('expiry').value)
    if (!match || Number(match[1]) < 1 || Number(match[1]) > 12) return messages.expiryWrong
    const now = new Date()
    const past = (2000 + Number(match[2])) * 12 + Number(match[1]) <= now.getUTCFullYear() * 12 + now.getUTCMonth()
    return past ? messages.expiryPast : ''
  },
  cvv() {
    const code = input('cvv').value.trim()
    const brand = brandOf(digitsOf(input('number').value))
    return /^\d+$/.test(code) && (brand ? [brand.codeDigits] : [3, 4]).includes(code.length) ? '' : messages.cvvWrong
  },
  name: () => (input('name').value.trim() === '' ? messages.nameMissing : ''),
  zip: () => (/^\s*\d{5}(-?\d{4})?\s*$/.test(input('zip').value) ? '' : messages.zipWrong),
}

function show(name, message) {
  const error = document.getElementById(`${name}-error`)
  error.textContent = message
  error.hidden = message === ''
  const hint = document.getElementById(`${name}-hint`) ? `${name}-hint` : ''
  const described = [hint, message === '' ? '' : `${name}-error`].filter(Boolean).join(' ')
  if (message === '') input(name).removeAttribute('aria-invalid')
  else input(name).setAttribute('aria-invalid', 'true')
  if (described === '') input(name).removeAttribute('aria-describedby')
  else input(name).setAttribute('aria-describedby', described)
}

for (const name of fields) {
  // Errors appear when the payer moves to another field and vanish once corrected. An error that appears on the way to
  // the button would move the button away from the finger.
  input(name).addEventListener('blur', (event) => {
    if (input(name).value !== '' && fields.includes(event.relatedTarget?.id)) show(name, checks[name]())
  })
  input(name).addEventListener('input', () => {
    if (input(name).hasAttribute('aria-invalid')) show(name, checks[name]())
  })
}

const summary = document.getElementById('summary')
const button = form.querySelector('button')
const title = document.title.replace(/^Error: /, '')
let sent = false

function showSummary(errors) {
  const list = summary.querySelector('ul')
  list.replaceChildren(
    ...errors.map(([name, message]) => {
      const link = document.createElement('a')
      link.href = `#${name}`
      link.textContent = message
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  summary.hidden = errors.length === 0
  document.title = errors.length === 0 ? title : `Error: ${title}`
  if (errors.length > 0) summary.focus()
}

summary.addEventListener('click', (event) => {
  const name = event.target.hash?.slice(1)
  if (!fields.includes(name)) return
  event.preventDefault()
  input(name).focus()
})

function setBusy(busy) {
  sent = busy
  const waiting = form.dataset.action.startsWith('Pay') ? form.dataset.action.replace('Pay', 'Paying') : 'Saving card'
  if (busy) button.setAttribute('aria-disabled', 'true')
  else button.removeAttribute('aria-disabled')
  document.getElementById('pay-label').textContent = busy ? `${waiting} …` : form.dataset.action
  document.getElementById('status').textContent = busy ? `${waiting}. Please keep this page open.` : ''
}

form.addEventListener('submit', (event) => {
  if (sent) return event.preventDefault()
  const results = fields.map((name) => [name, checks[name]()])
  for (const [name, message] of results) show(name, message)
  const errors = results.filter(([, message]) => message !== '')
  showSummary(errors)
  if (errors.length > 0) return event.preventDefault()
  setBusy(true)
})

// A page restored by the Back button must be able to send again.
addEventListener('pageshow', (event) => {
  if (event.persisted) setBusy(false)
})

showBrand()
if (!summary.hidden) summary.focus()
