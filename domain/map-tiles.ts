/** The tile server that the operator has chosen for its street maps. */
export interface Tiles {
  /** 'https://tiles.example.com/{z}/{x}/{y}.png' */
  url: string
  /** For the content policy. */
  origin: string
  attribution: { text: string; href?: string }[]
}

const PLACES = ['{z}', '{x}', '{y}']

/** The address with its three places, over https or from this machine; undefined for any other. `{r}` is '@2x' on dense screens. */
export function tilesUrl(text: string): { url: string; origin: string } | undefined {
  if (PLACES.some((place) => text.split(place).length !== 2)) return undefined
  const plain = [...PLACES, '{r}'].reduce((all, place) => all.replace(place, ''), text)
  const url = /[{}\s"'<>]/.test(plain) ? null : URL.parse(plain)
  if (url?.username !== '' || /[{}]/.test(text.split('/')[2] ?? '')) return undefined
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (local && url.protocol === 'http:')
    ? { url: text, origin: url.origin }
    : undefined
}

const LINK = /<a href="(https:\/\/[^"<>\s]+)">([^<>]+)<\/a>/

/** As providers of tiles write it, `&copy; <a href="https://…">…</a> contributors`; undefined with any other markup. */
export function tilesAttribution(text: string): Tiles['attribution'] | undefined {
  // A split by a pattern with two groups is text, href, text of the link, text, …
  const parts = text.split(LINK)
  if (parts.some((part, at) => at % 3 === 0 && /[<>]/.test(part))) return undefined
  return parts.flatMap((part, at) => {
    if (at % 3 === 1) return [{ href: part, text: spelled(parts[at + 1] ?? '') }]
    return at % 3 === 0 && part !== '' ? [{ text: spelled(part) }] : []
  })
}

const spelled = (text: string) => text.replaceAll('&copy;', '©').replaceAll('&amp;', '&')
