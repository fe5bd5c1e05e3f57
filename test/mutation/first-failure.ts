// A reporter that ends the run at its first failure: one test that notices a defect is enough, and the slow ones behind it need not run.
import { writeSync } from 'node:fs'
import { inspect } from 'node:util'

interface Reported {
  readonly type: string
  readonly data: { readonly name?: string; readonly details?: { readonly error?: unknown }; readonly todo?: unknown }
}

export default async function* firstFailure(source: AsyncIterable<Reported>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:pass') yield '.'
    if (type !== 'test:fail' || data.todo !== undefined) continue
    writeSync(1, `\nFAILED ${data.name}\n${inspect(data.details?.error)}\n`)
    process.exit(1)
  }
}
