/** Sanitizes HTML written by the operator (banner, completion screen, pages) before it reaches a page. */
import sanitizeHtml from 'sanitize-html'
import { mentionsRooms } from './rules/room-or-parking-wording.ts'

type Filter = NonNullable<sanitizeHtml.IOptions['exclusiveFilter']>

/**
 * Keeps text, lists, headings (h2 to h4) and safe links; removes scripts, styles, pictures, frames and event handlers.
 * @param exclude matches further elements to remove
 */
export function sanitizedHtml(html: string, exclude: Filter = () => false): string {
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'br',
      'b',
      'strong',
      'i',
      'em',
      'u',
      's',
      'small',
      'span',
      'ul',
      'ol',
      'li',
      'h2',
      'h3',
      'h4',
      'a',
      'hr',
    ],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    exclusiveFilter: exclude,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  }).trim()
}

/** Filter of HTML elements: matches paragraphs and list items that mention rooms, and lists that have become empty. */
const aboutRooms: Filter = ({ tag, text }) =>
  tag === 'ul' || tag === 'ol' ? text.trim() === '' : (tag === 'p' || tag === 'li') && mentionsRooms(text)

/**
 * Returns the sanitized completion screen with the facility's review link in place of {review_link}; without an http or
 * https link, '' in its place.
 * @param isSpace whether the unit is a parking space: text that concerns rooms is removed
 */
export function completionHtml(html: string, feedbackLink: string, isSpace = false): string {
  const safeLink = /^https?:\/\//i.test(feedbackLink) ? feedbackLink : ''
  return sanitizedHtml(html.replaceAll('{review_link}', encodeURI(safeLink)), isSpace ? aboutRooms : undefined)
}
