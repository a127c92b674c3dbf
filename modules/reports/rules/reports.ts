/** The reports of the office: what each is called, says and goes by. */
import type { Permission } from '../../../domain/office/roles.ts'

/** 'span': from a day to a day; 'day': as a day ended; 'now': as it is. */
export type ReportOf = 'span' | 'day' | 'now'

interface Declared {
  title: string
  about: string
  of: ReportOf
  group: 'Units and rents' | 'Money' | 'People and work'
  /** Besides `report.read`: who works by it. */
  also?: Permission
  /** Lists tenants or leases: of several facilities the page shows sums, the file all rows. */
  lists?: true
}

export const reports = {
  occupancy: {
    title: 'Physical occupancy',
    about: 'Rented units of those that can be let, by unit and by area.',
    of: 'span',
    group: 'Units and rents',
  },
  'economic-occupancy': {
    title: 'Economic occupancy',
    about: 'Rents of open leases against the street rates of all units, for 30 days.',
    of: 'span',
    group: 'Units and rents',
  },
  'collected-occupancy': {
    title: 'Collected occupancy',
    about: 'Money that paid for rent against the rent that all units could have brought.',
    of: 'span',
    group: 'Units and rents',
  },
  'rate-variance': {
    title: 'Rate variance',
    about: 'Each lease’s rent against the street rate of its unit, and days since it changed.',
    of: 'day',
    group: 'Units and rents',
    lists: true,
  },
  'rent-roll': {
    title: 'Rent roll',
    about: 'Every unit that can be let: who rents it, since when, for how much.',
    of: 'day',
    group: 'Units and rents',
    lists: true,
  },
  receivables: {
    title: 'Receivables roll',
    about: 'What was owed, what came and went, and what is owed now.',
    of: 'span',
    group: 'Money',
  },
  aging: {
    title: 'Aging',
    about: 'What is owed, by days since it fell due, and what stands to tenants’ credit.',
    of: 'day',
    group: 'Money',
    lists: true,
  },
  revenue: {
    title: 'Revenue',
    about: 'What was charged, by kind, less what was forgiven; accrual basis.',
    of: 'span',
    group: 'Money',
  },
  tax: {
    title: 'Sales tax',
    about: 'Tax charged by rate and what was taxed, net of what was waived.',
    of: 'span',
    group: 'Money',
  },
  deposits: {
    title: 'Deposits',
    about: 'Money by the day it came and how, and what left again.',
    of: 'span',
    group: 'Money',
  },
  moves: {
    title: 'Move-ins and move-outs',
    about: 'Who came, who left and who changed units, with rent and length of stay.',
    of: 'span',
    group: 'People and work',
  },
  'past-due': {
    title: 'Past due',
    about: 'Leases that owe, by how long, and the lien case that is open.',
    of: 'day',
    group: 'People and work',
    lists: true,
  },
  'autopay-insurance': {
    title: 'Autopay and insurance',
    about: 'The share of open leases with each.',
    of: 'span',
    group: 'People and work',
  },
  exceptions: {
    title: 'Exceptions',
    about: 'Waivers, credits, voids, refunds and overrides by person, against the others.',
    of: 'span',
    group: 'People and work',
  },
  'walk-sheet': {
    title: 'Walk sheet',
    about: 'Units in walking order, with a box for what was seen. To print.',
    of: 'now',
    group: 'People and work',
    also: 'lock.set',
    lists: true,
  },
} as const satisfies Record<string, Declared>

export type ReportName = keyof typeof reports
export const reportNames = Object.keys(reports) as [ReportName, ...ReportName[]]
export const reportOf = (name: ReportName): Declared => reports[name]
export const isReport = (text: string): text is ReportName => Object.hasOwn(reports, text)

/** What opens a report; any of them. */
export const opensReport = (name: ReportName): Permission[] => {
  const { also } = reportOf(name)
  return ['report.read', ...(also ? [also] : [])]
}

/** The longest span: a year and its last month of the year before. */
export const LONGEST_SPAN = 400

/** Today is counted for as many facilities as a page can wait for. */
export const MOST_COUNTED_TODAY = 30
