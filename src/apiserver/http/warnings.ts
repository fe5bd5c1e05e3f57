// Warning headers, bounded as a real server bounds them.

const totalMax = 4_096
const eachMaxWhenCut = 256

export function warningHeaders(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)]
  const total = unique.reduce((sum, text) => sum + text.length, 0)
  const kept: string[] = []
  let used = 0
  for (const text of unique) {
    const short = total > totalMax ? text.slice(0, eachMaxWhenCut) : text
    if (used + short.length > totalMax) break
    used += short.length
    kept.push(`299 - "${clean(short).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  }
  return kept
}

/** Header values hold no control characters, and Node's headers no character past Latin-1. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken away
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/[^\u0020-\u00ff]/g, '?')
}
