// What a real server 1.34 quotes of an object that a JSON patch has spoilt: seen by sending it the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { patchedText } from './patched-text.ts'

const jsonPatch = { type: 'application/json-patch+json' }
const mergePatch = { type: 'application/merge-patch+json' }
const configMaps = '/api/v1/namespaces/default/configmaps'
const data = { a: '1', h: '<&>', u: 'é\u2028"\\', '10': 'x', '9': 'y' }

async function answer(patch: string, options: object): Promise<string> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
  await ask(server, 'POST', configMaps, { metadata: { name: 'c', labels: { '10': 'x', '9': 'y', b: 'c' } }, data })
  const { status, body } = await ask(server, 'PATCH', `${configMaps}/c?dryRun=All`, patch, options)
  if (status === 200) return 'taken'
  const quoted = /^ "" is invalid: patch: Invalid value: (".*"): json: /s.exec(body.message)?.[1]
  return quoted === undefined ? body.message : (JSON.parse(quoted) as string)
}

const quotes: readonly (readonly [what: string, patch: string, quoted: RegExp])[] = [
  [
    'sorted along the way of an operation, and as the server writes it elsewhere',
    '[{"op":"add","path":"/data/x","value":1}]',
    /^\{"apiVersion":"v1","data":\{"10":"x","9":"y","a":"1","h":"\\u003c\\u0026\\u003e","u":"é\\u2028\\"\\\\","x":1\},"kind":"ConfigMap","metadata":\{"name":"c","namespace":"default","uid":/,
  ],
  [
    'sorted where something was copied from',
    '[{"op":"copy","from":"/metadata/labels","path":"/data/x"}]',
    /"x":\{"10":"x","9":"y","b":"c"\}\},"kind":"ConfigMap","metadata":\{"creationTimestamp":.*,"labels":\{"10":"x","9":"y","b":"c"\},"managedFields":/,
  ],
  [
    'sorted where something was moved from',
    '[{"op":"move","from":"/metadata/labels","path":"/data/x"}]',
    /"kind":"ConfigMap","metadata":\{"creationTimestamp":.*,"managedFields":/,
  ],
  [
    'sorted where a test looked for what is not there',
    '[{"op":"test","path":"/metadata/nope","value":null},{"op":"add","path":"/data/x","value":1}]',
    /"metadata":\{"creationTimestamp":/,
  ],
  [
    'as it was written, but for white space and what HTML takes for its own',
    '[{"op":"add","path":"/data/q","value":{"z":"\\u0041<\\u003c", "10": 1, "9":  2, "a":1.50, "z":1}}]',
    /"q":\{"z":"\\u0041\\u003c\\u003c","10":1,"9":2,"a":1\.50,"z":1\}/,
  ],
  [
    'as it was written in a copy of what nothing had gone into by then, and sorted in a copy of what had',
    '[{"op":"add","path":"/data/q","value":{"z":1,"b":{"z":1,"a":2},"a":1}},{"op":"copy","from":"/data/q","path":"/data/r"},{"op":"add","path":"/data/q/b/c","value":{"z":1,"a":1}},{"op":"copy","from":"/data/q","path":"/data/s"},{"op":"add","path":"/data/s/b","value":1}]',
    /"q":\{"a":1,"b":\{"a":2,"c":\{"z":1,"a":1\},"z":1\},"z":1\},"r":\{"z":1,"b":\{"z":1,"a":2\},"a":1\},"s":\{"a":1,"b":1,"z":1\}/,
  ],
  [
    'as it was written when it has been moved',
    '[{"op":"add","path":"/data/q","value":{"z":1,"b":{"z":1,"a":2},"a":1}},{"op":"move","from":"/data/q","path":"/data/r"}]',
    /"r":\{"z":1,"b":\{"z":1,"a":2\},"a":1\}/,
  ],
  [
    'sorted to the bottom when it was tested whole',
    '[{"op":"add","path":"/data/q","value":{"z":1,"b":{"z":1,"a":2},"a":1}},{"op":"test","path":"/data/q","value":{"z":1,"b":{"z":1,"a":2},"a":1}}]',
    /"q":\{"a":1,"b":\{"a":2,"z":1\},"z":1\}/,
  ],
  [
    'sorted as deep as a test of it went',
    '[{"op":"add","path":"/data/q","value":{"z":1,"b":{"z":1,"a":2},"a":1}},{"op":"test","path":"/data/q/a","value":1}]',
    /"q":\{"a":1,"b":\{"z":1,"a":2\},"z":1\}/,
  ],
  [
    'as it was written in a list, wherever in it',
    '[{"op":"add","path":"/data/q","value":[{"z":1,"b":{"z":1,"a":2},"a":1}]},{"op":"copy","from":"/data/q/0","path":"/data/q/-"}]',
    /"q":\[\{"z":1,"b":\{"z":1,"a":2\},"a":1\},\{"z":1,"b":\{"z":1,"a":2\},"a":1\}\]/,
  ],
  [
    'sorted in the item of a list from which something was copied',
    '[{"op":"add","path":"/data/q","value":[{"z":1,"b":{"z":1,"a":2},"a":1}]},{"op":"copy","from":"/data/q/0/b","path":"/data/q/-"}]',
    /"q":\[\{"a":1,"b":\{"z":1,"a":2\},"z":1\},\{"z":1,"a":2\}\]/,
  ],
]

for (const [what, patch, quoted] of quotes)
  test(`what a refusal quotes is ${what}`, async () => {
    assert.match(await answer(patch, jsonPatch), quoted)
  })

test('what a merge went into is quoted sorted, and safe inside HTML', async () => {
  assert.match(
    await answer('{"data":{"x":{"z":"<","a":1}}}', mergePatch),
    /"h":"\\u003c\\u0026\\u003e",.*"x":\{"a":1,"z":"\\u003c"\}\}/,
  )
})

const failed = 'the server rejected our request due to an error in our request'
for (const [path, value, outcome] of [
  ['/data/a', '"1"', 'taken'],
  ['/data/a', '"\\u0031"', failed],
  ['/data/h', '"<&>"', failed],
  ['/data/h', '"\\u003c\\u0026\\u003e"', 'taken'],
  ['/data/u', '"é\\u2028\\"\\\\"', 'taken'],
  ['/data/u', '"é\u2028\\"\\\\"', failed],
  ['/data', '{"a":"\\u0031","h":"\\u003c\\u0026\\u003e","u":"é\\u2028\\"\\\\","10":"x","9":"y"}', failed],
] as const)
  test(`a test of ${path} compares texts: ${value} is ${outcome === failed ? 'another' : 'the same'}`, async () => {
    assert.equal(await answer(`[{"op":"test","path":"${path}","value":${value}}]`, jsonPatch), outcome)
  })

test('no name that every object has is anything but a member', () => {
  const add = '[{"op":"add","path":"/__proto__","value":{"z":1,"constructor":2}},{"op":"add","path":"/toString","value":1}]'
  assert.equal(
    patchedText('{"b":{"__proto__":1,"a":2}}', add),
    '{"__proto__":{"z":1,"constructor":2},"b":{"__proto__":1,"a":2},"toString":1}',
  )
})
