// Descriptions: the HTML of API models as plain text, in paragraphs.

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** Plain text of a documentation string, with the pattern of the value beneath; nothing where the model says nothing. */
export function describe(html: string | undefined, pattern?: string): string | undefined {
  if (html === undefined) return undefined
  const parts = [plainText(html), pattern === undefined ? '' : `Regex Pattern: \`${pattern}\``].filter(part => part !== '')
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

function plainText(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_, address: string, words: string) => linkText(address, words))
    .replaceAll(/<li\b[^>]*>/gi, '\n\n   * ')
    .replaceAll(/<(?:\/p|\/?ul|\/?ol|\/?dl|\/?note|\/?important|br\s*\/?)>/gi, '\n\n')
    .replaceAll(/<[a-zA-Z/!][^>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? codePoint(name) ?? whole)
    .split(/\n\s*\n/)
    .map(paragraph => (paragraph.trimStart().startsWith('* ') ? `   ${paragraph.trim()}` : paragraph.trim()))
    .filter(paragraph => paragraph.trim() !== '' && paragraph.trim() !== '*')
    .join('\n\n')
}

function linkText(address: string, words: string): string {
  return address.startsWith('http') && !words.includes(address) ? `${words} (${address})` : words
}

function codePoint(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name)
  if (digits === null) return undefined
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
