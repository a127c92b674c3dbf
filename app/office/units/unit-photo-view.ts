import type { UnitPhoto } from '../../../modules/facilities/views/unit-photographs.ts'
import { formatShortTime } from '../office-time.ts'
import type { UnitPhotoView } from './unit-photo-gallery.tsx'

export const toUnitPhotoView = (
  { photo_id: id, taken_at, width, height }: UnitPhoto,
  { location, today }: { location: { time_zone: string }; today: string },
): UnitPhotoView => ({ id, width, height, takenAt: formatShortTime(taken_at, location.time_zone, today) })
