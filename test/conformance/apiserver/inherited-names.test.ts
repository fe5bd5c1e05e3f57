// Names that every object of JavaScript has without having been given them: whoever looks one up as if it had been, finds a function.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { isList, isObject, type Json, type JsonObject } from '#schema'
import { richObjects } from '../../real/rich/objects.ts'

/** The object with each of its texts in turn called so, and each of its maps with a member of that name. */
function* withName(value: Json, name: string): Generator<Json> {
  if (typeof value === 'string') yield name
  if (isList(value)) for (const [at, item] of value.entries()) for (const put of withName(item, name)) yield value.with(at, put)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value))
    for (const put of withName(member as Json, name)) yield { ...value, [key]: put }
  yield { ...value, [name]: 'x' }
}

describe('names that every object has', { concurrency: 1 }, () => {
  let server: ApiServer
  before(() => {
    server = createApiServer({ emulate: '1.34' })
  })
  after(() => server.close())

  async function statusOf(path: string, object: Json): Promise<number> {
    const body = Buffer.from(JSON.stringify(object))
    const headers = { 'content-type': 'application/json', 'content-length': String(body.byteLength) }
    const reply = await server.as()({ method: 'POST', target: `${path}?dryRun=All`, headers, body })
    return reply.status
  }

  for (const [kind, { path, object }] of Object.entries(richObjects))
    for (const name of ['constructor', '__proto__'])
      it(`${kind}: ${name} is a text like any other`, async () => {
        assert.equal(await statusOf(path, object), 201)
        const forms: JsonObject[] = [...withName(object, name)].filter(isObject)
        assert.ok(forms.length >= Object.keys(object).length)
        for (const form of forms) assert.notEqual(await statusOf(path, form), 500, JSON.stringify(form))
      })
})
