import type { GazetteerIndex } from './gazetteer-index.ts'
import type { GeocodeAnswer, Geocoder, Place } from './geocoder.ts'
import { loadGazetteer } from './load-gazetteer.ts'
import { placeKey, plainWords } from './normalize-and-compare-place-names.ts'
import { isAbroad, stateCode } from './parse-state-and-country.ts'

const MAX_QUERY_LENGTH = 120
const CANADIAN_POSTAL_CODE = /^[abceghj-nprstvxy]\d[abceghj-nprstv-z](?:\s?\d[abceghj-nprstv-z]\d)?$/i
const BRITISH_POSTAL_CODE = /^[a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2}$/i
const UNITED_STATES = /(?:^|[\s,]+)(?:u\.?\s?s\.?(?:\s?a\.?)?|united states(?: of america)?)\s*$/i
const TRAILING_ZIP = /(?:^|[\s,])(\d{5})(?:[-–\s]?\d{4})?$/
const LEADING_ZIP = /^(\d{5})(?:[-–\s]?\d{4})?(?=[\s,])/

/**
 * Creates the offline geocoder of US ZIP codes and cities (spec 1 §1). Unpacks its table at the first call; never
 * throws. For a city name, its first letters, or a state it finds the most populous city; `others` are the other cities
 * of that name, for a state the cities named like it. 'outside': abroad, military post offices, and names of a far
 * larger foreign city (Toronto, London).
 */
export function gazetteer(): Geocoder {
  return {
    async find(query) {
      return search(loadGazetteer(), query)
    },
  }
}

const UNKNOWN: GeocodeAnswer = { found: null, why: 'unknown' }
const OUTSIDE: GeocodeAnswer = { found: null, why: 'outside' }

function search(index: GazetteerIndex, query: string): GeocodeAnswer {
  const normalized = query.slice(0, MAX_QUERY_LENGTH).normalize('NFKC').replace(/\s+/g, ' ').trim()
  if (CANADIAN_POSTAL_CODE.test(normalized) || BRITISH_POSTAL_CODE.test(normalized)) return OUTSIDE
  const text = normalized.replace(UNITED_STATES, '').replace(/[\s,]+$/, '')

  const trailingZip = TRAILING_ZIP.exec(text)
  if (trailingZip) return findByZip(index, Number(trailingZip[1]))
  const leadingZip = LEADING_ZIP.exec(text)
  if (leadingZip) {
    // '30308 Atlanta, GA' is a ZIP; '12345 Main Street, Atlanta, GA' is a house number.
    const place = findByParts(index, text.slice(leadingZip[0].length).replace(/^[\s,]+/, ''))
    const zip = findByZip(index, Number(leadingZip[1]))
    if (zip.found && place.found && zip.found.state === place.found.state) return zip
  }

  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // A street address is reduced to its last parts, but 'Nowhere, GA' never to its state.
  for (let skip = 0; skip < parts.length; skip++) {
    const rest = parts.slice(skip)
    if (skip > 0 && rest.length === 1 && stateCode(rest[0]!)) break
    const result = findByParts(index, rest.join(','))
    if (result.found || result.why === 'outside') return result
  }
  const alike = findSimilarPlaces(index, text)
  return alike.length === 0 ? UNKNOWN : { found: null, why: 'unknown', alike }
}

const MIN_MISSPELT_LENGTH = 4
const MIN_LENGTH_FOR_TWO_EDITS = 6
const MAX_ALIKE = 12

/** Finds cities whose names are similar to a misspelt one, with or without its state. */
function findSimilarPlaces(index: GazetteerIndex, text: string): Place[] {
  const words = plainWords(text).split(' ')
  const qualifiers = [1, 2].map((wordCount) => ({ wordCount, state: stateCode(words.slice(-wordCount).join(' ')) }))
  const { wordCount = 0, state = null } =
    qualifiers.find((qualifier) => qualifier.state && qualifier.wordCount < words.length) ?? {}
  const key = placeKey(words.slice(0, words.length - wordCount).join(' '))
  if (key.length < MIN_MISSPELT_LENGTH || /\d/.test(key)) return []
  return index
    .cityRowsAlike(key, key.length < MIN_LENGTH_FOR_TWO_EDITS ? 1 : 2)
    .filter((row) => state === null || index.city(row).state === state)
    .slice(0, MAX_ALIKE)
    .map((row) => cityPlace(index, row))
}

