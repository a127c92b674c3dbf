/** Not-found pages use the layout of public pages, which are not hydrated. */
export { clientMiddleware, default, ErrorBoundary, handle, meta } from './layout.tsx'
