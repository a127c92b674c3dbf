export const FAULT_KINDS = ['down', 'slow', 'garbage', '500', 'lost'] as const

export const FAULT_PLACES = ['any', 'create', 'query', 'sale', 'void', 'return', 'page', 'bank'] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export type FaultPlace = (typeof FAULT_PLACES)[number]

export interface Fault {
  orderId: string
  kind: FaultKind
  on: FaultPlace
  times: number
}

export const MOST_FAULTS = 1000

export const MOST_TIMES = 1000
