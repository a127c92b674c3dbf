import { describe, expect, test } from 'vitest'
import { seededRandom } from '../testing-clock-and-random.ts'
import { gazetteer } from './gazetteer.ts'
import { geocoderContract } from './geocoder.contract.ts'

geocoderContract('gazetteer', gazetteer)

const places = gazetteer()
async function search(query: string): Promise<string> {
  const answer = await places.find(query)
  return answer.found ? answer.found.label : answer.why
}

describe('queries', () => {
  test.each([
    ['atlanta', 'Atlanta, GA'],
    ['  ATLANTA ,  ga ', 'Atlanta, GA'],
    ['Atlanta GA', 'Atlanta, GA'],
    ['atlanta georgia', 'Atlanta, GA'],
    ['Atlanta, Georgia', 'Atlanta, GA'],
    ['Atlanta, Ga., USA', 'Atlanta, GA'],
    ['Columbus, GA', 'Columbus, GA'],
    ['Charleston West Virginia', 'Charleston, WV'],
    ['N. Charleston, S. Carolina', 'North Charleston, SC'],
    ['Kansas City, Kansas', 'Kansas City, KS'],
    ['Kansas City', 'Kansas City, MO'],
    ['Virginia Beach VA', 'Virginia Beach, VA'],
    ['St. Louis', 'Saint Louis, MO'],
    ['saint louis, mo', 'Saint Louis, MO'],
    ['Ft Worth', 'Fort Worth, TX'],
    ['Fort Lauderdale', 'Fort Lauderdale, FL'],
    ['Mt. Pleasant, SC', 'Mount Pleasant, SC'],
    ['Española', 'Espanola, NM'],
    ['Hale‘iwa', 'Haleiwa, HI'],
    ['winston salem', 'Winston-Salem, NC'],
    ["coeur d'alene", "Coeur d'Alene, ID"],
    ['New York', 'New York, NY'],
    ['NYC', 'New York, NY'],
    ['Brooklyn', 'Brooklyn, NY'],
    ['Washington', 'Washington, DC'],
    ['Washington, D.C.', 'Washington, DC'],
    ['Lexington', 'Lexington, KY'],
    ['Georgia', 'Atlanta, GA'],
    ['San Juan, PR', 'San Juan, PR'],
  ])('the city %s', async (query, label) => expect(await search(query)).toBe(label))

  test.each([
    ['00501', '00501 Holtsville, NY'],
    ['30308 1234', '30308 Atlanta, GA'],
    ['303081234', '30308 Atlanta, GA'],
    ['Atlanta, GA 30308', '30308 Atlanta, GA'],
    ['675 North Ave NE, Atlanta, GA 30308-1234', '30308 Atlanta, GA'],
    ['12345 Main Street, Atlanta, GA', 'Atlanta, GA'],
    ['99999', 'unknown'],
    ['3030', 'unknown'],
    ['303080', 'unknown'],
    ['09001', 'outside'],
  ])('the ZIP or address %s', async (query, label) => expect(await search(query)).toBe(label))

  test.each(['Toronto', 'Toronto, ON', 'Vancouver BC', 'London', 'Montréal', 'Mexico City', 'Canada', 'Paris, France'])(
    '%s is outside',
    async (query) => expect(await search(query)).toBe('outside'),
  )
  test.each(['M5V 3L9', 'm5v3l9', 'M5V', 'SW1A 1AA', 'México'])(
    'the postal code or country %s is outside',
    async (query) => expect(await search(query)).toBe('outside'),
  )

  test.each([
    ['Toronto, OH', 'Toronto, OH'],
    ['Mexico, MO', 'Mexico, MO'],
    ['Ontario', 'Ontario, CA'],
    ['Vancouver', 'Vancouver, WA'],
    ['Rome', 'Rome, GA'],
    ['Naples', 'Naples, FL'],
    ['Athens', 'Athens, GA'],
    ['Birmingham', 'Birmingham, AL'],
    ['Lebanon', 'Lebanon, TN'],
  ])('%s is a US city in spite of its namesake abroad', async (query, label) => expect(await search(query)).toBe(label))

  test('finds the largest city whose name begins with the text', async () => {
    expect(await search('Atl')).toBe('Atlanta, GA')
    expect(await search('savan')).toBe('Savannah, GA')
    expect(await search('Savan, GA')).toBe('Savannah, GA')
    expect(await search('new orl')).toBe('New Orleans, LA')
    expect(await search('at')).toBe('unknown')
  })

  test('never finds a city in a state other than the named one', async () => {
    expect(await search('Atlanta, WY')).toBe('unknown')
    expect(await search('Atlanta, ZZ')).toBe('unknown')
  })

  test('lists namesakes once per state, the most populous first, and only if the query names no state', async () => {
    const open = await places.find('Springfield')
    if (!open.found) throw new Error('Springfield was not found')
    const states = [open.found, ...open.others].map((place) => place.state)
    expect(states.slice(0, 3)).toEqual(['MO', 'MA', 'IL'])
    expect(new Set(states).size).toBe(states.length)
    expect(await places.find('Springfield, IL')).toMatchObject({ found: { state: 'IL' }, others: [] })
  })

  test('finds each place by its own label', async () => {
    for (const query of ['Springfield', 'Portland', 'Saint Petersburg', "O'Fallon", '30308', '96712']) {
      const answer = await places.find(query)
      if (!answer.found) throw new Error(`${query} was not found`)
      for (const place of [answer.found, ...answer.others])
        expect((await places.find(place.label)).found, place.label).toEqual(place)
    }
  })
})

test('never throws for 5,000 random queries', async () => {
  const random = seededRandom(7)
  const words = ['atlanta', 'st', 'ga', 'new', 'york', '30308', ',', '-', '', 'Ontario', 'UK', '\u0000', '😀', '\ud800']
  words.push('constructor', '__proto__', 'of', 'é', '\n', "'", '.', 'USA', '%', '99999-', 'x'.repeat(300), 'ﬁ', '東京')
  for (let i = 0; i < 5_000; i++) {
    let query = ''
    for (let n = random.integer(0, 6); n > 0; n--) {
      query +=
        random.integer(0, 3) === 0
          ? String.fromCharCode(random.integer(0, 0xffff))
          : words[random.integer(0, words.length - 1)]
      query += random.integer(0, 1) === 0 ? ' ' : ''
    }
    const answer = await places.find(query)
    if (!answer.found) expect(['outside', 'unknown']).toContain(answer.why)
    else {
      expect(answer.found.state).toMatch(/^[A-Z]{2}$/)
      expect(Math.abs(answer.found.lat)).toBeLessThan(72)
      expect(Number.isFinite(answer.found.lng)).toBe(true)
    }
  }
})
