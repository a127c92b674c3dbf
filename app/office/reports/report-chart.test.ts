import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Chart } from './report-chart.tsx'

it.each([
  [
    [0.9, 1.2],
    ['85%', '105%', '125%'],
  ],
  [
    [1.06, 1.13],
    ['100%', '110%', '120%'],
  ],
  [
    [0.9, 0.98],
    ['85%', '93%', '100%'],
  ],
])('a chart of the shares %j has an axis that reaches all of them', (values, ticks) => {
  const lines = [{ label: 'Economic occupancy', values }]
  const chart = { label: 'Occupancy', as: 'share' as const, days: ['2026-11-19', '2026-11-20'], lines }
  const html = renderToStaticMarkup(createElement(Chart, { chart }))
  expect([...html.matchAll(/text-anchor="end">(\d+%)/g)].map(([, tick]) => tick)).toEqual(ticks)
})
