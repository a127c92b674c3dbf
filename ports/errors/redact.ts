/**
 * Removes card numbers, bearer and basic credentials, passwords in URLs, and the values of `name=value`, `name: value`
 * and JSON pairs whose name is secret or personal (`SECRET_WORDS`). Other numbers stay.
 */
export function redact(text: string): string {
  return text
    .replace(DIGIT_GROUPS, redactCards)
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1[redacted]@')
    .replace(SECRET_PAIR, '$1[redacted]')
}

/** Redacts a URL path; also removes the uuid of a personal link, which is its only credential. */
export function redactPath(path: string): string {
  return redact(decodeEscapes(path).replace(UUID, '[uuid]'))
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

function decodeEscapes(path: string): string {
  // Decodes %20 to %6F, which include all characters of uuids and card numbers. Each escape is decoded separately, so
  // that an invalid one does not keep the others encoded.
  return path.replace(/%([2-6][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Returns whether a field of this name holds a secret, whatever its value looks like. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

const SECRET_WORDS =
  'pass(?:word|phrase|wd)|secret|token|authorization|cookie|api[_-]?key|auth[_-]?key|sealing[_-]?key|alias|' +
  'routing(?:[_-]?number)?|account[_-]?number|ssn|cvv|cvc|drivers?[_-]?license|birth[_-]?date|date[_-]?of[_-]?birth|gate[_-]?code|security[_-]?answer'
const SECRET_NAME = new RegExp(SECRET_WORDS, 'i')
const SECRET_PAIR = new RegExp(`((?:${SECRET_WORDS})[\\w-]{0,30}["']?\\s*[=:]\\s*["']?)[^\\s"'&,;}\\]]+`, 'gi')

const DIGIT_GROUPS = /\d(?:[ .-]?\d){12,}/g

function redactCards(run: string): string {
  // Other numbers may be beside a card number ('4111 1111 1111 1111 12'), so every run of groups is tried.
  const groups = run.split(/([ .-])/)
  let text = ''
  for (let from = 0; from < groups.length; ) {
    let digits = ''
    let cardEnd = -1
    for (let to = from; to < groups.length && digits.length <= 19; to += 2) {
      digits += groups[to]
      if (isCard(digits)) cardEnd = to
    }
    const end = cardEnd < 0 ? from : cardEnd
    text += cardEnd < 0 ? groups[from]! : '[card number]'
    text += groups[end + 1] ?? ''
    from = end + 2
  }
  return text
}

/**
 * Returns whether 13 to 19 digits pass the Luhn check. 13 digits that begin with 1 are epoch milliseconds, never a
 * card.
 */
function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^1\d{12}$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
