export interface AppointmentAnswer {
  appointmentId: number
  confirmationToken: string
  /** As in the link: the proposed time, or 'other' for another one. */
  option: string
  confirmationSource: string
}

export interface AppointmentConfirmed {
  /** Written out in the facility's time, '' where there is none to tell. */
  appointmentDatetime: string
  /** The host's own text; '' where it was confirmed. */
  error: string
}

/** The host could not be asked: nothing is known, asking again is safe. */
export class PropertyManagementUnavailable extends Error {
  /** Asking again would not help: the key is not taken. */
  readonly permanent: boolean
  constructor(message: string, permanent = false) {
    super(message)
    this.name = 'PropertyManagementUnavailable'
    this.permanent = permanent
  }
}

export interface PropertyManagement {
  /** Another system keeps the appointments: none is made here. */
  readonly elsewhere?: true
  /** Confirming twice is confirming once. @throws PropertyManagementUnavailable */
  confirm(answer: AppointmentAnswer): Promise<AppointmentConfirmed>
}
