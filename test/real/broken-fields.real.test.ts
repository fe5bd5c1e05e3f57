// Objects of all kinds with one field broken, in seventeen thousand ways: what the embedded server says of each is what a real one says,
// and of what is taken both make the same. One in eight is asked; VOUCH_BROKEN_FIELDS=all asks them all.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { collectBody, type HttpExchange } from '#base'
import { isList, isObject, type Json, type JsonObject } from '#schema'
import { brokenForms } from './rich/break.ts'
import { knownDifferences } from './rich/known-differences.ts'
import { richObjects } from './rich/objects.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false

const share = process.env['VOUCH_BROKEN_FIELDS'] === 'all' ? 1 : 8
/** Asked at once: both wait for the other. */
const atOnce = 6

/** Every n-th, and the undamaged one. */
function asked(object: JsonObject): readonly { readonly name: string; readonly object: Json }[] {
  return [...brokenForms(object)].filter((_, index) => index % share === 0)
}

async function answerOf(exchange: HttpExchange, path: string, object: Json): Promise<string> {
  const text = JSON.stringify(object)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  let reply: Awaited<ReturnType<HttpExchange>>
  try {
    reply = await exchange({ method: 'POST', target: `${path}?dryRun=All`, headers, body: Buffer.from(text) })
  } catch {
    return 'the connection ends'
  }
  const told = JSON.parse(Buffer.from(await collectBody(reply.body, 8_388_608)).toString()) as JsonObject
  return comparable([told.kind === 'Status' ? told : withoutOwn(told), [reply.headers['warning'] ?? []].flat().join(', ')])
}

/** What a server finds for each object anew. */
function withoutOwn({ metadata, ...rest }: JsonObject): JsonObject {
  const { managedFields: _m, uid: _u, creationTimestamp: _c, resourceVersion: _r, ...kept } = metadata as JsonObject
  return { ...rest, metadata: kept }
}

/** Ids, addresses and ports that a server chooses are alike. */
function comparable(value: Json): string {
  return JSON.stringify(sorted(value))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"10\.(?:9[6-9]|1[01]\d)\.\d+\.\d+"/g, '"<address>"')
    .replaceAll(/"nodePort":\d+/g, '"nodePort":"<port>"')
    .replaceAll(/"(?:creationTimestamp|lastTransitionTime)":"[^"]*"/g, '"<when>"')
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

describe('objects with one field broken', { concurrency: 1, skip }, () => {
  let embedded: ApiServer
  before(() => {
    embedded = createApiServer({ emulate: '1.34' })
  })
  after(() => embedded.close())

  for (const [kind, { path, object }] of Object.entries(richObjects))
    it(`${kind}: what both servers say is the same`, { timeout: 300_000 }, async () => {
      const { exchange } = await sharedControlPlane()
      const questions = asked(object)
      const differing: string[] = []
      const told: string[] = []
      const askBoth = async ({ name, object: broken }: (typeof questions)[number]): Promise<void> => {
        const [here, there] = await Promise.all([answerOf(embedded.as(), path, broken), answerOf(exchange, path, broken)])
        if (name === 'as it is') assert.ok(!there.startsWith('[{"apiVersion":"v1","code"'), there)
        if (here === there) return
        differing.push(name)
        told.push(`${name}\n    here  ${here}\n    there ${there}`)
      }
      for (let at = 0; at < questions.length; at += atOnce) await Promise.all(questions.slice(at, at + atOnce).map(askBoth))
      const names = new Set(questions.map(({ name }) => name))
      const known = (knownDifferences[kind] ?? []).filter(name => names.has(name))
      assert.deepEqual(
        differing.toSorted(),
        known.toSorted(),
        told.filter(text => !known.includes(text.split('\n')[0] ?? '')).join('\n'),
      )
    })
})
