// Codes of rules and cases, as names of tests carry them: behind the words, in brackets. What they mean stands in docs/rules.

/** One code: `S18`, `A-34`, `§2.13`, `7.4`, `10.3.14`, `#65`. */
const code = String.raw`(?:§\d+(?:\.\d+)*|\d+(?:\.\d+)+|#\d+|[A-Z]-?\d{1,3})`
const leading = new RegExp(String.raw`^${code}(?:(?:,| to| and|-|/)? ?${code})*(?::|\s+(?=[#\w]))|^\d{1,3}(?:,? \d{1,3})*:`)

/** The codes that a name begins with, if it does. Numbers of things ("1.5 hours") stand with a thing behind them: write them as words. */
export function leadingCodes(name: string): string | undefined {
  return leading.exec(name)?.[0].trim()
}

/** What is written as the name of a test or of a group of tests, with its line. */
export function* namesIn(source: string): Generator<{ readonly name: string; readonly line: number }> {
  const pattern = /\b(?:test|it|describe|suite|\w+Holds|holdsUnderFaults)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
  for (const match of source.matchAll(pattern))
    yield { name: match[2] ?? '', line: source.slice(0, match.index).split('\n').length }
}

const codes = new RegExp(String.raw`^${code}(?:(?: to |[-–]| )?${code}|[-–]\d+(?:\.\d+)?| step \d+| L\d+)*$`)

/** The codes in brackets at the end of the names that stand in a line. */
export function inBrackets(line: string): readonly string[] {
  return [...line.matchAll(/ \[([^\][]+)\](?=['"`])/g)]
    .map(([, inside = '']) => inside.split(/, ?/))
    .filter(list => list.every(one => codes.test(one)))
    .flat()
}
