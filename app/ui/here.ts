import { createContext } from 'react'
import type { NotCharged } from '../../modules/payments/texts/charged.ts'

/** The number in the page's head, formatted. */
export const PhoneHere = createContext('')

/** Where the page lets one choose how to pay. */
export const OtherWayHere = createContext('')

/** What the state of the page's refused order says of money; null where nothing is known of one. */
export const ChargedHere = createContext<NotCharged | null>(null)
