/** Addresses that lead nowhere are public pages too: no scripts, the same net. */
export { clientMiddleware, default, ErrorBoundary, handle, meta } from './layout.tsx'
