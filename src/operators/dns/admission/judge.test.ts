// What is answered to a request, by its operation and its version.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { dnsSeen } from '../testing/dns-seen.fixture.ts'
import { judge } from './judge.ts'
import { rivalWarnings } from './rival-warnings.ts'

const group = 'externaldns.olm.openshift.io'
const spec = (more: object = {}): object => ({
  provider: { type: 'AWS', aws: { credentials: { name: 'x' } } },
  source: { type: 'Service', hostnameAnnotation: 'Allow' },
  zones: ['ZAAAAAAAAAAAA1'],
  ...more,
})
const crd = spec({ source: { type: 'CRD', hostnameAnnotation: 'Allow' } })
const object = (of: unknown, version = 'v1beta1', metadata: object | undefined = { name: 'blue' }): KubeObject =>
  ({ apiVersion: `${group}/${version}`, kind: 'ExternalDNS', metadata, spec: of }) as unknown as KubeObject
const context = { isOpenShift: false, hasRoutes: true }

function ask(operation: string, asked: unknown, old: unknown = null, more: object = {}) {
  return judge({ operation, object: asked, oldObject: old } as never, { ...context, ...more })
}

const words = (answer: ReturnType<typeof ask>): unknown => (answer.kind === 'deny' ? answer.message : 'allowed')
const notBuilt = 'CRD source is not implemented'
const empty = 'the name of a Secret cannot be empty; leave the field out'
const twice = spec({ zones: ['ZAAAAAAAAAAAA1', 'ZAAAAAAAAAAAA1'] })
const repeated = 'zone "ZAAAAAAAAAAAA1" is there more than once'
const emptied = (type: string, field: string, secret: string): object =>
  spec({ provider: { type, [field]: { [secret]: { name: '' } } } })

for (const [what, operation, asked, old, expected] of [
  ['the deletion of whatever it is', 'DELETE', object({}), object({}), 'allowed'],
  ['a request without an object', 'CREATE', null, null, 'allowed'],
  ['a request that leaves its object out', 'CREATE', undefined, null, 'allowed'],
  ['an object that is well', 'CREATE', object(spec()), null, 'allowed'],
  ['an object without a name', 'CREATE', object(spec(), 'v1beta2', {}), null, 'allowed'],
  ['a new object with the word CRD', 'CREATE', object(crd), null, notBuilt],
  ['a new object with the word CRD, beside one of it', 'CREATE', object(crd), object(crd), notBuilt],
  ['a change to the word CRD', 'UPDATE', object(crd), object(spec()), notBuilt],
  ['a change of an object with the word CRD', 'UPDATE', object(crd), object(crd), 'allowed'],
  ['a change of nothing', 'UPDATE', object(crd), null, notBuilt],
  ['a change of an object without a spec', 'UPDATE', object(crd), object(undefined), notBuilt],
  ['a change of an object whose source is a word', 'UPDATE', object(crd), object({ source: 'CRD' }), notBuilt],
  ['the word CRD in the newest version', 'CREATE', object(crd, 'v1beta2'), null, 'allowed'],
  ['a zone twice, in an older version', 'CREATE', object(twice), null, 'allowed'],
  ['a zone twice, in the newest version', 'CREATE', object(twice, 'v1beta2'), null, repeated],
  [
    'an emptied name of AWS',
    'CREATE',
    object(
      spec({ provider: { type: 'AWS', aws: { credentials: { name: '' }, workloadIdentity: { mode: 'PodIdentity' } } } }),
      'v1beta2',
    ),
    null,
    empty,
  ],
  [
    'an emptied name of GCP',
    'CREATE',
    object(emptied('GCP', 'gcp', 'credentials'), 'v1beta2'),
    null,
    `[credentials secret must be specified when provider type is GCP, ${empty}]`,
  ],
  [
    'an emptied name of Azure',
    'CREATE',
    object(emptied('Azure', 'azure', 'configFile'), 'v1beta2'),
    null,
    `[config file name must be specified when provider type is Azure, ${empty}, `,
  ],
] as const)
  test(`${what} is ${expected === 'allowed' ? 'allowed' : 'refused'}`, () => {
    const answered = String(words(ask(operation, asked, old)))
    assert.equal(answered.startsWith(expected), true, answered)
  })

test('what the newest version refuses is a warning in older ones, and rivals are a warning in all', () => {
  const rivalsOf = (): readonly string[] => ['red writes the same']
  const warned = (version: string, of: object): unknown => {
    const answer = ask('CREATE', object(of, version), null, { rivalsOf })
    return [answer.kind, answer.warnings?.filter(text => /more than once|red/.test(text))]
  }
  assert.deepEqual(warned('v1beta1', twice), ['allow', [repeated, 'red writes the same']])
  assert.deepEqual(warned('v1beta2', twice), ['deny', ['red writes the same']])
  assert.deepEqual(warned('v1beta2', spec()), ['allow', ['red writes the same']])
  const { code, reason } = ask('CREATE', object(twice, 'v1beta2')) as { readonly code?: number; readonly reason?: string }
  assert.deepEqual([code, reason], [403, 'Forbidden'])
})

test('a rival is warned of where it writes under the same owner id, and once it is known which objects there are', () => {
  const { surroundings } = dnsSeen()
  const ownership = (ownerID: string): object => ({ ownership: { ownerID } })
  const other = (name: string, more: object): object => ({ ...object(spec(more), 'v1beta2', { name, uid: name }) })
  const others = [
    other('red', ownership('a')),
    other('green', ownership('b')),
    other('far', { ...ownership('a'), zones: ['ZBBBBBBBBBBBB1'] }),
  ]
  const world = (isSynced: boolean) => ({ isSynced: () => isSynced, list: () => others }) as never
  const own = object(spec(ownership('a')), 'v1beta2', { name: 'blue' })
  assert.deepEqual(rivalWarnings(own, world(true), surroundings), [
    "red writes the same names under the same owner id: one of the two would take the other's records away",
  ])
  assert.deepEqual(rivalWarnings(own, world(false), surroundings), [])
  assert.deepEqual(rivalWarnings(own, undefined, surroundings), [])
})
