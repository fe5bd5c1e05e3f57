// What a manifest gets in the place of references, and why it may have to wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceField, ResourceKind, ResourceService } from '#aws'
import { conditions, type Fields, type Resource } from '../api.ts'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { findCycle, namingCycle } from './cycles.ts'
import { type ReferenceTarget, referenceType, resolveReferences, targetsOf } from './references.ts'

const field = (camel: string, type: object, more: object = {}): ResourceField =>
  ({ camel, json: camel.charAt(0).toLowerCase() + camel.slice(1), type, ...more }) as unknown as ResourceField
const text = { kind: 'string' }
const list = (element: object): object => ({ kind: 'list', element })
const within = (shape: string): object => ({ kind: 'structure', shape })
const pair = (camel: string, more: { readonly type?: object; readonly required?: true; readonly reference?: object } = {}) => {
  const { type = text, required, reference } = more
  const made = { resource: 'Key', path: 'Status.ACKResourceMetadata.ARN', ...reference }
  const ofReference = 'element' in type ? list({ kind: 'reference' }) : { kind: 'reference' }
  return [
    field(camel, type, { reference: made, ...(required === undefined ? {} : { required }) }),
    field(`${camel}Ref`, ofReference, { referenceFor: camel }),
  ]
}

const spec = [
  field('Plain', text),
  ...pair('KeyID'),
  ...pair('KeyIDs', { type: list(text) }),
  ...pair('Other', { reference: { service: 'iam', resource: 'Role', path: 'Spec.Name' } }),
  ...pair('Deep', { reference: { path: 'Spec.Deep.ID' } }),
  ...pair('Any', { reference: { skipStateChecks: true } }),
  field('Lost', { kind: 'reference' }, { referenceFor: 'Nothing' }),
  field('One', within('Part')),
  field('Many', list(within('Part'))),
  field('Apart', within('Apart')),
]
const structures = { Part: [field('Plain', text), ...pair('KeyID', { required: true })], Apart: [field('Plain', text)] }
const kind = (name: string, fields: readonly ResourceField[]): ResourceKind =>
  ({
    kind: name,
    resource: name,
    version: 'v1',
    plural: `${name.toLowerCase()}s`,
    spec: fields,
    status: [],
    settings: {},
  }) as unknown as ResourceKind
const strict = kind('Strict', pair('KeyID', { required: true }))
const renamed = { ...kind('Renamed', []), resource: 'Original' }
const loop = kind('Loop', pair('Next', { reference: { resource: 'Loop' } }))
const service = {
  alias: 'x',
  group: 'x.services.k8s.aws',
  structures,
  kinds: { Thing: kind('Thing', spec), Strict: strict, Loop: loop, Renamed: renamed },
} as unknown as ResourceService
const model = kindModel(service, kind('Thing', spec))

const arn = 'arn:aws:kms:eu-west-1:111122223333:key/k'
const claimOf = (given: Fields, name = 'x'): Resource =>
  ({ metadata: { namespace: 'apps', name }, spec: given }) as unknown as Resource
const is = (type: string, status: string, more: object = {}): object => ({ type, status, reason: 'R', message: '', ...more })
const synced = is(conditions.synced, 'True')
const key = (held: readonly object[] = [synced], more: object = {}): Resource =>
  ({
    metadata: { name: 'k' },
    spec: { name: 'role' },
    status: { ackResourceMetadata: { arn }, conditions: held, ...more },
  }) as unknown as Resource
const from = (name: unknown, namespace?: unknown): object => ({
  from: { name, ...(namespace === undefined ? {} : { namespace }) },
})

interface Given {
  readonly found?: Resource | 'unserved' | 'missing'
  readonly crossNamespace?: boolean
  readonly of?: KindModel
}

function resolve(given: Fields, { found = key(), crossNamespace = false, of = model }: Given = {}) {
  const asked: ReferenceTarget[] = []
  const find = (target: ReferenceTarget): Resource | undefined | 'unserved' => {
    asked.push(target)
    return found === 'missing' ? undefined : found
  }
  return { asked, resolved: resolveReferences(of, claimOf(given), { find, crossNamespace }) }
}

