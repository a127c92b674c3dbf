import * as v from 'valibot'

export const mapUnitSchema = v.object({
  unit_id: v.number(),
  unit_no: v.string(),
  floor_no: v.number(),
  left_coordinate: v.number(),
  top_coordinate: v.number(),
  length: v.number(),
  width: v.number(),
  rotate: v.number(),
  /** Whether this is a fixture that cannot be rented: a gate, an elevator, the rental center. */
  system: v.boolean(),
  category_name: v.string(),
  system_rotation: v.number(),
})

export type MapUnit = v.InferOutput<typeof mapUnitSchema>
