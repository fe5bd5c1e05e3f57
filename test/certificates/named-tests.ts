// Whether a file has a test of such a name. A name stands behind `test(` or `it(`, or is a row of a table that a test further down runs through, or the
// first that a suite of another file is called with. Words in a comment, in an expectation or in the code of a test are no name.
const name = /(?<place>\b(?:test|it)\(|\bwhat: |\bwhy: |\boperation: |\bof \[|^\w+\(|^\s*\[*)(?<text>['"`].*)/

export function hasTestNamed(text: string, words: string): boolean {
  const lines = text.split('\n')
  return lines.some((line, index) => {
    const { place = '', text: said = '' } = name.exec(line)?.groups ?? {}
    if (!said.includes(words)) return false
    const isCalledWith = place.endsWith('(') || /^\s*\w+\($/.test(lines[index - 1] ?? '')
    return isCalledWith || lines.slice(index).some(runsThroughTable)
  })
}

/** A table that no test runs through proves nothing. */
function runsThroughTable(line: string): boolean {
  return /\b(?:test|it)\((?:`.*\$\{|\w+)/.test(line)
}
