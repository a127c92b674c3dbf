import { stateName } from '../../../domain/states.ts'

/**
 * State-specific terms of the rental agreement. An operator's counsel must review them before the first lease is
 * signed.
 */
export interface StateTerms {
  /**
   * Name of the lien act or chapter as part of a sentence: 'the Georgia Self-Service Storage Facility Act of 2013
   * (O.C.G.A. § 10-4-210 and following)'.
   */
  lienLaw: string
  /** Additional paragraphs of the lien section. */
  lien: string[]
  /** Sentences on the lien that are printed so that they stand out, as some states require. */
  conspicuous: string
}

const byState: Record<string, StateTerms> = {
  AL: {
    lienLaw: 'the Alabama Self-Service Storage Act (Code of Alabama § 8-15-30 and following)',
    lien: [
      'Our lien attaches on the day you bring property into the unit. Before a sale we send a notice of default to your last known address and advertise the sale as Alabama law requires.',
    ],
    conspicuous:
      'Your property is subject to a lien in favor of the owner of the facility and may be sold to satisfy that lien if you are in default.',
  },
  AZ: {
    lienLaw: 'the Arizona self-service storage law (Arizona Revised Statutes § 33-1701 and following)',
    lien: [
      'Arizona law lets us send lien notices to the mail or e-mail address you gave us last. Tell us of every change of address, so that a notice reaches you.',
    ],
    conspicuous:
      'Your stored property is subject to our lien. If you are in default, it may be sold to satisfy the lien.',
  },
  CA: {
    lienLaw:
      'the California Self-Service Storage Facility Act (California Business and Professions Code § 21700 and following)',
    lien: [
      'If any part of what you owe stays unpaid for 14 days in a row, we may send you a preliminary lien notice. It states the sum, the date by which it must be paid, and that we may end your right to use the unit and enter it if it is not.',
      'You may give us, in writing and at any time, the name and address of another person to whom lien notices are to be sent as well. You may also answer a notice of lien sale with a declaration in opposition to the sale.',
    ],
    conspicuous:
      'Your stored property will be subject to a claim of lien and may be sold to satisfy the lien if the rent or other charges due remain unpaid for 14 consecutive days.',
  },
  CO: {
    lienLaw:
      'the Colorado law on self-service storage facility liens (Colorado Revised Statutes § 38-21.5-101 and following)',
    lien: [
      'Before a sale we send a notice with an itemized statement of the claim and a date by which to pay, and we advertise the sale, as Colorado law requires.',
    ],
    conspicuous:
      'We have a lien on all personal property you store here. It may be sold to satisfy the lien if you are in default.',
  },
  FL: {
    lienLaw: 'the Florida Self-storage Facility Act (Florida Statutes § 83.801 and following)',
    lien: [
      'Under Florida law we may deny you access to the unit once rent is overdue. Notices go to your last known address, or by e-mail where you have agreed to that; you agree to notice by e-mail by signing this agreement.',
    ],
    conspicuous:
      'We have a lien on all personal property you store here. It may be sold or otherwise disposed of to satisfy the lien if you are in default.',
  },
  GA: {
    lienLaw: 'the Georgia Self-Service Storage Facility Act of 2013 (O.C.G.A. § 10-4-210 and following)',
    lien: [
      'In Georgia you may name a designated agent: a person who also receives the notices of default we send to you. Naming an agent gives that person no right to the unit and no duty to pay.',
    ],
    conspicuous:
      'The owner has a lien on all personal property stored in your unit for rent and other charges. If you are in default, the owner may enforce the lien by selling the property, after the notices that Georgia law requires.',
  },
  NC: {
    lienLaw: 'Article 4 of Chapter 44A of the North Carolina General Statutes (§ 44A-40 and following)',
    lien: [
      'Before a sale we send a notice of lien to your last known address and to every person with a recorded interest whom we know of. You may object to the sale within the time that the notice states.',
    ],
    conspicuous:
      'We have a lien on the property in your unit for rent and other charges, and may sell it at a public sale if you are in default.',
  },
  SC: {
    lienLaw: 'the South Carolina Self-Service Storage Facilities Act (South Carolina Code § 39-20-10 and following)',
    lien: [
      'South Carolina law lets you choose whether notices of default are sent by mail or by e-mail. Your choice is in the section on notices; you may change it in writing at any time.',
    ],
    conspicuous:
      'We have a lien on all personal property in your unit. If you are in default, the property may be sold to satisfy the lien.',
  },
  TN: {
    lienLaw: 'the Tennessee Self-Service Storage Facility Act (Tennessee Code Annotated § 66-31-101 and following)',
    lien: [
      'Our lien attaches on the day you bring property into the unit. Before a sale we send notice of the default, with the sum and a date by which to pay, and advertise the sale as Tennessee law requires.',
    ],
    conspicuous:
      'The personal property in your unit is subject to our lien and may be sold to satisfy it if you are in default.',
  },
  TX: {
    lienLaw: 'Chapter 59 of the Texas Property Code',
    lien: [
      'Chapter 59 lets us enforce the lien without a court, by seizing the contents and selling them at a public auction, after the notice of claim and the time to pay that the chapter gives you.',
    ],
    conspicuous:
      'You agree that the contents of the unit are subject to a contractual lien and to the lien of Chapter 59 of the Texas Property Code, and may be seized and sold to satisfy what you owe if you are in default.',
  },
}

/** Returns a state's terms by its two-letter code, or general terms for other states. */
export function stateTerms(code: string): StateTerms {
  const name = stateName(code)
  return (
    byState[code] ?? {
      lienLaw: `the self-storage lien law of ${name}`,
      lien: [`Notices, waiting times and the manner of a sale follow the law of ${name}.`],
      conspicuous:
        'The property in your unit is subject to our lien and may be sold to satisfy it if you are in default.',
    }
  )
}

export const statesWithOwnTerms: readonly string[] = Object.keys(byState)
