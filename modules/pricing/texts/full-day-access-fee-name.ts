export const fee24HourAccess = '24 Hour Access Fee'
