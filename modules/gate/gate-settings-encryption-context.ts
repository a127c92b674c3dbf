/** Returns the encryption context of a gate's settings. */
export const gateSettingsContext = (locationCode: string) => `gate:${locationCode}:settings`
