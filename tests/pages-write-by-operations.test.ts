/** Pages write by operations, except for the acts listed here, such as those on what their own session has opened. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Definition, definitionOf, importsOf, leadsTo } from './follow-source-definitions.ts'
import { kindOf, operationsIn, root, sourcesOf } from './structure.ts'

/** Plain functions of `operations/` folders that pages call and that write, by the reason why none is an operation. */
const actsOfPages: Readonly<Record<string, readonly string[]>> = {
  "The session's own rental draft, which the page has opened": [
    'attachReservationToTenant',
    'cancelReservation',
    'chooseAutopay',
    'compareShownPrice',
    'extendRentalHold',
    'quoteBankPayment',
    'offerLease',
    'offerPaymentMethods',
    'openRentalCardPage',
    'payRentalFromBankAccount',
    'recordTextConsentForAddedPhone',
    'saveAnswersWithRetry',
    'saveStepAnswers',
    'signRentalLease',
    'startDraft',
    'storeShownPrice',
  ],
  "The session's own checkout or personal link, which the page has opened": [
    'acknowledgeAuctionRules',
    'openCheckoutCardPage',
    'openLinkCardPage',
    'openReservationLink',
    'payCheckoutFromBankAccount',
    'recordCardFormVisit',
    'settleOrderInCardFrame',
    'settleOrderAfterCardPage',
    'turnAutopayOffByLink',
  ],
  'The order of a return address whose session is lost: it is settled, and only its state is shown': [
    'settleOrderOfLostSession',
  ],
  'Signing in: nobody is known yet whose access an operation could check': [
    'acceptInvitation',
    'consumeStaffUnlock',
    'mailRegistrationLink',
    'mailStaffUnlock',
    'mailUnlockLink',
    'signInByPasskey',
    'carrySessionIntoAccount',
    'startPasskeySignIn',
    'startStaffPasskeyRequest',
    'verifySecondFactor',
    'startOfficeSignIn',
  ],
  "The sign-in that the page's own cookie holds: adding a factor to it, proving it again, ending it": [
    'addFactor',
    'endAccountSession',
    'endOfficeSignIn',
    'startPasskeyRegistration',
    'startStaffPasskeyRegistration',
  ],
  'A form that waits for a second factor, and the price shown at the desk': [
    'deleteStoredForm',
    'quoteAtDesk',
    'storeFormForSecondFactor',
  ],
  "The transfer that QuoteTransfer has just answered for the caller's lease": ['getTransferSigningLink'],
  'The development mailbox': ['simulateTextMessageReply'],
}

/** Views that name a list of messages or table cards, which leads to a writing function that they do not call. */
const viewsNamingWriters = [
  'loadErasurePreview',
  'loadExportPreview',
  'loadMailbox',
  'loadMailboxMessage',
  'loadMailboxMessagePage',
]

const writes = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\benqueue(?:All)?\(/
const leadsToWrite = (definition: Definition) => leadsTo(definition, (found) => writes.test(found.text))

/** Returns whether a definition is an operation, which `perform` checks, and no plain function. */
const isOperation = ({ path, name }: Definition): boolean =>
  operationsIn(readFileSync(join(root, path), 'utf8')).includes(name)

/** Returns the functions of a kind of folder that a page's text imports. */
const importedFrom = (kind: ReturnType<typeof kindOf>, path: string, text: string): Definition[] =>
  [...importsOf(path, text).values()].flatMap((imported) => {
    const isOfKind = imported.path.startsWith('modules/') && kindOf(imported.path) === kind
    return (isOfKind && definitionOf(imported.path, imported.name)) || []
  })

const plainActsIn = (path: string, text: string): string[] =>
  importedFrom('operations', path, text)
    .filter((definition) => !isOperation(definition) && leadsToWrite(definition))
    .map(({ name }) => name)

const namesIn = (find: (path: string, text: string) => string[]): string[] => [
  ...new Set(sourcesOf('app').flatMap(({ path, text }) => find(path, text))),
]

it('a page writes by operations, except for the listed acts', () => {
  expect(namesIn(plainActsIn).sort()).toEqual(Object.values(actsOfPages).flat().sort())
})

it('finds an act that is no operation', () => {
  const signing = "import { startOfficeSignIn } from '../modules/staff/operations/start-office-sign-in.ts'\n"
  expect(plainActsIn('app/page.tsx', signing)).toEqual(['startOfficeSignIn'])
  const waiving = "import { WaiveCharge } from '../modules/ledger/operations/waive-charge.ts'\n"
  expect(plainActsIn('app/page.tsx', waiving)).toEqual([])
})

it('views write nothing', () => {
  const writing = namesIn((path, text) =>
    importedFrom('views', path, text)
      .filter(leadsToWrite)
      .map(({ name }) => name),
  )
  expect(writing.sort()).toEqual(viewsNamingWriters)
  const written = sourcesOf('modules').filter(({ path, text }) => kindOf(path) === 'views' && writes.test(text))
  expect(written.map(({ path }) => path)).toEqual([])
})