const resolvedRows: readonly (readonly [what: string, given: Fields, spec: Fields, hasReferences: boolean])[] = [
  ['nothing', {}, {}, false],
  ['values alone', { plain: 'p', keyID: 'k', keyIDs: ['k'] }, { plain: 'p', keyID: 'k', keyIDs: ['k'] }, false],
  ['a reference', { plain: 'p', keyIDRef: from('k') }, { plain: 'p', keyID: arn }, true],
  ['two references in a list', { keyIDsRef: [from('a'), from('b')] }, { keyIDs: [arn, arn] }, true],
  ['an empty list of references beside values', { keyIDs: ['k'], keyIDsRef: [] }, { keyIDs: ['k'] }, false],
  ['a reference beside an empty list', { keyIDs: [], keyIDsRef: [from('a')] }, { keyIDs: [arn] }, true],
  ['a reference that is null', { keyID: 'k', keyIDRef: null }, { keyID: 'k' }, false],
  ['a reference beside a value that is null', { keyID: null, keyIDRef: from('k') }, { keyID: arn }, true],
  ['a reference to a field of the manifest', { otherRef: from('r') }, { other: 'role' }, true],
  ['a reference that no field has for its own', { lost: from('k') }, {}, false],
  ['one within a structure', { one: { plain: 'p', keyIDRef: from('k') } }, { one: { plain: 'p', keyID: arn } }, true],
  ['none within a structure that may have one', { one: { plain: 'p' } }, { one: { plain: 'p' } }, false],
  ['some within a list', { many: [{ keyIDRef: from('k') }, 'text', null] }, { many: [{ keyID: arn }, 'text', null] }, true],
  ['no structure where one may stand', { one: 'text', many: null }, { one: 'text', many: null }, false],
  ['a structure without references', { apart: { keyIDRef: from('k') } }, { apart: { keyIDRef: from('k') } }, false],
  ['an ARN that no object stands for', { keyIDRef: { external: { arn: 'a', id: 'i' } } }, { keyID: 'a' }, true],
  ['an id that no object stands for', { keyIDRef: { external: { arn: '', id: 'i', name: 'n' } } }, { keyID: 'i' }, true],
  ['a name that no object stands for', { keyIDRef: { external: { arn: 5, name: 'n' } } }, { keyID: 'n' }, true],
]

