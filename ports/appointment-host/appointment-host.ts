/** A tenant's answer to a proposed appointment. */
export interface AppointmentAnswer {
  appointmentId: number
  confirmationToken: string
  /** The option in the mailed link: 'confirm' for the proposed time, 'other' to request a different one. */
  option: string
  confirmationSource: string
}

/** Response of the property-management system to a tenant's answer to a proposed appointment. */
export interface AppointmentConfirmed {
  /** Date and time in words, in the facility's time zone; '' if there is none. */
  appointmentDatetime: string
  /** The host's error text; '' if it accepted the answer. */
  error: string
}

/** Thrown when the host cannot be reached, fails, or sends an unreadable response. Retrying is safe. */
export class PropertyManagementUnavailable extends Error {
  /** True if the host rejects our key (401 or 403), so that a retry would not help. */
  readonly permanent: boolean
  constructor(message: string, permanent = false) {
    super(message)
    this.name = 'PropertyManagementUnavailable'
    this.permanent = permanent
  }
}

/** Interface to the system that manages appointments: it passes on a tenant's answer to a proposed one. */
export interface PropertyManagement {
  /** Set if another system manages the appointments, so that Latchkey creates none. */
  readonly elsewhere?: true
  /**
   * Confirms an appointment, or requests another time. Repeating the call changes nothing.
   * @throws PropertyManagementUnavailable
   */
  confirm(answer: AppointmentAnswer): Promise<AppointmentConfirmed>
}
