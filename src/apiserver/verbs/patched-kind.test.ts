// What a real server 1.34 says when a patch takes the kind or the version of an object away, or makes it another: seen by sending it the same.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ManualClock } from '#base'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { widgetDefinition, widgets, widgetVersion } from '../widget.fixture.ts'

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const schema = { type: 'object', properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } } }
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const version = widgetVersion(schema, { subresources: { status: {}, scale } })
const objects = [widgetDefinition([version])]
const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34', objects })
after(() => server.close())
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const spec = { selector: { matchLabels: { a: 'b' } }, template }
assert.equal((await ask(server, 'POST', deployments, { metadata: { name: 'd' }, spec })).status, 201)
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 2 } }
assert.equal((await ask(server, 'POST', widgets, widget)).status, 201)

const targets = {
  deployment: `${deployments}/d`,
  'status of a deployment': `${deployments}/d/status`,
  'scale of a deployment': `${deployments}/d/scale`,
  widget: `${widgets}/w`,
  'status of a widget': `${widgets}/w/status`,
  'scale of a widget': `${widgets}/w/scale`,
}
const jsonPatch = 'application/json-patch+json'

const nameless = '400 the name of the object (d based on URL) was undeterminable: name must be provided'
const unknown = ['unknown field "metadata"', 'unknown field "spec"', 'unknown field "status"']
const internal = (kind: string, group: string): string =>
  `422 no kind "${kind}" is registered for the internal version of group "${group}" in scheme "pkg/runtime/scheme.go:110"`
const withoutVersion = { op: 'remove', path: '/apiVersion' }
const withoutKind = { op: 'remove', path: '/kind' }
const asKind = (value: unknown): object => ({ op: 'add', path: '/kind', value })
const asVersion = (value: unknown): object => ({ op: 'add', path: '/apiVersion', value })
const noVersion = "500 Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'"
const noKind = "422 Object 'Kind' is missing in '"
const noText = '422 .apiVersion accessor error: <nil> is of the type <nil>, expected string'
const threeParts = '422 unexpected GroupVersion string: a/b/c'
const strict = '422 strict decoding error: unknown field "metadata", unknown field "spec", unknown field "status"'

type Row = readonly [target: keyof typeof targets, patch: object, answer: string, ...warnings: string[]]
const rows: readonly Row[] = [
  ['deployment', [withoutVersion], nameless, ...unknown],
  ['deployment', [asVersion(null)], nameless, ...unknown],
  ['deployment', [asVersion('')], nameless, ...unknown],
  ['deployment', { apiVersion: null }, nameless, ...unknown],
  ['deployment', [withoutVersion, withoutKind], nameless, ...unknown],
  ['deployment', [withoutVersion, { op: 'add', path: '/foo', value: { a: 1 } }], nameless, 'unknown field "foo"', ...unknown],
  ['deployment', [withoutVersion, asKind('Foo')], internal('Foo', 'apps')],
  ['deployment', [withoutVersion, asKind('Pod')], internal('Pod', 'apps')],
  [
    'deployment',
    [withoutVersion, asKind('StatefulSet')],
    '422 converting (apps.StatefulSet) to (apps.Deployment): unknown conversion',
  ],
  ['deployment', [asVersion('a/b/c')], threeParts],
  ['deployment', [withoutKind], '200 Deployment'],
  ['status of a deployment', [withoutVersion], nameless, ...unknown],
  ['scale of a deployment', [withoutVersion], nameless, ...unknown],
  ['scale of a deployment', [withoutVersion, asKind('StatefulSet')], internal('StatefulSet', 'autoscaling')],
  ['scale of a deployment', [asVersion('a/b/c')], threeParts],
  ['widget', [asKind(null)], noKind],
  ['widget', [asKind('')], noKind],
  ['widget', { kind: null }, noKind],
  ['widget', [withoutVersion, withoutKind], noKind],
  ['widget', [asVersion(null)], noText],
  ['widget', [asVersion('')], noVersion],
  ['widget', { apiVersion: null }, noVersion],
  ['widget', [withoutVersion, asKind('x')], noVersion],
  [
    'widget',
    [withoutVersion, { op: 'add', path: '/metadata/name', value: 'q' }],
    '400 the name of the object (q) does not match the name on the URL (w)',
  ],
  ['widget', [asVersion('a/b/c')], threeParts],
  ['widget', [asKind('x')], '422 x.example.com "w" is invalid: kind: Invalid value: "x": must be Widget'],
  [
    'widget',
    [asKind('x'), asVersion('y')],
    '422 x "w" is invalid: [kind: Invalid value: "x": must be Widget, apiVersion: Invalid value: "y": must be example.com/v1]',
  ],
  ['status of a widget', [asKind('x'), asVersion('y')], '200 Widget'],
  ['status of a widget', [withoutKind], noKind],
  ['status of a widget', [asVersion(null)], noText],
  ['status of a widget', [withoutVersion], noVersion],
  ['scale of a widget', [withoutVersion, withoutKind], '200 Scale'],
  ['scale of a widget', { apiVersion: null }, '200 Scale'],
  ['scale of a widget', [asVersion('a/b/c')], threeParts],
]

