import type { UnitState } from '../../../modules/facilities/rules/office-unit-state-names.ts'
import { Tag } from '../../ui/card-tag-and-callout.tsx'

const tags: Record<UnitState, ['plain' | 'good' | 'bad' | 'door', string]> = {
  free: ['good', 'Free'],
  held: ['door', 'Held'],
  rented: ['plain', 'Rented'],
  overlocked: ['bad', 'Overlocked'],
  'to verify': ['door', 'To verify'],
  'out of service': ['bad', 'Out of service'],
  retired: ['plain', 'Retired'],
}

export const StateTag = ({ state }: { state: UnitState }) => <Tag tone={tags[state][0]}>{tags[state][1]}</Tag>

export const stateName = (state: UnitState): string => tags[state][1]
