/** Not-found pages use the layout of public pages, without scripts. */
export { clientMiddleware, default, ErrorBoundary, handle, meta } from './layout.tsx'
