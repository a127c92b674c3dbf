import { expect, test } from 'vitest'
import { textOfPdf } from '../../../tests/support/text-of-pdf.ts'
import { type BrochureContent, brochurePdf } from './brochure-pdf.ts'

const plan = (name: string, coverage: number, premium: number) => ({
  scheme_name: name,
  coverage,
  premium,
  terminology: `Pays up to $${coverage / 100} for your things. There is a deductible of $100.50 for each claim. Flood is not covered.`,
})
const content: BrochureContent = {
  operator: { name: 'Corner Storage', phone: '8885550142' },
  schemes: [plan('Small plan', 200000, 1200), plan('Large plan', 500000, 2450)],
}
const read = async (brochure: BrochureContent) => {
  const { pages, raw } = textOfPdf(await brochurePdf(brochure))
  return { text: pages.join('\n').replace(/\s+/g, ' '), raw, pages }
}

test('lists each plan with coverage, premium, covered risks and claims, and explains own policies', async () => {
  const { text } = await read(content)
  expect(text).toContain('Small plan $2,000 $12')
  expect(text).toContain('Large plan $5,000 $24.50')
  expect(text).toContain('Every 30 days')
  for (const heading of ['The plans', 'What is covered', 'How to claim', 'Do you have a policy already?'])
    expect(text).toContain(heading)
  expect(text).toContain('Call Corner Storage at (888) 555-0142')
})

test('prints shared terms once, and each plan’s own terms with the plan', async () => {
  const { text } = await read(content)
  expect(text.split('Flood is not covered.')).toHaveLength(2)
  expect(text.split('a deductible of $100.50 for each claim.')).toHaveLength(2)
  expect(text).toContain('Pays up to $2000 for your things.')
  expect(text).toContain('Pays up to $5000 for your things.')
})

test('has a title, a language and a structure for screen readers', async () => {
  const { raw } = await read(content)
  expect(raw).toContain('/Lang (en-US)')
  expect(raw).toContain('/Marked true')
  expect(raw).toContain('(Protection for what you store)')
  for (const tag of ['H1', 'H2', 'H3', 'P', 'L', 'LI', 'Table', 'TR', 'TH', 'TD']) expect(raw).toContain(`/S /${tag}\n`)
})

test('numbers its pages, however long the plans’ texts are', async () => {
  const long = content.schemes.map((scheme, index) => ({
    ...scheme,
    terminology: `Plan ${index} ${'covers much '.repeat(400)}.`,
  }))
  const { pages } = await read({ ...content, schemes: long })
  expect(pages.length).toBeGreaterThan(1)
  for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
})

test('cuts an operator’s name that is too long for the page header', async () => {
  const { pages } = await read({ ...content, operator: { ...content.operator, name: 'W'.repeat(200) } })
  const last = pages.at(-1)!.split('\n')
  expect(last.filter((words) => words.includes('WWWW') && words.length < 40)).toEqual([
    expect.stringMatching(/^W{10,25}…$/),
  ])
  expect(last.filter((words) => /^W{60,}$/.test(words))).toEqual([])
})

test('is the same file for the same content, and another file for other content', async () => {
  const first = await brochurePdf(content)
  const second = await brochurePdf(content)
  expect(Buffer.compare(first, second)).toBe(0)
  const other = await brochurePdf({ ...content, operator: { ...content.operator, phone: '8885550143' } })
  expect(Buffer.compare(first, other)).not.toBe(0)
})
