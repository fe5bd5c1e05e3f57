// The resources of Kubernetes 1.34: the embedded API server serves what the real one serves, under the same names, verbs and short names, but
// for those of the table; and an informer of each of them comes to hold all that there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { collectBody, type HttpExchange } from '#base'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const textBytesMax = 16 * 1024 * 1024
const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** What is out of the embedded server's scope, which its README says. */
const notServed = [' v1 nodes/proxy', ' v1 services/proxy']

interface Discovered {
  readonly responseKind: { readonly kind: string }
  readonly scope?: string
  readonly singularResource?: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

test(`the embedded server's resources are the real one's, and ${notServed.length} are not there`, {
  skip: noControlPlane ?? false,
}, async () => {
  const server = createApiServer({ emulate: '1.34' })
  try {
    const [ours, theirs] = [await resourcesOf(server.as()), await resourcesOf((await sharedControlPlane()).exchange)]
    assert.ok(theirs.size > 100)
    assert.deepEqual(
      [...ours.keys()].filter(name => !theirs.has(name)),
      [],
    )
    assert.deepEqual([...theirs.keys()].filter(name => !ours.has(name)).sort(), notServed)
    for (const [name, resource] of ours)
      assert.deepEqual([name, toldOf(resource)], [name, toldOf(theirs.get(name) as Discovered)])
  } finally {
    await server.close()
  }
})

test('a list and a streamed list of each of the 65 resources end, so that every informer syncs', async () => {
  const server = createApiServer({ emulate: '1.34', controllers: 'none' })
  try {
    const exchange = server.as()
    const resources = [...(await resourcesOf(exchange))].filter(([name]) => !name.includes('/'))
    assert.equal(new Set(resources.map(([name]) => name.replace(/ v\S+ /, ' '))).size, 65)
    assert.equal(resources.length, 66, 'autoscalers are served in two versions')
    const followed = resources.filter(([, { verbs }]) => verbs.includes('watch'))
    assert.ok(followed.length > 50)
    for (const [name] of followed) {
      const path = pathOf(name)
      const list = JSON.parse(await textOf(exchange, path)) as { readonly items: readonly unknown[] }
      const events = await eventsOf(exchange, path)
      assert.deepEqual([name, events.filter(event => event === 'ADDED').length], [name, list.items.length])
      assert.deepEqual([name, events.at(-1)], [name, 'BOOKMARK'])
    }
  } finally {
    await server.close()
  }
})

/** By group, version and resource, in the order of discovery; subresources with a slash. */
async function resourcesOf(exchange: HttpExchange): Promise<ReadonlyMap<string, Discovered>> {
  const found = new Map<string, Discovered>()
  const defined = await definedGroups(exchange)
  for (const root of ['/api', '/apis']) {
    const { items } = JSON.parse(await textOf(exchange, root, discovery)) as DiscoveryList
    for (const { metadata, versions } of items.filter(({ metadata: { name = '' } }) => isOfKubernetes(name, defined)))
      for (const { version, resources = [] } of versions)
        for (const one of resources) {
          const name = `${metadata.name ?? ''} ${version} ${one.resource}`
          found.set(name, one)
          for (const below of one.subresources ?? []) found.set(`${name}/${below.subresource}`, below)
        }
  }
  return found
}

/** Other suites share the control plane, and leave definitions of theirs there. */
async function definedGroups(exchange: HttpExchange): Promise<ReadonlySet<string>> {
  const definitions = await textOf(exchange, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
  const { items } = JSON.parse(definitions) as { readonly items: readonly { readonly spec: { readonly group: string } }[] }
  return new Set(items.map(({ spec }) => spec.group))
}

/** Discovery still tells for a moment of a definition that went: its group has a name that none of Kubernetes' own has. */
function isOfKubernetes(group: string, defined: ReadonlySet<string>): boolean {
  return (!group.includes('.') || group.endsWith('.k8s.io')) && !defined.has(group)
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[]
  }[]
}

interface DiscoveredResource extends Discovered {
  readonly resource: string
  readonly subresources?: readonly (Discovered & { readonly subresource: string })[]
}

function toldOf({ responseKind, scope, singularResource, verbs, shortNames, categories }: Discovered): unknown {
  return { kind: responseKind.kind, scope, singularResource, verbs, shortNames, categories }
}

function pathOf(name: string): string {
  const [group = '', version, resource] = name.split(' ')
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}`
}

async function textOf(exchange: HttpExchange, target: string, accept = 'application/json'): Promise<string> {
  const { status, body } = await exchange({ method: 'GET', target, headers: { accept }, body: null })
  const text = Buffer.from(await collectBody(body, textBytesMax)).toString()
  assert.equal(status, 200, `${target}: ${text}`)
  return text
}

/** The kinds of events until the stream says that all that there was has been told. */
async function eventsOf(exchange: HttpExchange, path: string): Promise<readonly string[]> {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  const { status, body } = await exchange({ method: 'GET', target: `${path}?${query}`, headers: {}, body: null })
  assert.equal(status, 200, path)
  assert.ok(body !== null && !(body instanceof Uint8Array), path)
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    if (text.includes('"k8s.io/initial-events-end"') && text.endsWith('\n')) break
  }
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => (JSON.parse(line) as { readonly type: string }).type)
}
