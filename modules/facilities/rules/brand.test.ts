import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  brandPicture,
  brandProblem,
  brandStyleSheet,
  type ColorName,
  contrast,
  DOOR_LINE_SHARE,
  doorLineColor,
  palette,
  parseBrand,
} from './brand.ts'

const problemOf = (record: unknown) => brandProblem(JSON.stringify(record))

describe('the brand record', () => {
  it('uses Latchkey’s defaults for everything that it omits', () => {
    expect(parseBrand('{}')).toMatchObject({ name: 'Latchkey', texts: { hero: 'Storage Made Simple.', why: [] } })
    expect(parseBrand('{"name":"Stow","texts":{"footer":"Hi"},"address":{"city":"Macon"}}')).toMatchObject({
      name: 'Stow',
      tagline: 'Storage Made Simple.',
      address: { street: '', city: 'Macon' },
      texts: { hero: 'Storage Made Simple.', why: [], footer: 'Hi' },
    })
  })

  it('never breaks a page: an invalid part counts as omitted', () => {
    for (const text of ['', 'null', '[]', '7', '{', '{"texts":null,"hours":"always","colors":{"light":{"ink":"red"}}}'])
      expect(parseBrand(text)).toEqual(parseBrand('{}'))
  })

  it('is refused with the path of the error and the expected value', () => {
    expect(brandProblem('red')).toBe('brand is a JSON object.')
    expect(brandProblem('[]')).toBe('brand is a JSON object.')
    expect(problemOf({ nmae: 'Stow' })).toMatch(/^brand\.nmae is not known; there are name, legalName,/)
    expect(problemOf({ name: '' })).toBe('brand.name should not be empty.')
    expect(problemOf({ phone: '(888) 555-0100' })).toBe('brand.phone should be 10 digits.')
    expect(problemOf({ hours: [{ days: 'Mon' }] })).toMatch(/^brand\.hours\.0\.hours /)
    expect(problemOf({ texts: { why: 'us' } })).toBe('brand.texts.why should be a list.')
    expect(problemOf({ shareImage: 'data:image/svg+xml;base64,PHN2Zy8+' })).toMatch(
      /^brand\.shareImage should be a png, webp or jpeg/,
    )
    expect(problemOf({ icon: 'icon.png' })).toMatch(/^brand\.icon should be a picture/)
    expect(problemOf({ logo: 'https://elsewhere.example/logo.svg' })).toMatch(
      /^brand\.logo should be a picture of at most 150 kB/,
    )
    expect(problemOf({ colors: { light: { door: 'yellow' } } })).toBe(
      'brand.colors.light.door should be a color such as #FFC83D.',
    )
    expect(problemOf({ colors: { light: { dor: '#FFC83D' } } })).toMatch(
      /^brand\.colors\.light\.dor is no color of the site; those are paper,/,
    )
    expect(problemOf({ colors: { light: { door: '#FFC83D;}body{display:none' } } })).not.toBeNull()
    expect(problemOf({})).toBeNull()
    expect(
      problemOf({
        name: 'Stow',
        phone: '8885550100',
        hours: [{ days: 'Mon', hours: '9 to 5' }],
        texts: { hero: 'Stow it.' },
      }),
    ).toBeNull()
  })

  it('is refused with colors without enough contrast', () => {
    expect(problemOf({ colors: { light: { door: '#0F7658' } } })).toBe(
      'brand.colors.light: onDoor #14191C on door #0F7658 has a contrast of 3.2; it needs 4.5.',
    )
    expect(problemOf({ colors: { light: { door: '#0F7658', doorEdge: '#0B5A43', onDoor: '#FFFFFF' } } })).toBeNull()
    expect(problemOf({ colors: { dark: { paper: '#FFFFFF' } } })).toMatch(
      /^brand\.colors\.dark: ink #F3F0E8 on paper #FFFFFF/,
    )
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#777777', '#777777')).toBe(1)
  })

  it.each(['light', 'dark'] as const)('%s: text reaches 4.5:1 on every surface and edges of inputs 3:1', (scheme) => {
    const colors = palette[scheme]
    for (const surface of ['paper', 'card', 'wash'] as const) {
      for (const text of ['ink', 'soft', 'link', 'pine', 'brick'] as const)
        expect(contrast(colors[text], colors[surface]), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colors.edge, colors[surface]), `edge on ${surface}`).toBeGreaterThanOrEqual(3)
    }
    expect(contrast(colors.onDoor, colors.door)).toBeGreaterThanOrEqual(7)
  })

  it('becomes a style sheet of the differences from Latchkey’s own, each color in its scheme', () => {
    expect(brandStyleSheet(parseBrand('{}'))).toBe('')
    expect(brandStyleSheet(parseBrand(JSON.stringify({ colors: palette })))).toBe('')
    const custom = { light: { door: '#0F7658', onDoor: '#FFFFFF', ink: '#14191c' }, dark: { link: '#AACCFF' } }
    expect(brandStyleSheet(parseBrand(JSON.stringify({ colors: custom })))).toBe(
      '@media not all and (prefers-color-scheme:dark){:root{--color-door:#0F7658;--color-on-door:#FFFFFF}}' +
        '@media (prefers-color-scheme:dark){:root{--color-link:#AACCFF}}',
    )
  })

  it('contains the logo as a picture', () => {
    expect(brandPicture(parseBrand('{}').logo)).toBeNull()
    expect(brandPicture(parseBrand('{"logo":"data:image/png;base64,iVBORw0KGgo="}').logo)).toEqual({
      type: 'image/png',
      base64: 'iVBORw0KGgo=',
    })
  })

  it('starts from the colors of the site’s own style sheet', () => {
    const sheet = readFileSync(new URL('../../../app/styles/theme.css', import.meta.url), 'utf8')
    const light = sheet.slice(0, sheet.indexOf('@layer base'))
    const dark = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/.exec(sheet)?.[1] ?? ''
    const inSheet = (text: string, name: ColorName) => {
      const value = new RegExp(
        `--color-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: (#[0-9a-f]+);`,
      ).exec(text)?.[1]
      return value?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3').toUpperCase()
    }
    for (const name of Object.keys(palette.light) as ColorName[]) {
      expect([name, inSheet(light, name)]).toEqual([name, palette.light[name]])
      expect([name, inSheet(dark, name) ?? inSheet(light, name)]).toEqual([name, palette.dark[name]])
    }
    expect(sheet).toContain(
      `--color-door-line: color-mix(in srgb, var(--color-door-edge) ${DOOR_LINE_SHARE * 100}%, var(--color-on-door));`,
    )
    expect(doorLineColor({ doorEdge: '#646400', onDoor: '#000000' })).toBe('#5d5d00')
  })
})
