/** HTML that the operator wrote (banner, completion screen), made harmless before it reaches a page. */
import sanitizeHtml from 'sanitize-html'

/** Text, lists, headings and links; no scripts, styles, pictures, frames or event handlers. Links open elsewhere safely. */
export function sanitizedHtml(html: string): string {
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
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  }).trim()
}

/** The completion screen with the facility's review link in place of {review_link}; without one, the link goes nowhere. */
export function completionHtml(html: string, feedbackLink: string): string {
  const safe = /^https?:\/\//i.test(feedbackLink) ? feedbackLink : ''
  return sanitizedHtml(html.replaceAll('{review_link}', encodeURI(safe)))
}
