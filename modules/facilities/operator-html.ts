/** HTML that the operator wrote (banner, completion screen), made harmless before it reaches a page. */
import sanitizeHtml from 'sanitize-html'
import { isOfRooms } from '../gate/rules/gate-hours.ts'

type Filter = NonNullable<sanitizeHtml.IOptions['exclusiveFilter']>

/** Text, lists, headings and links; no scripts, styles, pictures, frames or event handlers. Links open elsewhere safely. */
export function sanitizedHtml(html: string, leaveOut: Filter = () => false): string {
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
    exclusiveFilter: leaveOut,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  }).trim()
}

/** Paragraphs and list items about rooms, and a list that nothing is left of. */
const aboutRooms: Filter = ({ tag, text }) =>
  tag === 'ul' || tag === 'ol' ? text.trim() === '' : (tag === 'p' || tag === 'li') && isOfRooms(text)

/**
 * The completion screen with the facility's review link in place of {review_link}; without one, the link goes nowhere.
 * @param parking for a parking space: without what is said of rooms
 */
export function completionHtml(html: string, feedbackLink: string, parking = false): string {
  const safe = /^https?:\/\//i.test(feedbackLink) ? feedbackLink : ''
  return sanitizedHtml(html.replaceAll('{review_link}', encodeURI(safe)), parking ? aboutRooms : undefined)
}