function findByZip(index: GazetteerIndex, zip: number): GeocodeAnswer {
  const row = index.zipRow(zip)
  if (row < 0) return UNKNOWN
  const { city, lat, lng } = index.zip(row)
  if (city < 0) return OUTSIDE
  const { name, state } = index.city(city)
  const digits = String(zip).padStart(5, '0')
  return { found: { label: `${digits} ${name}, ${state}`, city: name, state, zip: digits, lat, lng }, others: [] }
}

/** Finds a place by 'city', 'city, state' or 'city state', with at most one comma. */
function findByParts(index: GazetteerIndex, text: string): GeocodeAnswer {
  const [city = '', qualifier, ...rest] = text.split(',')
  if (rest.length > 0) return UNKNOWN
  if (qualifier !== undefined) {
    const result = findQualified(index, city, qualifier)
    const state = stateCode(qualifier)
    return (result?.found || !state ? result : findByPrefix(index, city, state)) ?? UNKNOWN
  }

  const unqualified = findByName(index, text)
  if (unqualified.found) return unqualified
  const words = plainWords(text).split(' ')
  for (let wordCount = Math.min(3, words.length - 1); wordCount >= 1; wordCount--) {
    const result = findQualified(index, words.slice(0, -wordCount).join(' '), words.slice(-wordCount).join(' '))
    if (result?.found || result?.why === 'outside') return result
  }
  return (unqualified.why === 'unknown' && findByPrefix(index, text)) || unqualified
}

/** Finds a city by name and state or country; null if `qualifier` is neither. */
function findQualified(index: GazetteerIndex, city: string, qualifier: string): GeocodeAnswer | null {
  const state = stateCode(qualifier)
  if (state) {
    const row = index.cityRows(placeKey(city)).find((candidate) => index.city(candidate).state === state)
    return row === undefined ? UNKNOWN : { found: cityPlace(index, row), others: [] }
  }
  return isAbroad(qualifier) ? OUTSIDE : null
}

function findByName(index: GazetteerIndex, text: string): GeocodeAnswer {
  const key = placeKey(text)
  if (key === '') return UNKNOWN
  const rows = index.cityRows(key)
  const population = rows.length > 0 ? index.city(rows[0]!).population : 0

  const state = stateCode(text)
  // 'New York' and 'Washington' mean the large city; a state's name without such a city means the state.
  if (state && population < 100_000) {
    const largest = index.largestCity(state)
    if (largest >= 0) return { found: cityPlace(index, largest), others: rows.map((row) => cityPlace(index, row)) }
  }
  // A country's name means the country, unless a US city of at least 20,000 people has the name too.
  if (isAbroad(text) && population < 20_000) return OUTSIDE
  const abroad = index.populationAbroad(key)
  if (rows.length === 0) return abroad > 0 ? OUTSIDE : UNKNOWN
  if (population < 15_000 && abroad >= 1_000_000 && abroad >= 100 * population) return OUTSIDE
  const [found, ...others] = rows.map((row) => cityPlace(index, row))
  return { found: found!, others }
}

const MIN_PREFIX_LENGTH = 3

/** Finds the most populous city whose name begins with the text: 'atl', 'savan', 'savan, ga'. */
function findByPrefix(index: GazetteerIndex, text: string, state?: string): GeocodeAnswer | null {
  const key = placeKey(text)
  const row = key.length < MIN_PREFIX_LENGTH ? -1 : index.largestBeginning(key, state)
  if (row < 0) return null
  const namesakes = state ? [] : index.cityRows(placeKey(index.city(row).name)).filter((other) => other !== row)
  return { found: cityPlace(index, row), others: namesakes.map((namesake) => cityPlace(index, namesake)) }
}

function cityPlace(index: GazetteerIndex, row: number): Place {
  const { name, state, lat, lng } = index.city(row)
  return { label: `${name}, ${state}`, city: name, state, zip: '', lat, lng }
}