for (const [what, given, expected, hasReferences] of resolvedRows)
  test(`a manifest with ${what} is sent as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(resolve(given).resolved, { kind: 'resolved', spec: expected, notices: [], hasReferences }))

test('a reference names an object of its own service and namespace where it says no other', () => {
  const { asked } = resolve({ keyIDRef: from('k'), keyIDsRef: [from('l', '')], otherRef: from('r', 'apps') })
  assert.deepEqual(asked, [
    { service: 'x', resource: 'Key', namespace: 'apps', name: 'k' },
    { service: 'x', resource: 'Key', namespace: 'apps', name: 'l' },
    { service: 'iam', resource: 'Role', namespace: 'apps', name: 'r' },
  ])
})

const terminal = (reason: string, message = ''): object => is(conditions.terminal, 'True', { reason, message })
const unsynced = is(conditions.synced, 'False')
const ofStrict = { of: kindModel(service, strict) }
const foreign = { keyIDRef: from('k', 'other') }

const unresolvedRows: readonly (readonly [
  what: string,
  given: Fields,
  more: Given,
  how: 'wait' | 'stop' | 'told',
  message: RegExp,
])[] = [
  [
    'both',
    { keyID: 'k', keyIDRef: from('k') },
    {},
    'stop',
    /^both resource reference wrapper and ID cannot be used together: KeyID,KeyIDRef$/,
  ],
  ['neither where one is required', {}, ofStrict, 'stop', /^resource reference wrapper or ID required: KeyID,KeyIDRef$/],
  ['an empty name', { keyIDRef: from('') }, {}, 'stop', /^provided resource reference is empty: KeyIDRef$/],
  ['a name that is none', { keyIDRef: from(5) }, {}, 'stop', /^provided resource reference is empty: KeyIDRef$/],
  ['nothing in its reference', { keyIDRef: {} }, {}, 'stop', /^provided resource reference is empty: KeyIDRef$/],
  ['nothing outside', { keyIDRef: { external: { arn: '' } } }, {}, 'stop', /^provided resource reference is empty: KeyIDRef$/],
  ['another namespace', foreign, {}, 'stop', /^apps\/x refers to x Key other\/k in another namespace, which is not allowed/],
  [
    'a kind that nobody serves',
    { keyIDRef: from('k') },
    { found: 'unserved' },
    'wait',
    /^x Key is not served by this controller$/,
  ],
  ['what is missing', { keyIDRef: from('k') }, { found: 'missing' }, 'wait', /^the referenced x Key apps\/k does not exist$/],
  [
    'what is not in step',
    { keyIDRef: from('k') },
    { found: key([unsynced]) },
    'wait',
    /^the referenced resource is not synced yet: x Key apps\/k$/,
  ],
  ['what says nothing of itself', { keyIDRef: from('k') }, { found: key([]) }, 'wait', /is not synced yet/],
  // That its object is Terminal is told of it, and of who refers to it only that he waits for a person.
  [
    'what is Terminal',
    { keyIDRef: from('k') },
    { found: key([terminal('ResourceExists')]) },
    'told',
    /^the referenced resource has 'ACK.Terminal' condition 'True'/,
  ],
  [
    'what was never made and refused',
    { keyIDRef: from('k') },
    { found: key([terminal('NotUpdatable')], { ackResourceMetadata: {} }) },
    'told',
    /Terminal/,
  ],
  [
    'the very field that cannot be changed',
    { otherRef: from('r') },
    { found: key([terminal('NotUpdatable', 'cannot change Spec.Path; Spec.Name')]) },
    'told',
    /Terminal/,
  ],
  [
    'a part of the field that cannot be changed',
    { otherRef: from('r') },
    { found: key([terminal('InvalidManifest', 'spec.name.first, it says')]) },
    'told',
    /Terminal/,
  ],
  [
    'a part of what cannot be changed',
    { deepRef: from('r') },
    { found: key([terminal('NotUpdatable', 'Spec.Deep')]) },
    'told',
    /Terminal/,
  ],
  [
    'a field that is not there yet',
    { keyIDRef: from('k') },
    { found: key([synced], { ackResourceMetadata: {} }) },
    'wait',
    /is missing the target field: x Key apps\/k Status\.ACKResourceMetadata\.ARN$/,
  ],
]

for (const [what, given, more, how, message] of unresolvedRows)
  test(`a manifest with ${what} ${how === 'wait' ? 'waits' : 'is for a person'}`, () => {
    const { resolved } = resolve(given, more)
    assert.ok(resolved.kind === 'unresolved')
    assert.match(resolved.message, message)
    assert.deepEqual([resolved.how, resolved.terminal], [how === 'wait' ? 'wait' : 'stop', how === 'stop'])
  })

const takenRows: readonly (readonly [what: string, given: Fields, found: Resource])[] = [
  ['what looks at no state', { anyRef: from('k') }, key([terminal('ResourceExists')])],
  [
    'what only another wish is refused for',
    { keyIDRef: from('k') },
    key([terminal('NotUpdatable', 'Status.ACKResourceMetadata')]),
  ],
  ['a field beside the one that is refused', { otherRef: from('r') }, key([terminal('InvalidManifest', 'Spec.NameTag')])],
  ['what was Terminal', { keyIDRef: from('k') }, key([is(conditions.terminal, 'False'), synced])],
]

for (const [what, given, found] of takenRows)
  test(`a reference to ${what} is resolved`, () => assert.equal(resolve(given, { found }).resolved.kind, 'resolved'))

test('an object of another namespace is taken where the settings let it, and each is told once, in order', () => {
  const given = { keyIDRef: from('k', 'other'), keyIDsRef: [from('a', 'other'), from('a', 'other'), from('own')] }
  const { resolved } = resolve(given, { crossNamespace: true })
  assert.ok(resolved.kind === 'resolved')
  assert.deepEqual(
    resolved.notices.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`),
    ['a', 'k'].map(name => `ACK.Advisory True CrossNamespaceOptInRequired: x Key other/${name} is in another namespace`),
  )
})

