// A program: definitions with patterns, and an object of each.
import type { HttpExchange } from '#base'
import { createApiServer } from '../create-api-server.ts'
import { definitions, widgetVersion } from '../widget.fixture.ts'

const count = 110
const server = createApiServer({ seed: 1 })
const admin = server.as()
for (let i = 0; i < count; i++) await create(admin, definitions, definition(i))
await server.settle()
for (let i = 0; i < count; i++) {
  const object = { apiVersion: 'example.com/v1', kind: `Kind${i}`, metadata: { name: 'a' }, spec: { one: 'aaa', two: 'aaa' } }
  await create(admin, `/apis/example.com/v1/namespaces/default/kind${i}s`, object)
}
await server.close()
console.log(`${count} definitions, ${count} objects`)

function definition(i: number): object {
  const pattern = (letters: string): object => ({ type: 'string', pattern: `^[${letters}]{1,950}$|^${i}$` })
  const spec = { type: 'object', properties: { one: pattern('a-y'), two: pattern('a-z') } }
  const names = { plural: `kind${i}s`, singular: `kind${i}`, kind: `Kind${i}`, listKind: `Kind${i}List` }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `kind${i}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [widgetVersion({ type: 'object', properties: { spec } })],
    },
  }
}

async function create(exchange: HttpExchange, target: string, object: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(object))
  const { status } = await exchange({ method: 'POST', target, headers: { 'content-type': 'application/json' }, body })
  if (status !== 201) throw new Error(`${target}: ${status}`)
}
