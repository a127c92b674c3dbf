import { isRouteErrorResponse } from 'react-router'

export const MAINTENANCE = 'maintenance'

export const isMaintenance = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status === 503 && error.data === MAINTENANCE
