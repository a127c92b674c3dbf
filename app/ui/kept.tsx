import { type ComponentProps, createContext, createElement, type ReactNode, useContext } from 'react'

/** @returns the markup of a part as these props make it */
export type KeepMarkup = <Props extends object>(part: (props: Props) => ReactNode, props: Props) => string

/** Set where pages are made that no browser will hydrate (`server/plain-pages.tsx`), and nowhere else. */
export const MarkupKeeper = createContext<KeepMarkup | null>(null)

type Around = 'article' | 'div' | 'footer' | 'header' | 'svg'

/**
 * A part of a page that hangs on nothing but plain props, and so is made once for all the public pages it stands on: React
 * would build the same head, foot and rows anew for each of them.
 * @param as the element around it, which takes all other attributes
 * @param part no context or state within
 * @param of its props, as JSON could carry them
 */
export function Kept<Tag extends Around, Props extends object>({
  as,
  part,
  of,
  ...attributes
}: { as: Tag; part: (props: Props) => ReactNode; of: Props } & Omit<ComponentProps<Tag>, 'children' | 'part' | 'of'>) {
  const keep = useContext(MarkupKeeper)
  return keep
    ? createElement(as, { ...attributes, dangerouslySetInnerHTML: { __html: keep(part, of) } })
    : createElement(as, attributes, createElement(part, of))
}
