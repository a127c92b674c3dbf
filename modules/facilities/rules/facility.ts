import type { FacilityLook } from './facility-front-to-draw.ts'

/** Facility as pages show it: its row with JSON parsed and flags as booleans. */
export interface Facility {
  locationCode: string
  facilityId: number
  name: string
  slug: string
  address: string
  city: string
  citySlug: string
  state: string
  zip: string
  /** 10 digits, or ''. */
  phone: string
  reservationEmail: string
  lat: number
  lng: number
  timeZone: string
  /** URL of the photograph; '' where there is none and pages show a drawing instead. */
  photo: string
  /** Seed that varies the details of the drawing. */
  front: number
  /** Features that a drawing of the facility shows; plain defaults where only the row was loaded. */
  look: FacilityLook
  description: string
  directions: string
  officeHours: { days: string; hours: string }[]
  gateHours: string
  features: string[]
  /** Codes of `security-features.ts`. */
  security: string[]
  insuranceOffered: boolean
  /** File name of the insurance brochure, or ''. */
  brochure: string
  /** Number of days, including today, from which a move-in date may be chosen. */
  reservationWindow: number
  cardFee: boolean
  allowAch: boolean
  mapEnabled: boolean
  comingSoon: boolean
  feedbackLink: string
  instructionAfterRental: string
  /** Path of the facility's page: `/storage-units/ga/atlanta/675-north-ave-ne` */
  path: string
}
