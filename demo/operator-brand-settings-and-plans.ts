import { sitePageNames, sitePageSetting } from '../modules/facilities/rules/operator-text-pages.ts'
import type { SettingsTable, StatesTable } from '../platform/schema/tables.ts'
import { sitePageTexts } from './site-page-texts.ts'

/**
 * Brand of the demo operator: one JSON record, stored in the setting `brand`, that another operator replaces. Phone
 * numbers have 10 digits.
 */
export const brand = {
  name: 'Latchkey',
  legalName: 'Latchkey Self Storage, LLC',
  tagline: 'Storage Made Simple.',
  phone: '8885550142',
  email: 'hello@latchkey.example',
  address: { street: '48 Mulberry Row', city: 'Macon', state: 'GA', zip: '31201' },
  hours: [
    { days: 'Mon–Fri', hours: '8 AM to 8 PM Eastern' },
    { days: 'Sat', hours: '9 AM to 6 PM Eastern' },
    { days: 'Sun', hours: '10 AM to 4 PM Eastern' },
  ],
  logo: '',
  icon: '',
  shareImage: '',
  texts: {
    hero: 'Storage Made Simple.',
    heroNote: 'Pick a door, sign on your phone, move in today. No desk, no paperwork, no waiting.',
    why: [
      {
        title: 'The whole price, first',
        text: 'What is due today and what comes every 30 days, with every fee and tax in it, before you give us your name.',
      },
      {
        title: 'Move in without a desk',
        text: 'Reserve without a card, sign on the screen, and your gate code works as soon as you have paid.',
      },
      {
        title: 'Leave when you like',
        text: 'Thirty days at a time and no deposit. Tell us the day before and the door is yours to empty.',
      },
    ],
    footer: 'Latchkey is a contactless operator: our people answer the phone, and you open the gate.',
  },
}

/** Settings that the site reads. Without a text there is no banner; maintenance 'true' closes the site. */
export const settings: Omit<SettingsTable, 'updated_at'>[] = [
  { name: 'app_banner', value: '' },
  { name: 'brand', value: JSON.stringify(brand) },
  { name: 'maintenance', value: 'false' },
  ...sitePageNames.map((name) => ({ name: sitePageSetting(name), value: sitePageTexts[name].trim() })),
]

/** States in which the operator has facilities, each with its own phone number (10 digits). */
export const states: StatesTable[] = [
  { short_name: 'AL', full_name: 'Alabama', map_img: 'al.svg', general_contact_number: '2055550100' },
  { short_name: 'AZ', full_name: 'Arizona', map_img: 'az.svg', general_contact_number: '6025550100' },
  { short_name: 'CO', full_name: 'Colorado', map_img: 'co.svg', general_contact_number: '7205550100' },
  { short_name: 'FL', full_name: 'Florida', map_img: 'fl.svg', general_contact_number: '8135550100' },
  { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg', general_contact_number: '4045550100' },
  { short_name: 'NC', full_name: 'North Carolina', map_img: 'nc.svg', general_contact_number: '9195550100' },
  { short_name: 'SC', full_name: 'South Carolina', map_img: 'sc.svg', general_contact_number: '8435550100' },
  { short_name: 'TN', full_name: 'Tennessee', map_img: 'tn.svg', general_contact_number: '6155550100' },
  { short_name: 'TX', full_name: 'Texas', map_img: 'tx.svg', general_contact_number: '5125550100' },
]

/** Insurance plans of every facility with insurance; coverage and premium (for 30 days) in cents. */
export const insuranceSchemes = [
  {
    scheme_id: 1,
    scheme_name: 'Tenant Protection $2,000',
    coverage: 2_000_00,
    premium: 12_00,
  },
  {
    scheme_id: 2,
    scheme_name: 'Tenant Protection $3,000',
    coverage: 3_000_00,
    premium: 16_00,
  },
  {
    scheme_id: 3,
    scheme_name: 'Tenant Protection $5,000',
    coverage: 5_000_00,
    premium: 24_00,
  },
].map((scheme) => ({
  ...scheme,
  terminology: [
    `Pays up to $${(scheme.coverage / 100).toLocaleString('en-US')} for your belongings while they are in your unit`,
    'if they are damaged or lost by fire, smoke, lightning, wind, hail, a burst pipe, a leaking roof, a collapsed',
    'building, vermin (up to $500) or a burglary with signs of forced entry. There is a deductible of $100 for each',
    'claim. Flood from outside, mold that was there before, money, jewelry, papers of value, animals, and vehicles',
    'licensed for the road are not covered. The premium is charged every 30 days with your rent; cover starts with',
    'your lease and ends when you move out or replace it with a policy of your own.',
  ].join(' '),
}))

/** File name of the insurance brochure, one for the whole operator. */
export const brochureFile = 'tenant-protection.pdf'
