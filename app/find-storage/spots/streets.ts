/** In the browser, where a tile server is configured: streets take the drawn map's place once it comes into view. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      // Without it the drawn map stays.
      import('./street-map.ts').then(
        ({ showStreets }) => showStreets(target as HTMLElement),
        () => {},
      )
    }
  },
  { rootMargin: '100px' },
)
for (const frame of document.querySelectorAll('[data-tiles]')) seen.observe(frame)
