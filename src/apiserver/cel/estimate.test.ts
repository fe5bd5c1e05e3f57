import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

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
    const schema = { openAPIV3Schema: { type: 'object', properties: { labels: map } } }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }
    const response = await server.as()({
      method: 'POST',
      target: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(definition)),
    })
    assert.equal(response.status, status)
  })
}
