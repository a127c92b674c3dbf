/** Prices and notices that the office sets; what a visitor sees follows at once. */
import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { defaultPrivacyTerms } from '../../../domain/office/privacy-terms.ts'
import { defaultRentRules, RENT_MAX, type RentRules } from '../../../domain/office/rent-change.ts'
import { BANK_REFUND_DAYS } from '../../../domain/refund.ts'
import {
  longestSitePage,
  type SitePageName,
  type SitePageSetting,
  sitePageNames,
  sitePageSetting,
  sitePages,
} from '../../../domain/site-pages.ts'
import { changedSince } from '../../../domain/texts/office.ts'
import { everywhereOnly, nothingChanged, webAboveStreet } from '../../../domain/texts/setup.ts'
import { sizeLabel } from '../../../domain/unit-type.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { engineOf } from '../../../platform/database/engine.ts'
import {
  type Callers,
  facilitiesFor,
  may,
  mayAnywhere,
  type StaffCaller,
} from '../../../platform/operations/callers.ts'
import { locationCode, plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { setSetting, settingOf } from '../settings.ts'
import { facilityChanged, lockFacility, setupReason } from '../setup-lock.ts'

const rate = v.pipe(
  v.number('Enter an amount in dollars.'),
  v.integer('Enter an amount in dollars.'),
  v.minValue(100, 'A rate is $1.00 at least.'),
  v.maxValue(RENT_MAX, 'A rate is $10,000.00 at most.'),
)

interface Rates {
  rent: Cents
  internet_price: Cents
  internet_price_available: 0 | 1
}

/** '$169.00, on the web $139.00' */
const ratesText = ({ rent, internet_price, internet_price_available }: Rates): string =>
  `${format(rent)}, ${internet_price_available === 1 ? `on the web ${format(internet_price)}` : 'by phone only'}`

const sameRates = (a: Rates, b: Rates): boolean =>
  a.rent === b.rent &&
  a.internet_price === b.internet_price &&
  a.internet_price_available === b.internet_price_available

export const SaveStreetRates = internalOperation({
  name: 'SaveStreetRates',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    rates: v.pipe(
      v.array(
        v.pipe(
          v.object({
            unit_type_id: v.pipe(v.number(), v.integer()),
            rent: rate,
            internet_price: rate,
            internet_price_available: v.picklist([0, 1]),
            /** As the form showed them. */
            before: v.object({
              rent: v.number(),
              internet_price: v.number(),
              internet_price_available: v.picklist([0, 1]),
            }),
          }),
          v.forward(
            v.check((one) => one.internet_price_available === 0 || one.internet_price <= one.rent, webAboveStreet),
            ['internet_price'],
          ),
        ),
      ),
      v.minLength(1),
      v.maxLength(200),
    ),
    reason: setupReason,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      rates: [
        {
          unit_type_id: 1,
          rent: 17900,
          internet_price: 14900,
          internet_price_available: 1,
          before: { rent: 16900, internet_price: 13900, internet_price_available: 1 },
        },
      ],
      reason: 'Spring rates',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code } = input
      if (!(await lockFacility(tx, location_code))) return notOnFile
      const types = await tx
        .selectFrom('unit_types')
        .selectAll()
        .where('location_code', '=', location_code)
        .orderBy('unit_type_id')
        .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
        .execute()
      const changes: Record<string, [string, string]> = {}
      const known = new Map(types.map((type) => [type.unit_type_id, type]))
      if (input.rates.some(({ unit_type_id }) => !known.has(unit_type_id))) return notOnFile
      for (const wanted of input.rates) {
        const type = known.get(wanted.unit_type_id)
        if (!type || sameRates(wanted, wanted.before)) continue
        if (!sameRates(type, wanted.before)) return refuse(409, 'changed', changedSince)
        const { rent, internet_price, internet_price_available } = wanted
        changes[`${sizeLabel(type)} ${type.category_name}`] = [ratesText(type), ratesText(wanted)]
        await tx
          .updateTable('unit_types')
          .set({ rent, internet_price, internet_price_available })
          .where((eb) => eb.and({ location_code, unit_type_id: wanted.unit_type_id }))
          .execute()
      }
      const count = Object.keys(changes).length
      if (count === 0) return refuse(409, 'same', nothingChanged)
      await audit(tx, services, staffActor(callers), {
        kind: 'rates.saved',
        details: { what: `${count} ${count === 1 ? 'rate' : 'rates'} at ${location_code}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
        changes,
      })
      await facilityChanged(tx, services, location_code)
      return succeed({ changed: count })
    }),
})

/** What is set for the whole site is set by who holds the permission for all of it. */
const everywhere = ({ staff }: Callers): boolean => facilitiesFor(staff as StaffCaller, 'setup.save') === 'all'

const pagesOf = <Value>(of: (name: SitePageName) => Value) =>
  Object.fromEntries(sitePageNames.map((name) => [sitePageSetting(name), of(name)])) as Record<SitePageSetting, Value>

const siteSettings = {
  app_banner: { names: 'banner', was: '' },
  maintenance: { names: 'maintenance mode', was: 'false' },
  rent_rules: { names: 'cap of rent increases', was: JSON.stringify(defaultRentRules) },
  bank_refund_days: { names: 'days before a bank debit is refunded', was: String(BANK_REFUND_DAYS) },
  privacy: { names: 'how long data is kept', was: JSON.stringify(defaultPrivacyTerms) },
  ...pagesOf((name) => ({ names: `page ${sitePages[name]}`, was: '' })),
}

const pageText = v.pipe(plainText, v.trim(), v.maxLength(longestSitePage, 'A page has at most 60,000 characters.'))

const wholeFrom = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,4}$/, 'Enter a whole number.'),
    v.transform(Number),
    v.check((given) => given >= least && given <= most, `From ${least} to ${most.toLocaleString('en-US')}.`),
  )

const value = {
  app_banner: v.pipe(plainText, v.trim(), v.maxLength(2000, 'A banner has at most 2,000 characters.')),
  maintenance: v.picklist(['true', 'false']),
  rent_rules: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,3}$/, 'Enter whole percent.'),
    v.transform((text): RentRules => ({ capPercent: Number(text) })),
    v.check(({ capPercent }) => capPercent >= 1 && capPercent <= 100, 'From 1 to 100 percent.'),
    v.transform((rules) => JSON.stringify(rules)),
  ),
  bank_refund_days: v.pipe(wholeFrom(0, 365), v.transform(String)),
  privacy: v.pipe(
    v.object({
      leaseYears: wholeFrom(1, 50),
      disputeDays: wholeFrom(30, 1000),
      exportsPerDay: wholeFrom(1, 1000),
    }),
    v.transform((terms) => JSON.stringify(terms)),
  ),
  ...pagesOf(() => pageText),
}

/** The audit says how long a page was and is; its words stand on the page. */
const isPage = (name: string) => name.startsWith('page_')
const lettersOf = (text: string) => `${text.length} characters`

const setting = <const Name extends keyof typeof siteSettings>(name: Name) =>
  v.object({ name: v.literal(name), value: value[name], before: plainLine })

/** Banner, maintenance, the cap of rent increases, the wait of bank refunds and how long data is kept: of the whole site. */
export const SaveSiteSetting = internalOperation({
  name: 'SaveSiteSetting',
  access: { staff: mayAnywhere('setup.save') },
  input: v.variant('name', [
    setting('app_banner'),
    setting('maintenance'),
    setting('rent_rules'),
    setting('bank_refund_days'),
    setting('privacy'),
    ...sitePageNames.map((name) => setting(sitePageSetting(name))),
  ]),
  example: { input: { name: 'app_banner', value: '<b>Open on Thanksgiving</b>', before: '' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      if (!everywhere(callers)) return refuse(403, 'forbidden', everywhereOnly)
      const { names, was } = siteSettings[input.name]
      const now = (await settingOf(tx, input.name)) ?? was
      if (now !== input.before) return refuse(409, 'changed', changedSince)
      if (now === input.value) return refuse(409, 'same', nothingChanged)
      await setSetting(tx, input.name, input.value, services.clock.now())
      await audit(tx, services, staffActor(callers), {
        kind: 'setting.saved',
        details: { what: names },
        permission: 'setup.save',
        changes: { [names]: isPage(input.name) ? [lettersOf(now), lettersOf(input.value)] : [now, input.value] },
      })
      await bumpContentVersion(tx)
      return succeed({ saved: true })
    }),
})

export const setupOperations = [SaveStreetRates, SaveSiteSetting]
