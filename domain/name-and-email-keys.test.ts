import { expect, test } from 'vitest'
import { emailKey, nameKey } from './name-and-email-keys.ts'

test('names are looked up without case, accents, separators and suffixes, and e-mail addresses without case', () => {
  expect(nameKey('  O’NÚÑEZ  Smith ')).toBe('onunezsmith')
  expect(nameKey('Zoë')).toBe(nameKey('ZOE\u0308'))
  for (const [name, spellings] of [
    ["O'Brien", ['OBrien', 'O Brien', 'o’brien', 'O`BRIEN', "O' Brien"]],
    ['García-López', ['Garcia Lopez', 'garcia-lopez', 'Garcia–Lopez', 'GarciaLopez', 'García López']],
    ['Smith Jr.', ['Smith Jr', 'Smith', 'SMITH, JR.', 'Smith III']],
    ['St. John', ['St John', 'St.John', 'stjohn']],
    ['Łukasiewicz-Sørensen', ['Lukasiewicz Sorensen']],
    ['Æsgaard Weiß', ['Aesgaard Weiss']],
    ['de la Cruz', ['De La Cruz', 'delacruz', 'DeLaCruz']],
  ] as const)
    for (const spelling of spellings) expect(nameKey(spelling), `${spelling} finds ${name}`).toBe(nameKey(name))
  expect(nameKey('Smith')).not.toBe(nameKey('Smyth'))
  expect(nameKey('Jr')).toBe('jr')
  expect(nameKey(' – ')).toBe('–')
  expect(nameKey('  ')).toBe('')
  expect(emailKey(' Ann@Example.COM ')).toBe('ann@example.com')
})