/** The status and the message, without the object that the message quotes, of which `patched-text.test.ts` is about. */
function said(status: number, body: { readonly kind: string; readonly message: string }): string {
  return `${status} ${status === 200 ? body.kind : body.message.replace(/^ "" is invalid: patch: Invalid value: "(?:[^"\\]|\\.)*": /s, '')}`
}

for (const [target, patch, expected, ...warnings] of rows)
  test(`the patch ${JSON.stringify(patch)} of the ${target} is answered with ${expected.slice(0, 60)}`, async () => {
    const type = Array.isArray(patch) ? jsonPatch : 'application/merge-patch+json'
    const { status, body, headers } = await ask(server, 'PATCH', `${targets[target]}?dryRun=All`, patch, { type })
    const answer = said(status, body)
    assert.equal(expected === noKind ? answer.slice(0, noKind.length) : answer, expected)
    const told = [headers.warning ?? []].flat().map(warning => JSON.parse(warning.replace('299 - ', '')) as string)
    assert.deepEqual(told, warnings)
  })

test('who wants no unknown fields is refused an object without a version, and who ignores them is told of the name alone', async () => {
  const send = (fieldValidation: string) =>
    ask(server, 'PATCH', `${targets.deployment}?fieldValidation=${fieldValidation}`, [withoutVersion], { type: jsonPatch })
  const refused = await send('Strict')
  assert.equal(said(refused.status, refused.body), strict)
  const { status, body, headers } = await send('Ignore')
  assert.deepEqual([said(status, body), headers.warning], [nameless, undefined])
})

test('what is said of an object without a kind ends with its text', async () => {
  const patch = [{ op: 'replace', path: '', value: { a: 'b' } }]
  const { body } = await ask(server, 'PATCH', targets.widget, patch, { type: jsonPatch })
  const why = `Object 'Kind' is missing in '{"a":"b"}'`
  assert.equal(body.message, ` "" is invalid: patch: Invalid value: "{\\"a\\":\\"b\\"}": ${why}`)
})

const labelled = { op: 'add', path: '/metadata/labels', value: { b: [], a: 5 } }
for (const [operations, first] of [
  [[labelled], 'array'],
  [[labelled, { op: 'add', path: '/metadata/labels/c', value: 'd' }], 'number'],
] as const)
  test(`of several faults of ${JSON.stringify(operations)} the first in the text of the patched object is told`, async () => {
    for (const [target, field] of [
      ['deployment', 'metadata.labels'],
      ['widget', 'labels'],
    ] as const) {
      const { body } = await ask(server, 'PATCH', targets[target], operations, { type: jsonPatch })
      const why = `json: cannot unmarshal ${first} into Go struct field ObjectMeta.${field} of type string`
      assert.equal(said(422, body), `422 ${why}`)
    }
  })
