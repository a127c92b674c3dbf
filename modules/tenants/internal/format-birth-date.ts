import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'

const onFile = 'On file'

/** Returns mm/dd/yyyy for the tenant's own account, 'On file' for others, '' when no date is stored. */
export const formatBirthDate = (date: IsoDate | undefined, isOwnAccount: boolean): string =>
  date ? (isOwnAccount ? formatUs(date) : onFile) : ''
