import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../api.ts'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { settingsOf } from '../options.ts'
import { shippedService } from '../services/shipped.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { adoptionOf } from './adoption.ts'

const { service } = shippedService('iam')
const kind = service.kinds['Role']
if (kind === undefined) throw new Error('no Role is shipped')
const model = kindModel(service, kind)
const { gates } = settingsOf({
  home: { account: '111122223333', partition: 'aws', region: 'eu-west-1' },
  services: ['iam'],
} as never)

function claim(finalizers: readonly string[], status: Resource['status'] = {}): Resource {
  const notes = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"old"}' }
  const metadata = { namespace: 'apps', name: 'old', uid: 'u', resourceVersion: '1', annotations: notes, finalizers }
  return { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata, status } as unknown as Resource
}

test('what somebody asks to adopt is adopted, unless we have it already: then it is ours as it is', () => {
  assert.equal(adoptionOf(model, claim([]), { gates }).kind, 'adopt')
  assert.equal(adoptionOf(model, claim(['somebody.else/holds-it']), { gates }).kind, 'adopt')
  const status = { ackResourceMetadata: { arn: 'arn:aws:iam::111122223333:role/old' } }
  assert.equal(adoptionOf(model, claim([model.finalizer], status), { gates }).kind, 'none')
  // A finalizer alone is one that anybody could have written.
  assert.equal(adoptionOf(model, claim([model.finalizer]), { gates }).kind, 'adopt')
})

const fields = annotations.adoptionFields
const place = { arn: 'arn:aws:madeup:eu-west-1:111122223333:thing/of/one/7' }

/** Read by a cluster of the spec, and by an id that AWS chose. */
const thing = madeUpKind({
  operations: { create: 'CreateThing', readOne: 'DescribeThing' },
  spec: { Cluster: { primaryKey: true }, Version: { primaryKey: true, type: { kind: 'integer' } } },
  status: { ThingID: { primaryKey: true } },
})
const byArn = madeUpKind({ settings: { arnIsPrimaryKey: true } })
const notAdoptable = madeUpKind({ settings: { notAdoptable: true } })

function said(
  notes: Readonly<Record<string, string>>,
  more: { readonly model?: KindModel; readonly held?: boolean } = {},
): unknown {
  const { model: of = thing, held = false } = more
  const metadata = { namespace: 'apps', name: 'x', uid: 'u', annotations: notes, finalizers: held ? [of.finalizer] : [] }
  const status = held ? { ackResourceMetadata: place } : {}
  const found = adoptionOf(of, { metadata, status } as unknown as Resource, { gates })
  if (found.kind === 'wrong') return found.message
  const { identifiers } = found as { readonly identifiers?: object }
  return identifiers === undefined ? found.kind : [found.kind, identifiers]
}

const adopt = { [annotations.adoptionPolicy]: 'adopt' }
const texts = `${fields} is no JSON object of texts`

