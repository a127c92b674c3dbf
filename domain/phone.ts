/** '(404) 555-0114', '+1 404-555-0114' → '4045550114'; other characters stay, to be refused. */
export function barePhone(text: string): string {
  return (
    text
      // Full-width digits and signs, as some keyboards type them.
      .normalize('NFKC')
      .trim()
      .replace(/^\+1/, '')
      .replace(/[\s().\-\u2010-\u2014]/g, '')
  )
}

/** '4045550114' → '(404) 555-0114'; anything but ten digits comes back as it is. */
export function formatPhone(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}

export function lastFour(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return digits.length < 4 ? '' : digits.slice(-4)
}

/** For look-ups by name: lower case, accents folded, one kind of apostrophe, single spaces. 'O’Núñez ' → "o'nunez" */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

/** For look-ups by e-mail: trimmed, lower case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
