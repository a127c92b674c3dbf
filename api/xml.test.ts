import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readXml, writeXml } from '../ports/xml.ts'
import { writeXmlError } from './xml.ts'

describe('reading', () => {
  it('takes the root as the service and its children as fields', () => {
    expect(
      readXml('<GetMoveInCostAll><UnitId>214</UnitId><MoveInDate>11/20/2026</MoveInDate></GetMoveInCostAll>'),
    ).toEqual({
      ok: true,
      service: 'GetMoveInCostAll',
      body: { UnitId: '214', MoveInDate: '11/20/2026' },
    })
    expect(readXml('<?xml version="1.0"?><GetTenantInfo/>')).toEqual({ ok: true, service: 'GetTenantInfo', body: {} })
  })

  it('reads a repeated element as a list and the named entities as their characters', () => {
    const read = readXml('<A><n>1</n><n>2</n><t>Tom &amp; &lt;Jerry&gt; &#233;&#x1F600;</t></A>')
    expect(read).toEqual({ ok: true, service: 'A', body: { n: ['1', '2'], t: 'Tom & <Jerry> é😀' } })
  })

  const hostile: Record<string, string> = {
    'an external entity (XXE)': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>',
    'a billion laughs': `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(10)}">]><l>&b;</l>`,
    'deep nesting': `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
    'very many references': `<a><b>${'&amp;'.repeat(20_000)}</b></a>`,
    'very many elements': `<a>${'<b/>'.repeat(50_000)}</a>`,
    CDATA: '<a><b><![CDATA[<script>]]></b></a>',
    'an element that is cut off': '<a><b>text</b',
    'two roots': '<a/><b/>',
    'no element': 'hello',
    nothing: '',
    'text in the root': '<a>text</a>',
    'a tag that never closes': '<a><b></a>',
  }
  for (const [what, xml] of Object.entries(hostile)) {
    it(`case 27: refuses ${what} with a reason`, () => {
      const read = readXml(xml)
      expect(read.ok).toBe(false)
      if (!read.ok) expect(read.why.length).toBeGreaterThan(10)
    })
  }

  it('case 27: keeps the prototype out of reach', () => {
    const read = readXml(
      '<a><__proto__><polluted>yes</polluted></__proto__><constructor><prototype><polluted>yes</polluted></prototype></constructor></a>',
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    if (read.ok) expect(Object.getPrototypeOf(read.body)).toBe(Object.prototype)
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', '!', '&', ';', '"', '?', '[') })),
        (text) => {
          expect(typeof readXml(text).ok).toBe('boolean')
        },
      ),
    )
  })
})

describe('writing', () => {
  it('puts fields under the root and escapes what XML gives a meaning', () => {
    expect(writeXml('Rental', { RentalMessage: 'Tom & <Jerry>', RentalLeaseNumber: 10482 })).toBe(
      '<Rental><RentalMessage>Tom &amp; &lt;Jerry&gt;</RentalMessage><RentalLeaseNumber>10482</RentalLeaseNumber></Rental>',
    )
  })

  it('says an error with its fields', () => {
    expect(writeXmlError({ code: 'invalid_input', message: 'No.', fields: { 'a"b': 'is <required>' } })).toBe(
      '<Error><Code>invalid_input</Code><Message>No.</Message><Field name="a&quot;b">is &lt;required&gt;</Field></Error>',
    )
  })

  it('reads back what it wrote', () => {
    const name = fc
      .string({ unit: fc.constantFrom('a', 'B', 'c', '_', '1'), minLength: 1, maxLength: 8 })
      .map((text) => `n${text}`)
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== '' && [...text].every((one) => one >= ' ' && one < '\ufffe'))
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1 }), (fields) => {
        const read = readXml(writeXml('Thing', fields))
        expect(read).toEqual({ ok: true, service: 'Thing', body: { ...fields } })
      }),
    )
  })
})
