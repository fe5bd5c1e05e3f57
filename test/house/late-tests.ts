// Finds tests that are registered after a top-level `await` in the middle of a file. All files of a run share a process, and a test that is
// registered while the first ones are already under way may silently not run; `await test(…)` at the top waits for ever. What is waited for
// before the first test is registered is fine.

/** Sentences with the line. The text is formatted: a statement of the module begins in the first column. */
export function lateTests(text: string): readonly string[] {
  const lines = blanked(text).split('\n')
  let hasTests = false
  let awaitedAt: number | undefined
  let statement = ''
  const functions: number[] = []
  const found: string[] = []
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/)
    if (indent < 0) continue
    if (indent === 0 && !/^[)\]}]/.test(line)) statement = line
    while (functions.length > 0 && indent <= (functions.at(-1) as number) && !/^\s*[)\]},]/.test(line)) functions.pop()
    const isInFunction = functions.length > 0 || /^(?:export )?(?:async )?(?:function|class|interface|type)\b/.test(statement)
    const registers = /(?:^|\s)(?:test|describe|it|suite)(?:\.\w+)?\(/.test(line)
    if (!isInFunction && registers) {
      if (/await (?:test|describe|it|suite)\(/.test(line))
        found.push(`line ${index + 1}: a test is waited for, which waits for ever`)
      else if (awaitedAt !== undefined) found.push(`line ${index + 1}: registered after the await of line ${awaitedAt}`)
      hasTests = true
    } else if (!isInFunction && hasTests && /\bawait\b/.test(line.replace(/(?:=>|function).*$/, ''))) awaitedAt ??= index + 1
    if (/=>$|(?:=>|\bfunction\b.*\)|\) *: *[\w<>[\], ]+) \{$/.test(line)) functions.push(indent)
  }
  return found
}

/** Without what only looks like code: comments, strings and templates become spaces, lines stay. */
function blanked(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, match =>
    match.replaceAll(/[^\n]/g, ' '),
  )
}
