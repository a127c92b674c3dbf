import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { defaultPrivacyTerms } from '../../privacy/rules/retention-and-export-limit-setting.ts'
import { BANK_REFUND_DAYS } from '../../refunds/rules/why-not-refundable.ts'
import { defaultRentRules, type RentRules } from '../../rent-changes/rules/rent-change.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { requireWholeSite } from '../internal/require-permission-at-all-facilities.ts'
import { lockSetting, setSetting } from '../operator-settings-and-brand.ts'
import {
  SITE_PAGE_MAX_LENGTH,
  type SitePageName,
  type SitePageSetting,
  sitePageNames,
  sitePageSetting,
  sitePages,
} from '../rules/operator-text-pages.ts'
import { nothingChanged } from '../texts/setup-and-appointment-errors.ts'

/** Returns a value for each page's setting, by the setting's name. */
const pagesOf = <Value>(valueFor: (name: SitePageName) => Value) =>
  Object.fromEntries(sitePageNames.map((name) => [sitePageSetting(name), valueFor(name)])) as Record<
    SitePageSetting,
    Value
  >

/** Settings of the whole site: `label` is for the audit event, `initial` the value while none is stored. */
const siteSettings = {
  app_banner: { label: 'banner', initial: '' },
  maintenance: { label: 'maintenance mode', initial: 'false' },
  rent_rules: { label: 'cap of rent increases', initial: JSON.stringify(defaultRentRules) },
  bank_refund_days: { label: 'days before a bank debit is refunded', initial: String(BANK_REFUND_DAYS) },
  privacy: { label: 'how long data is kept', initial: JSON.stringify(defaultPrivacyTerms) },
  ...pagesOf((name) => ({ label: `page ${sitePages[name]}`, initial: '' })),
}

const pageText = v.pipe(plainText, v.trim(), v.maxLength(SITE_PAGE_MAX_LENGTH, 'A page has at most 60,000 characters.'))

const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    plainLine,
    v.trim(),
    v.regex(/^\d{1,4}$/, 'Enter a whole number.'),
    v.transform(Number),
    v.check(
      (number) => number >= minimum && number <= maximum,
      `From ${minimum} to ${maximum.toLocaleString('en-US')}.`,
    ),
  )

/** Schemas of the typed values. Each converts its value to the text that is stored. */
const valueSchemas = {
  app_banner: v.pipe(plainText, v.trim(), v.maxLength(2000, 'A banner has at most 2,000 characters.')),
  maintenance: v.picklist(['true', 'false']),
  rent_rules: v.pipe(
    plainLine,
    v.trim(),
    v.regex(/^\d{1,3}$/, 'Enter whole percent.'),
    v.transform((text): RentRules => ({ capPercent: Number(text) })),
    v.check(({ capPercent }) => capPercent >= 1 && capPercent <= 100, 'From 1 to 100 percent.'),
    v.transform((rules) => JSON.stringify(rules)),
  ),
  bank_refund_days: v.pipe(wholeNumber(0, 365), v.transform(String)),
  privacy: v.pipe(
    v.object({
      leaseYears: wholeNumber(1, 50),
      disputeDays: wholeNumber(30, 1000),
      exportsPerDay: wholeNumber(1, 1000),
    }),
    v.transform((terms) => JSON.stringify(terms)),
  ),
  ...pagesOf(() => pageText),
}

/** Returns whether a setting is a page's text. The audit event records only the length of such a text. */
const isPage = (name: string) => name.startsWith('page_')

const formatLength = (text: string) => `${text.length} characters`

/** Returns the input schema of one setting. `before` is the value that the form showed, as stored. */
const settingInput = <const Name extends keyof typeof siteSettings>(name: Name) =>
  v.object({ name: v.literal(name), value: valueSchemas[name], before: plainLine })

/**
 * Saves a setting of the whole site: banner, maintenance, cap of rent increases, delay of bank refunds, data retention,
 * or a page's text.
 */
export const SaveSiteSetting = officeOperation({
  name: 'SaveSiteSetting',
  permission: 'setup.save',
  access: mayAnywhere('setup.save'),
  input: v.variant('name', [
    settingInput('app_banner'),
    settingInput('maintenance'),
    settingInput('rent_rules'),
    settingInput('bank_refund_days'),
    settingInput('privacy'),
    ...sitePageNames.map((name) => settingInput(sitePageSetting(name))),
  ]),
  example: { name: 'app_banner', value: '<b>Open on Thanksgiving</b>', before: '' },
  async work({ tx, services, staff, audit }, input) {
    requireWholeSite(staff)
    const { label, initial } = siteSettings[input.name]
    const current = (await lockSetting(tx, input.name)) ?? initial
    if (current !== input.before) throw refusalError(409, 'changed', changedSince)
    if (current === input.value) throw refusalError(409, 'same', nothingChanged)
    await setSetting(tx, input.name, input.value, services.clock.now())
    await audit({
      kind: 'setting.saved',
      details: { what: label },
      changes: {
        [label]: isPage(input.name) ? [formatLength(current), formatLength(input.value)] : [current, input.value],
      },
    })
    await bumpContentVersion(tx)
    return { saved: true }
  },
})
