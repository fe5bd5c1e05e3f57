/** Of a histogram's buckets, as they stand in a scrape. */
export function boundsOf(lines: readonly string[]): string {
  return lines.map(line => /le="([^"]+)"/.exec(line)?.[1]).join(' ')
}
