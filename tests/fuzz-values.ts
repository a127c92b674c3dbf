/** Nearly valid, invalid and far too large values for fuzz tests, and the field names of an input schema. */

/**
 * Input values for fuzz tests that are nearly valid: at the limits of fields, in spellings that people and programs
 * use, or with characters that other languages treat as code.
 */
export const nearlyValid: unknown[] = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '007',
  'NaN',
  'Infinity',
  '0x10',
  '9007199254740991',
  '9007199254740992',
  2_147_483_647,
  2_147_483_648,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  1e308,
  -0,
  0.1,
  -5,
  '02/30/2026',
  '2/9/2026',
  '99/99/9999',
  '12/31/9999',
  '0001-01-01',
  '9999-12-31',
  '2026-11-20T00:00:00Z',
  'True',
  'FALSE',
  'yes',
  'ATL01',
  'atl01',
  'ATL01 ',
  'CHS01',
  'HQ01',
  'CAE01',
  '__proto__',
  'constructor',
  "O'Neill; drop table tenants; --",
  '%',
  '_',
  '\\',
  '"',
  '#{7*7}',
  '{{7}}',
  '%00',
  '../../etc/passwd',
  'a\r\nBcc: b',
  '<script>alert(1)</script>',
  '&amp;',
  ']]>',
  'é',
  'Ω≈ç√',
  '🔒',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\u0007',
  '\u2028',
  'a@b',
  'a@example.com',
  'A@EXAMPLE.COM',
  'a@example.com,b@example.com',
  '(404) 555-0147',
  '+1 404 555 0147',
  '00000000-0000-0000-0000-000000000000',
  'K7M2XQ9TRD',
  'k7m2-xq9t-rd',
  '0.00',
  '0.005',
  '-0.01',
  '$5',
  '1,000.00',
]

export const wrongTypes: unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [1, 2],
  ['a', ['b']],
  { a: 1 },
  { $gt: '' },
  { toString: 'x' },
  [null],
  { length: 5 },
  { valueOf: 1 },
  { constructor: { name: 'x' } },
  [[[[]]]],
  { '': '' },
]

export const hugeValues = [
  'x'.repeat(5000),
  '9'.repeat(400),
  'é'.repeat(30_000),
  'a b '.repeat(20_000),
  '<'.repeat(10_000),
  'x'.repeat(300_000),
  Array.from({ length: 2000 }, () => ({ a: 1 })),
]

/** Returns the names of an input schema's fields, without those nested in them, however the schema is wrapped. */
export function fieldNames(schema: unknown): string[] {
  const { entries, pipe, wrapped, options } = schema as Record<string, unknown>
  if (entries) return Object.keys(entries as object)
  if (Array.isArray(pipe)) return pipe.flatMap(fieldNames)
  if (Array.isArray(options)) return options.flatMap(fieldNames)
  return wrapped ? fieldNames(wrapped) : []
}
