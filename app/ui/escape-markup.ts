/** Escapes a text for HTML, SVG or XML, as content or as the value of an attribute. */
export const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
