import type { RentalProof } from '../../domain/draft-ownership-proof-kinds.ts'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag, ReservationStatus } from '../../platform/schema/narrowed-column-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { draftSealContext } from './draft.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    reservations: {
      status: ReservationStatus
      /** Discount as reserved, `{description, amount, type}`; null without one. */
      agreed_discount: Json | null
      street_rent: Cents
      required_date: IsoDate
      /** Set once the hold was extended after it had lapsed (`extendHoldOnce`), which happens only once. */
      hold_extended: Flag
      /**
       * Keyed hash of the network of a renter without proof of identity; '' if the network is unknown, so that the hold
       * counts only toward the unit type's total; null for a proven renter, and for a reservation made by staff.
       */
      unproven_from: string | null
    }
    prospects: {
      res_status: 'active' | 'completed' | 'expired'
      /** {firstName, lastName, unitNumber, unitRent, unitTypeId} */
      extra_data: Json
    }
    rental_drafts: {
      /**
       * Set if the reservation's tenant existed before, here or at another facility of the account. The session alone
       * may neither see nor change such a tenant's data.
       */
      existing_tenant: Flag
      rent_now: Flag
      /** `Answers` of modules/reservations/rules/journey/journey-answers.ts, without the sealed answers. */
      answers: Json
      sealed_answers: Sealed | null
      /** Incremented by every save, so that a stale write from a second tab is detected. */
      version: number
      /**
       * Time at which the session of the browser that began the draft ended (`detachDraft`); its cookie then no longer
       * leads to the draft. Payments in progress still finish.
       */
      left_at: Instant | null
    }
    /**
     * Sessions of browsers that resumed a rental. The browser's cookie holds the session's id instead of the draft's.
     */
    resumed_rentals: {
      /**
       * Proof of the session. 'link': the personal link or the reservation code. 'names': last name and last four phone
       * digits, with which answers are masked (`maskAnswers`). 'own': the reservation's tenant has signed in.
       */
      proof: RentalProof
      /**
       * 1 if the tenant had an account or lease when the browser found the reservation, so that the session alone may
       * neither see nor change the tenant's data.
       */
      existing_tenant: Flag
    }
  }
}

export const reservationsCards: TableCards = {
  reservations: {
    file: 'reservations',
    name: 'Reservations',
    rows: 'tenant',
    by: 'reservation_code',
    erasure: 'columns',
    why: 'Which unit was held, and when: the history of the unit.',
    shown: [
      'reservation_code',
      'unit_number',
      'status',
      'street_rent',
      'rent',
      'agreed_discount',
      'reservation_date',
      'required_date',
      'hold_until',
      'lease_number',
      'created_at',
    ],
    hidden: ['location_code', 'unit_id', 'unit_type_id', 'tenant_id', 'discount_id', 'hold_extended', 'unproven_from'],
  },
  prospects: {
    file: 'inquiries',
    name: 'Inquiries',
    rows: 'tenant',
    by: 'uuid',
    erasure: 'rows',
    shown: [
      'res_code',
      'site_name',
      'email_address',
      'cell_phone',
      'res_status',
      'lease_status',
      'reservation_date',
      'required_date',
      'move_in_date',
      'extra_data',
      'created_at',
    ],
    hidden: ['uuid', 'location_code', 'tenant_id'],
  },
  rental_drafts: {
    file: 'rentals-begun',
    name: 'Rentals begun',
    rows: 'drafts',
    by: 'draft_id',
    erasure: 'rows',
    shown: ['unit_type_id', 'reservation_code', 'answers', 'sealed_answers', 'created_at', 'touched_at'],
    hidden: [
      'draft_id',
      'location_code',
      'tenant_id',
      'entered_tenant_id',
      'existing_tenant',
      'rent_now',
      'version',
      'left_at',
    ],
    sealed: {
      sealed_answers: { context: (row) => draftSealContext(row.draft_id) },
    },
  },
  resumed_rentals: {
    file: 'resumed-rentals',
    name: 'Rentals resumed',
    rows: 'drafts',
    by: 'resumed_id',
    erasure: 'rows',
    shown: ['proof', 'created_at', 'left_at'],
    hidden: ['resumed_id', 'draft_id', 'existing_tenant'],
  },
  waitlist: {
    file: 'waits',
    name: 'Waits for a free unit',
    rows: 'email',
    by: 'waitlist_id',
    erasure: 'rows',
    shown: ['unit_type_id', 'email', 'created_at', 'told_at'],
    hidden: ['waitlist_id', 'location_code', 'told_unit', 'mailed_at'],
  },
}
