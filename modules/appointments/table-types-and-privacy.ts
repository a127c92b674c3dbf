import type { AppointmentState } from '../../platform/schema/narrowed-column-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    appointments: {
      state: AppointmentState
    }
  }
}

export const appointmentsCards: TableCards = {
  appointments: {
    file: 'appointments',
    name: 'Appointments',
    rows: 'email',
    by: 'appointment_id',
    erasure: 'rows',
    shown: ['name', 'email', 'phone', 'starts_at', 'state', 'option', 'created_at', 'answered_at'],
    hidden: ['appointment_id', 'location_code', 'token_hash', 'confirmation_source'],
  },
}
