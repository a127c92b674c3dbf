/** The interface to a gate to which Latchkey sends the list of codes: a controller, or a bridge to one. */

/** The whole list of a gate, as `GET /api/gate/{facility}/state` responds with it; adapters read only these fields. */
export interface GateListToSend {
  facility: string
  epoch: string
  version: number
}

export interface GateAcknowledgement {
  /** Version of the list that the gate now applies. */
  version: number
  /** Codes of the list that the gate does not accept. */
  refused: { id: string; why: string }[]
}

export interface GateSettings {
  url: string
  /** Key with which each list is signed. */
  secret: string
}

export interface GateBridge {
  /**
   * Sends the newest list; sending it again changes nothing. The gate ignores a lower version of the same epoch.
   * @throws GateUnavailable without an acknowledgement; the gate may have accepted the list all the same
   */
  send(list: GateListToSend): Promise<GateAcknowledgement>
}

/** Thrown when the gate did not acknowledge a list. The message contains no secret. */
export class GateUnavailable extends Error {
  override readonly name = 'GateUnavailable'
}
