import { expect, test } from 'vitest'
import { emailKey, formatPhone, lastFour, nameKey, normalizePhone } from './phone.ts'

test('phones are kept as ten digits and shown in parentheses', () => {
  expect(normalizePhone(' (404) 555-0114 ')).toBe('4045550114')
  expect(normalizePhone('+1 404.555.0114')).toBe('4045550114')
  expect(normalizePhone('404–555–0114')).toBe('4045550114')
  // Some keyboards type full-width digits and signs.
  expect(normalizePhone('（４０４）５５５－０１１４')).toBe('4045550114')
  expect(normalizePhone('555 CALL')).toBe('555CALL')
  expect(formatPhone('4045550114')).toBe('(404) 555-0114')
  expect(formatPhone('555')).toBe('555')
  expect(lastFour('(404) 555-0114')).toBe('0114')
  expect(lastFour('114')).toBe('')
})

test('names and addresses are looked up without regard to case and accents', () => {
  expect(nameKey('  O’NÚÑEZ  Smith ')).toBe('onunezsmith')
  expect(nameKey('Zoë')).toBe(nameKey('ZOE\u0308'))
  for (const [name, typed] of [
    ["O'Brien", ['OBrien', 'O Brien', 'o’brien', 'O`BRIEN', "O' Brien"]],
    ['García-López', ['Garcia Lopez', 'garcia-lopez', 'Garcia–Lopez', 'GarciaLopez', 'García López']],
    ['Smith Jr.', ['Smith Jr', 'Smith', 'SMITH, JR.', 'Smith III']],
    ['St. John', ['St John', 'St.John', 'stjohn']],
    ['Łukasiewicz-Sørensen', ['Lukasiewicz Sorensen']],
    ['Æsgaard Weiß', ['Aesgaard Weiss']],
    ['de la Cruz', ['De La Cruz', 'delacruz', 'DeLaCruz']],
  ] as const)
    for (const one of typed) expect(nameKey(one), `${one} finds ${name}`).toBe(nameKey(name))
  expect(nameKey('Smith')).not.toBe(nameKey('Smyth'))
  expect(nameKey('Jr')).toBe('jr')
  expect(nameKey(' – ')).toBe('–')
  expect(nameKey('  ')).toBe('')
  expect(emailKey(' Ann@Example.COM ')).toBe('ann@example.com')
})
