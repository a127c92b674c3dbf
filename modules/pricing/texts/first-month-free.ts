export const firstMonthFree = 'First Month Free'
