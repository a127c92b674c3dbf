/**
 * Header that makes a browser reload the page after 5 seconds, also without scripts. For pages whose state changes
 * within a minute.
 */
export const reloadSoon = { Refresh: '5' }
