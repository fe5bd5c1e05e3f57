// Foreign text on its way to a terminal or a log. Whoever can name an object could otherwise clear a screen, forge a line, set the title of
// a window or turn the reading direction of what stands behind; so every character that is not meant to be read is shown by its number.

/** Controls of both sets, invisible marks, line ends of Unicode, directions, halves of surrogate pairs, and tags. */
const unfit =
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g

const plain = /^[\t\n\x20-\x7e]*$/

/** Lines stay lines, and what is JSON stays that JSON: `\u001b` is how both write an escape. */
export function printable(text: string): string {
  // Nearly all lines are of these alone, which is found out at a fraction of the cost.
  return plain.test(text) ? text : text.replace(unfit, numbered)
}

/** Makes a text printable that is to stay one line: a line end within it cannot begin another. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n')
}

function numbered(found: string): string {
  return Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