for (const [what, notes, expected] of [
  ['nothing', {}, 'none'],
  [
    'an unknown policy',
    { [annotations.adoptionPolicy]: 'take' },
    'unrecognized adoption policy: take; known are adopt, adopt-or-create',
  ],
  ['a policy without its fields', adopt, `${fields} is missing; it takes cluster, version, thingID`],
  [
    'to adopt or create, by the manifest',
    { [annotations.adoptionPolicy]: 'adopt-or-create' },
    ['adopt-or-create', { spec: {}, status: {} }],
  ],
  ['no JSON', { ...adopt, [fields]: '{' }, texts],
  ['a text', { ...adopt, [fields]: '"a"' }, texts],
  ['null', { ...adopt, [fields]: 'null' }, texts],
  ['a list', { ...adopt, [fields]: '["a"]' }, texts],
  ['an object with a number', { ...adopt, [fields]: '{"cluster":"a","version":3}' }, texts],
  ['too few fields', { ...adopt, [fields]: '{"cluster":"a","version":"3"}' }, 'required field missing: thingID'],
  [
    'all fields, in spec and status, of which one is a number',
    { ...adopt, [fields]: '{"cluster":"12","version":"3","thingID":"t-1","unknown":"x"}' },
    ['adopt', { spec: { cluster: '12', version: 3 }, status: { thingID: 't-1' } }],
  ],
  [
    'a number that is none',
    { ...adopt, [fields]: '{"cluster":"a","version":"3x","thingID":"t-1"}' },
    ['adopt', { spec: { cluster: 'a', version: '3x' }, status: { thingID: 't-1' } }],
  ],
  [
    'an ARN, which ends with what is asked for, in that order',
    { ...adopt, [fields]: JSON.stringify(place) },
    ['adopt', { spec: { cluster: 'of', version: 'one' }, status: { thingID: '7' }, arn: place.arn }],
  ],
  [
    'an ARN beside a field, which wins',
    { ...adopt, [fields]: JSON.stringify({ ...place, cluster: 'mine' }) },
    ['adopt', { spec: { cluster: 'mine', version: 'one' }, status: { thingID: '7' }, arn: place.arn }],
  ],
  [
    'an ARN beside an id, which wins',
    { ...adopt, [fields]: JSON.stringify({ ...place, thingID: 'mine' }) },
    ['adopt', { spec: { cluster: 'one', version: '7' }, status: { thingID: 'mine' }, arn: place.arn }],
  ],
  [
    'an ARN that says too little',
    { ...adopt, [fields]: '{"arn":"arn:aws:madeup:eu-west-1:111122223333:thing/one/7"}' },
    ['adopt', { spec: {}, status: {}, arn: 'arn:aws:madeup:eu-west-1:111122223333:thing/one/7' }],
  ],
  ['no ARN', { ...adopt, [fields]: '{"arn":"nonsense"}' }, ['adopt', { spec: {}, status: {}, arn: 'nonsense' }]],
  [
    'to look it up without only reading',
    { [annotations.lookup]: '{}' },
    `${annotations.lookup} is for objects with ${annotations.readOnly}`,
  ],
  ['to read it only', { [annotations.readOnly]: 'true' }, 'read-only'],
  ['to read it only, by a lookup', { [annotations.readOnly]: 'true', [annotations.lookup]: '{"name":"a"}' }, 'read-only'],
  [
    'to read it only, by a lookup that is wrong',
    { [annotations.readOnly]: 'true', [annotations.lookup]: '[]' },
    `${annotations.lookup} is no JSON object such as {"name": "app-*", "tags": {"team": "blue"}}`,
  ],
  [
    'to read it only, by an id',
    { [annotations.readOnly]: 'true', [fields]: '{"cluster":"a","version":"3","thingID":"t-1"}' },
    ['read-only', { spec: { cluster: 'a', version: 3 }, status: { thingID: 't-1' } }],
  ],
  ['to read it only, by no JSON', { [annotations.readOnly]: 'true', [fields]: '{' }, texts],
] as const)
  test(`an object that asks for ${what}: ${typeof expected === 'string' ? expected : expected[0]}`, () =>
    assert.deepEqual(said(notes), expected))

test('an ARN of one part, or one that a kind goes by, is taken as it is', () => {
  const named = madeUpKind({
    spec: { Name: { primaryKey: true } },
    operations: { create: 'CreateThing', readOne: 'DescribeThing' },
  })
  const arn = 'arn:aws:s3:::one'
  const ofArn = { ...adopt, [fields]: JSON.stringify({ arn }) }
  assert.deepEqual(said(ofArn, { model: named }), ['adopt', { spec: { name: 'one' }, status: {}, arn }])
  const nonsense = { ...adopt, [fields]: '{"arn":"nonsense"}' }
  assert.deepEqual(said(nonsense, { model: named }), ['adopt', { spec: {}, status: {}, arn: 'nonsense' }])
  assert.deepEqual(said(ofArn, { model: byArn }), ['adopt', { spec: {}, status: {}, arn }])
  assert.equal(said({ ...adopt, [fields]: '{"name":"x"}' }, { model: byArn }), 'required field missing: arn')
  assert.equal(said({ ...adopt, [fields]: '{"arn":"x"}' }, { model: notAdoptable }), 'resource not adoptable')
  assert.equal(said({}, { model: notAdoptable }), 'none')
})

test('a field that is an ARN is the whole of it', () => {
  const owned = madeUpKind({
    spec: { OwnerARN: { primaryKey: true }, Name: { primaryKey: true } },
    operations: { create: 'CreateThing' },
  })
  const arn = 'arn:aws:madeup:eu-west-1:111122223333:thing/one/7'
  assert.deepEqual(said({ ...adopt, [fields]: JSON.stringify({ arn }) }, { model: owned }), [
    'adopt',
    { spec: { ownerARN: arn, name: '7' }, status: {}, arn },
  ])
})

test('that it was adopted is believed of what is on record, and of an object that does not ask for it', () => {
  const marked = { [annotations.adopted]: 'true' }
  const all = '{"cluster":"a","version":"3","thingID":"t-1"}'
  const identifiers = { spec: { cluster: 'a', version: 3 }, status: { thingID: 't-1' } }
  const none = { spec: {}, status: {} }
  assert.deepEqual(said({ ...marked, [fields]: all }), ['adopted', identifiers])
  assert.deepEqual(said(marked), ['adopted', none])
  assert.deepEqual(said({ ...marked, [fields]: '{' }), ['adopted', none])
  assert.deepEqual(said({ ...marked, ...adopt, [fields]: all }), ['adopt', identifiers])
  assert.deepEqual(said({ ...marked, ...adopt, [fields]: all }, { held: true }), ['adopted', identifiers])
  assert.deepEqual(said({ ...adopt, [fields]: all }, { held: true }), 'none')
})