test('all objects that a manifest names are watched', () => {
  const given = {
    keyIDRef: from('a'),
    keyIDsRef: [from('b'), 'text', from('c')],
    keyIDs: [],
    one: { keyIDRef: from('d') },
    many: [{ keyIDRef: from('e') }, null],
    apart: { keyIDRef: from('f') },
    lost: from('g'),
    anyRef: { external: { arn } },
  }
  assert.deepEqual(
    targetsOf(model, claimOf(given)).map(({ name }) => name),
    ['a', 'b', 'c', 'd', 'e'],
  )
  assert.deepEqual(targetsOf(model, { metadata: { name: 'x' } } as Resource), [])
})

for (const [named, plural] of [
  [{ service: 'x', resource: 'Strict' }, 'stricts'],
  [{ service: 'x', resource: 'loop' }, 'loops'],
  [{ service: 'x', resource: 'Original' }, 'renameds'],
  [{ service: 'x', resource: 'Renamed' }, 'renameds'],
  [{ service: 'x', resource: 'None' }, undefined],
  [{ service: 'iam', resource: 'Strict' }, undefined],
] as const)
  test(`the kind ${named.resource} of ${named.service} is ${plural ?? 'nobody’s'}`, () =>
    assert.equal(referenceType([service], named)?.plural, plural))

test('what a reference names is an object of its namespace, in the version that is served', () =>
  assert.deepEqual(referenceType([service], { service: 'x', resource: 'Loop' }), {
    group: 'x.services.k8s.aws',
    version: 'v1',
    kind: 'Loop',
    plural: 'loops',
    namespaced: true,
  }))

const loopModel = kindModel(service, loop)

/** Objects by name, each with the name of the one that it refers to. */
function cycleIn(next: Readonly<Record<string, string | undefined>>, { served = true } = {}): readonly string[] | undefined {
  const objects = new Map(
    Object.entries(next).map(([name, to]) => [name, claimOf(to === undefined ? {} : { nextRef: from(to) }, name)]),
  )
  const claim = objects.get('a')
  assert.ok(claim !== undefined)
  const find = ({ name }: ReferenceTarget): Resource | undefined | 'unserved' => (served ? objects.get(name) : 'unserved')
  return findCycle({ model: loopModel, claim, find, modelOf: ({ name }) => (name === 'foreign' ? undefined : loopModel) })
}
const chain = (length: number): Readonly<Record<string, string>> => {
  const names = ['a', ...Array.from({ length: length - 1 }, (_, index) => `n${index}`)]
  return Object.fromEntries(names.map((name, index) => [name, names[index + 1] ?? 'a']))
}

test('references that lead back are told by name, from where they began to there again', () => {
  assert.deepEqual(cycleIn({ a: 'b', b: 'c', c: 'a' }), ['Loop apps/a', 'Loop apps/b', 'Loop apps/c', 'Loop apps/a'])
  assert.deepEqual(cycleIn({ a: 'a' }), ['Loop apps/a', 'Loop apps/a'])
})

test('references that lead nowhere, to others’ circle, or to what nobody serves are no circle', () => {
  assert.equal(cycleIn({ a: 'b', b: undefined }), undefined)
  assert.equal(cycleIn({ a: 'b' }), undefined)
  assert.equal(cycleIn({ a: 'b', b: 'c', c: 'b' }), undefined)
  assert.equal(cycleIn({ a: 'a' }, { served: false }), undefined)
  assert.equal(cycleIn({ a: 'foreign', foreign: 'a' }), undefined)
})

test('a circle of twelve objects is found, and a longer one not looked for', () => {
  assert.equal(cycleIn(chain(12))?.length, 13)
  assert.equal(cycleIn(chain(13)), undefined)
})

test('who waits in a circle is told the circle, and otherwise what he waits for', () => {
  const waiting = { kind: 'unresolved', how: 'wait', message: 'no b', terminal: false } as const
  assert.equal(namingCycle(waiting, undefined), waiting)
  assert.deepEqual(namingCycle(waiting, ['a', 'b', 'a']), { ...waiting, message: 'references lead in a circle: a -> b -> a' })
})
