// Which versions objects may be stored in, as the status of a definition says it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { ask } from './ask.fixture.ts'
import { createApiServer } from './create-api-server.ts'
import { anySchema, definitions, widgetDefinition, widgets, widgetVersion } from './widget.fixture.ts'

const two = (storage: string): readonly object[] =>
  ['v1', 'v2'].map(name => widgetVersion(anySchema, { name, storage: name === storage }))
const path = `${definitions}/widgets.example.com`
type Definition = { readonly status: { readonly storedVersions: readonly string[] } }

for (const [how, objects] of [
  ['that is there from the start', [widgetDefinition(two('v1'))]],
  ['that is created', []],
] as const)
  test(`another version to store in joins those in which objects may still be stored, of a definition ${how}`, async context => {
    const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', objects })
    context.after(() => server.close())
    if (objects.length === 0) assert.equal((await ask(server, 'POST', definitions, widgetDefinition(two('v1')))).status, 201)
    const stored = async (): Promise<readonly string[]> => (await ask<Definition>(server, 'GET', path)).body.status.storedVersions
    assert.deepEqual(await stored(), ['v1'])
    const spec = { versions: two('v2') }
    assert.equal((await ask(server, 'PATCH', path, { spec }, { type: 'application/merge-patch+json' })).status, 200)
    assert.deepEqual(await stored(), ['v1', 'v2'])
    const made = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } }
    assert.equal((await ask(server, 'POST', widgets, made)).status, 201)
    // Whoever has rewritten every object says so in the status, and only then may the version go.
    const without = { spec: { versions: two('v2').slice(1) } }
    assert.equal((await ask(server, 'PATCH', path, without, { type: 'application/merge-patch+json' })).status, 422)
    const status = { status: { storedVersions: ['v2'] } }
    const type = 'application/merge-patch+json'
    assert.equal((await ask(server, 'PATCH', `${path}/status`, status, { type })).status, 200)
    assert.equal((await ask(server, 'PATCH', path, without, { type })).status, 200)
  })
