// The language counts in code points, JavaScript in UTF-16.

export function codePointsOf(text: string): string[] {
  return Array.from(text)
}
