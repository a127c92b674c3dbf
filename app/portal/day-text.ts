import { formatLong, type IsoDate } from '../../domain/plain-date.ts'

/** 'November 20, 2026'; with the weekday only where one plans by it. */
export const dayText = (date: IsoDate): string => formatLong(date).replace(/^\w+, /, '')
