// Lists in one line of text, as flags and environment variables hold them.

/** `a, b,c`: trimmed; blanks do not count. */
export function commaList(text: string): readonly string[] {
  return text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}

/** `k=v,k2=v2`, values percent-encoded. `wrong` makes the error for what is no such pair, and may keep the pair itself to itself. */
export function commaPairs(
  text: string,
  wrong: (pair: string, why: 'is no key=value' | 'is not percent-encoded as it should be') => Error,
): readonly (readonly [key: string, value: string])[] {
  return commaList(text).map(pair => {
    const cut = pair.indexOf('=')
    const key = pair.slice(0, Math.max(0, cut)).trim()
    if (key === '') throw wrong(pair, 'is no key=value')
    try {
      return [key, decodeURIComponent(pair.slice(cut + 1).trim())] as const
    } catch {
      throw wrong(pair, 'is not percent-encoded as it should be')
    }
  })
}
