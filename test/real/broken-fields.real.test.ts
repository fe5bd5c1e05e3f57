// Objects of all kinds with one field broken, in seventeen thousand ways, and near four thousand values of a custom resource's fields: what
// the embedded server says of each is what a real one says, and of what is taken both make the same. One in eight is asked;
// VOUCH_BROKEN_FIELDS=all asks them all.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { collectBody, type HttpExchange } from '#base'
import { isList, isObject, type Json, type JsonObject } from '#schema'
import { comesAbout } from './eventually.ts'
import { type Broken, brokenForms } from './rich/break.ts'
import { boundedFields, fieldOf, formats, formsDefinition, numbers, richDefinition, richResource, values } from './rich/custom.ts'
import { knownDifferences } from './rich/known-differences.ts'
import { type Rich, richObjects } from './rich/objects.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false

const share = process.env['VOUCH_BROKEN_FIELDS'] === 'all' ? 1 : 8
/** Asked at once: both servers wait for each other. */
const atOnce = 6

async function send(exchange: HttpExchange, target: string, object: Json): Promise<readonly [told: JsonObject, warning: string]> {
  const text = JSON.stringify(object)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const reply = await exchange({ method: 'POST', target, headers, body: Buffer.from(text) })
  const body = Buffer.from(await collectBody(reply.body, 8_388_608)).toString()
  // Of a path that is not served yet a page tells.
  const told = body.startsWith('{') ? (JSON.parse(body) as JsonObject) : { page: body }
  return [told, [reply.headers['warning'] ?? []].flat().join(', ')]
}

async function answerOf(exchange: HttpExchange, path: string, object: Json): Promise<string> {
  try {
    const [told, warning] = await send(exchange, `${path}?dryRun=All`, object)
    return comparable([told.kind === 'Status' ? told : withoutOwn(told), warning])
  } catch {
    return 'the connection ends'
  }
}

/** What a server finds for each object anew. */
function withoutOwn({ metadata, ...rest }: JsonObject): JsonObject {
  const { managedFields: _m, uid: _u, creationTimestamp: _c, resourceVersion: _r, ...kept } = metadata as JsonObject
  const object = { ...rest, metadata: kept }
  if (rest['kind'] !== 'CertificateSigningRequest' || !isObject(rest['spec'])) return object
  // Who asked is written into the request.
  const { username: _n, uid: _i, groups: _g, extra: _e, ...spec } = rest['spec']
  return { ...object, spec }
}

/** Ids, addresses, ports and times that a server chooses are alike. */
function comparable(value: Json): string {
  return JSON.stringify(sorted(value))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"10\.(?:9[6-9]|1[01]\d)\.\d+\.\d+"/g, '"<address>"')
    .replaceAll(/"(?:nodePort|healthCheckNodePort)":\d+/g, '"nodePort":"<port>"')
    .replaceAll(/"(?:creationTimestamp|last(?:Phase)?TransitionTime)":"[^"]*"/g, '"<when>"')
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map(key => [key, sorted(value[key] as Json)]),
  )
}

function formWith(field: string, value: Json): Broken {
  const object = { apiVersion: 'e.example.com/v1', kind: 'Form', metadata: { name: 'a' }, spec: { [field]: value } }
  return { name: `${field} ${JSON.stringify(value).slice(0, 40)}`, object }
}

const forms: readonly Broken[] = [
  ...formats.flatMap(format => values.map(value => formWith(fieldOf(format), value))),
  ...boundedFields.flatMap(field => numbers.map(number => formWith(field, number))),
]

async function define({ exchange }: { readonly exchange: HttpExchange }): Promise<void> {
  for (const definition of [richDefinition, formsDefinition])
    await send(exchange, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const isServed = async (): Promise<boolean> => {
    const [rich] = await send(exchange, `${riches.path}?dryRun=All`, riches.object)
    const [form] = await send(exchange, `${formsPath}?dryRun=All`, formWith('plain', 'x').object)
    return rich.kind === 'Rich' && form.kind === 'Form'
  }
  await comesAbout(isServed, () => 'the custom resources are served')
}

const riches: Rich = { path: '/apis/d.example.com/v1/namespaces/default/riches', object: richResource }
const formsPath = '/apis/e.example.com/v1/namespaces/default/forms'

describe('objects with one field broken', { concurrency: 1, skip }, () => {
  let embedded: ApiServer
  before(async () => {
    embedded = createApiServer({ emulate: '1.34' })
    await define({ exchange: embedded.as() })
    await define(await sharedControlPlane())
  })
  after(() => embedded.close())

  for (const [kind, { path, object }] of Object.entries({ ...richObjects, riches }))
    it(`${kind}: what both servers say is the same`, { timeout: 300_000 }, async () => {
      const [undamaged] = await send((await sharedControlPlane()).exchange, `${path}?dryRun=All`, object)
      assert.notEqual(undamaged.kind, 'Status', JSON.stringify(undamaged))
      await compare(kind, path, [...brokenForms(object)])
    })

  it('values of formats and numbers: what both servers say is the same', { timeout: 300_000 }, () =>
    compare('forms', formsPath, forms),
  )

  async function compare(kind: string, path: string, all: readonly Broken[]): Promise<void> {
    const { exchange } = await sharedControlPlane()
    const asked = all.filter((_, index) => index % share === 0)
    const different: string[] = []
    const told: string[] = []
    const known = new Set(knownDifferences[kind])
    const askBoth = async ({ name, object }: Broken): Promise<void> => {
      const [here, there] = await Promise.all([answerOf(embedded.as(), path, object), answerOf(exchange, path, object)])
      if (here === there) return
      different.push(name)
      if (!known.has(name)) told.push(`${name}\n    here  ${here}\n    there ${there}`)
    }
    for (let at = 0; at < asked.length; at += atOnce) await Promise.all(asked.slice(at, at + atOnce).map(askBoth))
    assert.ok(asked.length > all.length / (share + 1))
    assert.deepEqual(told, [])
    // What differs no more goes from the list.
    assert.deepEqual(
      asked.map(({ name }) => name).filter(name => known.has(name) && !different.includes(name)),
      [],
    )
  }
})
