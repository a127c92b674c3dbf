/** Pages write by operations. What a page writes otherwise is its session's own, or precedes every sign-in. */
import { expect, it } from 'vitest'
import { definitionOf, importsOf, leadsTo } from './definitions.ts'
import { kindOf, sourcesOf } from './structure.ts'

/** Functions of records that write and that pages call, by the reason why no operation stands between. */
const calledByPages: Readonly<Record<string, readonly string[]>> = {
  "The session's own rental draft, which the page has opened": [
    'attachReservation',
    'cancelReservation',
    'consentToQuote',
    'detachDraft',
    'draftAfterSignIn',
    'openMoveInPayment',
    'payMoveInByBank',
    'recordTextConsent',
    'renewDraft',
    'saveAnswers',
    'signLease',
    'startDraft',
    'storeQuote',
  ],
  "The session's own checkout or personal link, which the page has opened": ['openReservationLink', 'settlePayment'],
  'Signing in: nobody is known yet whose access an operation could check': [
    'mailRegistrationLink',
    'mailUnlock',
    'resolveBearerToken',
    'signInByPasskey',
    'startPasskeySignIn',
  ],
  "The sign-in that the page's own cookie holds: adding a factor to it, proving it again, ending it": [
    'endSignIn',
    'startPasskeyRegistration',
  ],
  'The price shown at the desk': ['quoteAtDesk'],
  'The development mailbox': ['noticeSamples', 'recordReply', 'smsSamples'],
  'Reads: they name a function that writes only for somebody else': ['countHeldRows', 'planErasure'],
}

const writes = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\benqueue(?:All)?\(/

/** Returns the imported functions of records that lead to a write, by name. */
const writersIn = (path: string, text: string): string[] =>
  [...importsOf(path, text).values()].flatMap(({ path: module, name }) => {
    const definition = module.startsWith('modules/') && kindOf(module) === 'records' ? definitionOf(module, name) : null
    return definition && leadsTo(definition, (found) => writes.test(found.text)) ? [name] : []
  })

it('a page writes by operations, but for these functions', () => {
  const found = new Set(sourcesOf('app').flatMap(({ path, text }) => writersIn(path, text)))
  expect([...found].sort()).toEqual(Object.values(calledByPages).flat().sort())
})

it('finds a function that writes, also by another function', () => {
  const page = "import { storeQuote } from '../modules/reservations/draft-quote.ts'\n"
  expect(writersIn('app/page.tsx', page)).toEqual(['storeQuote'])
  const reading = "import { loadToday } from '../modules/facilities/facility-price-facts.ts'\n"
  expect(writersIn('app/page.tsx', reading)).toEqual([])
})
