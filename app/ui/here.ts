import { createContext } from 'react'

/** The number in the page's head, formatted. */
export const PhoneHere = createContext('')

/** Where the page lets one choose how to pay. */
export const OtherWayHere = createContext('')
