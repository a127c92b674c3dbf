import { expect, it } from 'vitest'
import { type CellKind, cellOfFile, cellText, type ReportCell, shareOf } from './report-format.ts'

it.each<[ReportCell | undefined, CellKind, string, string]>([
  [123_450, 'cents', '$1,234.50', '1234.50'],
  [-500, 'cents', '−$5.00', '-5.00'],
  [0, 'cents', '$0.00', '0.00'],
  [0.875, 'share', '87.5%', '87.50'],
  [890, 'rate', '8.9%', '8.9'],
  [10_050, 'area', '100.5', '100.5'],
  [2.25, 'times', '2.3×', '2.25'],
  [12_345, 'count', '12,345', '12345'],
  ['2026-11-20', 'day', '11/20/2026', '2026-11-20'],
  ['not a day', 'day', 'not a day', 'not a day'],
  ['2026-11-20', 'text', '2026-11-20', '2026-11-20'],
  ['', 'text', '', ''],
  [null, 'cents', '', ''],
  [undefined, 'share', '', ''],
])('%j as %s reads %j on a page and %j in a file', (value, as, onPage, inFile) => {
  expect([cellText(value, as), cellOfFile(value, as)]).toEqual([onPage, inFile])
})

it('a share is null where the whole is 0', () => {
  expect([shareOf(1, 4), shareOf(0, 0)]).toEqual([0.25, null])
})
