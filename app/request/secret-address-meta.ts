/** Returns meta tags for a page whose address is secret, so that search engines and other sites do not learn it. */
export const secretAddressMeta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]
