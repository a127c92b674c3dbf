import { isRouteErrorResponse } from 'react-router'

/** Body of the 503 response to a request for page data while the site is closed for maintenance. */
export const MAINTENANCE = 'maintenance'

export const isMaintenance = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status === 503 && error.data === MAINTENANCE
