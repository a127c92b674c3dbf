import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { sampleLease } from '../../modules/agreements/testing-lease.ts'
import { leaseSections } from '../../modules/agreements/texts/lease-text.ts'
import { LeaseView } from './lease-view.tsx'

test('the page shows every section under a numbered heading, with its tables', () => {
  const sections = leaseSections(sampleLease)
  const html = renderToStaticMarkup(<LeaseView sections={sections} />)
  sections.forEach((section, index) => {
    expect(html).toContain(`id="lease-${section.id}" class="lease-heading">${index + 1}. ${section.heading}</h2>`)
  })
  expect(html).toContain('<th scope="row">Due today</th><td>$53.86</td>')
  expect(html).toContain('<th scope="row">Gate code</th><td>482913</td>')
  expect(html).not.toContain('style=')
})

test('headings can be one level lower', () => {
  const html = renderToStaticMarkup(<LeaseView sections={leaseSections(sampleLease)} headingLevel={3} />)
  expect(html).toContain('<h3')
  expect(html).not.toContain('<h2')
})

test('text typed by a renter is never markup', () => {
  const tenant = { ...sampleLease.tenant, name: '<img src=x onerror=alert(1)>' }
  const html = renderToStaticMarkup(<LeaseView sections={leaseSections({ ...sampleLease, tenant })} />)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).not.toContain('<img')
})
