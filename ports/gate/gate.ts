/** A gate that receives its list by call: a controller, or a bridge to one. */

/** The whole list of a gate, as `GET /api/gate/{facility}/state` answers it. */
export interface GateListToSend {
  facility: string
  epoch: string
  version: number
}

export interface GateAcknowledgement {
  /** The version in force at the keypad from now on. */
  version: number
  /** Codes of the list that the gate does not take. */
  refused: { id: string; why: string }[]
}

export interface GateSettings {
  url: string
  /** Signs each list. */
  secret: string
}

export interface GateBridge {
  /**
   * Sends the newest list; sent again, it changes nothing. A list of a lower version of the same epoch is ignored.
   * @throws GateUnavailable where no acknowledgement came; the gate may have taken the list all the same
   */
  send(list: GateListToSend): Promise<GateAcknowledgement>
}

/** The gate did not acknowledge. Its message names no secret. */
export class GateUnavailable extends Error {
  override readonly name = 'GateUnavailable'
}
