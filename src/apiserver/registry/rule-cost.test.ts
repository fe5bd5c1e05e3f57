import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { definitions, widgetDefinition, widgetVersion } from '../widget.fixture.ts'

/** Answers of kube-apiserver 1.34.4 to the same definitions: keys of maps cost nothing there, values what their length allows. */
const rows: readonly { readonly rule: string; readonly maxLength?: number; readonly status: number }[] = [
  { rule: "self.all(k, k.matches('^a+$'))", status: 201 },
  { rule: 'self.all(k, self.all(j, j == k || j.contains(k)))', status: 201 },
  { rule: 'self.map(k, size(k) + size(self[k])).sum() <= 261120', status: 201 },
  { rule: "self.all(k, self[k].matches('^a+$'))", status: 422 },
  { rule: "self.all(k, self[k].matches('^a+$'))", maxLength: 1_000, status: 201 },
]

for (const { rule, maxLength, status } of rows) {
  test(`a definition with the rule ${rule} over ${maxLength ?? 'unbounded'} characters is answered with ${status}`, async () => {
    await using stack = new AsyncDisposableStack()
    const server = createApiServer({ seed: 1 })
    stack.defer(() => server.close())
    const map = {
      type: 'object',
      maxProperties: 64,
      additionalProperties: { type: 'string', ...(maxLength !== undefined && { maxLength }) },
      'x-kubernetes-validations': [{ rule }],
    }
    const definition = widgetDefinition([widgetVersion({ type: 'object', properties: { labels: map } })])
    assert.equal((await ask(server, 'POST', definitions, definition)).status, status)
  })
}
