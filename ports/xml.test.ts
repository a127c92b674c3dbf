import { describe, expect, it } from 'vitest'
import { readXml, writeXml } from './xml.ts'

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
})

describe('writing', () => {
  it('puts fields under the root and escapes what XML gives a meaning', () => {
    expect(writeXml('Rental', { RentalMessage: 'Tom & <Jerry>', RentalLeaseNumber: 10482 })).toBe(
      '<Rental><RentalMessage>Tom &amp; &lt;Jerry&gt;</RentalMessage><RentalLeaseNumber>10482</RentalLeaseNumber></Rental>',
    )
  })
})
