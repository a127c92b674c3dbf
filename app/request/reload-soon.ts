/** Header by which a browser loads a page again whose answer changes within a minute, also without scripts. */
export const reloadSoon = { Refresh: '5' }
