// What a plan says of manifests, over what stands in the cluster and in AWS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { type KubeObject, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import { annotations } from '../api.ts'
import type { Values } from '../model/request.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { type PlannedChange, planManifests } from './plan-manifests.ts'

const members = { Name: 'String', Size: 'Integer', Color: 'String', Parent: 'String' }
const model = madeUpKind({
  spec: {
    Name: 'string',
    Size: 'integer',
    Color: { type: { kind: 'string' } },
    Parent: { type: { kind: 'string' }, reference: { resource: 'Thing', path: 'Spec.Name', skipStateChecks: true } },
    Password: { type: { kind: 'secret' } },
    ParentRef: { type: { kind: 'reference' }, referenceFor: 'Parent' },
  },
  operations: { create: 'CreateThing', readOne: 'GetThing', update: 'UpdateThing', delete: 'DeleteThing' },
  inputs: { CreateThing: members, UpdateThing: { Name: 'String', Size: 'Integer' }, DeleteThing: { Name: 'String' } },
  outputs: { GetThing: { ...members, Arn: 'String' } },
  required: { GetThing: ['Name'] },
})
const { group } = model.type
const account = '111122223333'
const arnOf = (name: string): string => `arn:aws:madeup:eu-west-1:${account}:thing/${name}`

const thing = (name: string, spec: object | undefined = {}, metadata: object = {}): object => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'Thing',
  metadata: { namespace: 'team', name, ...metadata },
  ...(spec === undefined ? {} : { spec: { name, ...spec } }),
})

/** An object that has its resource. */
const held = (name: string, spec: object = {}, metadata: object = {}): object => ({
  ...thing(name, spec, { uid: `u-${name}`, resourceVersion: '1', generation: 1, finalizers: [model.finalizer], ...metadata }),
  status: { ackResourceMetadata: { arn: arnOf(name), ownerAccountID: account, region: 'eu-west-1' } },
})

interface Around {
  readonly live?: readonly object[]
  /** By name, beside the name and the ARN. */
  readonly inAws?: Readonly<Record<string, Values>>
  readonly isAlone?: boolean
}

async function planned(
  manifests: readonly object[],
  { live = [], inAws = {}, isAlone = false }: Around = {},
): Promise<readonly PlannedChange[]> {
  const client = {
    call: (operation: string, { Name }: { readonly Name: string }) => {
      const found = inAws[Name]
      const gone = { service: 'madeup', operation, code: 'NotFoundException', message: 'gone', httpStatus: 404 }
      return found === undefined ? Promise.reject(new AwsError(gone)) : Promise.resolve({ Name, Arn: arnOf(Name), ...found })
    },
  }
  const of = ({ kind }: ResourceType): readonly StoredObject[] =>
    (live as readonly StoredObject[]).filter(each => each.kind === kind)
  const cluster = {
    find: async (type: ResourceType, { namespace, name }: ObjectKey) => {
      await new Promise(resolve => setImmediate(resolve))
      return of(type).find(({ metadata }) => (metadata.namespace ?? '') === namespace && metadata.name === name)
    },
    list: async (type: ResourceType) => {
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
      return of(type)
    },
  }
  const plans = await planManifests(
    {
      services: [model.service],
      aws: { for: () => client } as never,
      home: { account, partition: 'aws', region: 'eu-west-1' },
      nowMs: () => 0,
    },
    manifests as readonly KubeObject[],
    { signal: new AbortController().signal, ...(isAlone ? {} : { live: cluster }) },
  )
  return plans.map(({ change }) => change)
}

const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const adopting = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"one"}' }
const replacing = { [annotations.allowReplace]: 'true' }
const exists = `ResourceExists: Resource already exists; to manage it, set ${annotations.adoptionPolicy} and ${annotations.adoptionFields}`
const filled = { managedFields: [{ manager: 'vouch-resources', fieldsV1: { 'f:spec': { 'f:color': {} } } }] }
const filledByOthers = { managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:spec': { 'f:color': {} } } }] }
const inOtherRegion = { annotations: { 'services.k8s.aws/default-region': 'us-east-1' } }
const namespaceOf = (name: string): object => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...inOtherRegion } })
const otherAccount = { annotations: { 'services.k8s.aws/owner-account-id': '444455556666' } }
const mapping = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'ack-system', name: 'ack-role-account-map' },
  data: { '444455556666': 'arn:aws:iam::444455556666:role/x' },
}
const selector = {
  apiVersion: 'services.k8s.aws/v1alpha1',
  kind: 'IAMRoleSelector',
  metadata: { name: 's', uid: 's', resourceVersion: '1' },
  spec: { arn: 'arn:aws:iam::444455556666:role/worker', namespaceSelector: { names: ['team'] } },
}
const makes = (where: string, ...more: readonly string[]): readonly string[] => [
  'spec.name: "one"',
  ...more,
  `CreateThing in ${where}`,
]
const chosen = { one: { Size: 1, Color: 'red' } }

type Row = readonly [what: string, manifest: object, around: Around, verb: PlannedChange['verb'], details: readonly string[]]
const rows: readonly Row[] = [
  [
    'nothing in AWS',
    thing('one', { size: 1 }),
    {},
    'create',
    ['spec.name: "one"', 'spec.size: 1', `CreateThing in ${account}/eu-west-1`],
  ],
  [
    'nothing in AWS and no cluster',
    thing('one'),
    { isAlone: true },
    'create',
    ['spec.name: "one"', `CreateThing in ${account}/eu-west-1`],
  ],
  ['what it asks for', thing('one', { size: 1 }), { live: [held('one')], inAws: { one: { Size: 1 } } }, 'none', []],
  [
    'another size',
    thing('one', { size: 2 }),
    { live: [held('one', { size: 1 })], inAws: { one: { Size: 1 } } },
    'update',
    ['spec.size: 1 -> 2', `UpdateThing in ${account}/eu-west-1`],
  ],
  [
    'what is not managed',
    thing('one', { size: 2 }),
    { inAws: chosen },
    'blocked',
    [exists, 'it differs: spec.color: "red" -> nothing', 'it differs: spec.size: 1 -> 2'],
  ],
  [
    'what is not managed, as it asks for',
    thing('one', { size: 1 }),
    { inAws: { one: { Size: 1 } } },
    'blocked',
    [exists, 'it is as the manifest asks for'],
  ],
  [
    'what it adopts',
    thing('one', { size: 1 }, { annotations: adopting }),
    { inAws: { one: { Size: 1 } } },
    'update',
    [`taken over ${arnOf('one')}`],
  ],
  [
    'an object that goes',
    thing('one'),
    { live: [held('one', {}, going)], inAws: { one: {} } },
    'delete',
    [`DeleteThing in ${account}/eu-west-1`],
  ],
  ['an object that goes and nothing in AWS', thing('one'), { live: [held('one', {}, going)] }, 'delete', []],
  [
    'what nothing changes',
    thing('one', { color: 'blue' }),
    { live: [held('one')], inAws: chosen },
    'blocked',
    ['NotUpdatable: UpdateThing does not change Spec.Color'],
  ],
  [
    'what nothing changes and may be made anew',
    thing('one', { color: 'blue' }, { annotations: replacing }),
    { live: [held('one')], inAws: chosen },
    'replace',
    ['UpdateThing does not change Spec.Color'],
  ],
  [
    'a field that we filled and it leaves open',
    thing('one', { size: 1 }),
    { live: [held('one', { color: 'blue' }, filled)], inAws: chosen },
    'blocked',
    ['NotUpdatable: UpdateThing does not change Spec.Color'],
  ],
  [
    'a field that we filled and it says itself',
    thing('one', { size: 1, color: 'red' }),
    { live: [held('one', { color: 'blue' }, filled)], inAws: chosen },
    'none',
    [],
  ],
  [
    'a field that others filled and it leaves open',
    thing('one', { size: 1 }),
    { live: [held('one', { color: 'blue' }, filledByOthers)], inAws: chosen },
    'none',
    [],
  ],
  ['a namespace with a region', thing('one'), { live: [namespaceOf('team')] }, 'create', makes(`${account}/us-east-1`)],
  ['a selector of roles', thing('one'), { live: [selector] }, 'create', makes('444455556666/eu-west-1')],
  [
    'a namespace of an account that is mapped',
    thing('one'),
    { live: [mapping, { ...namespaceOf('team'), metadata: { name: 'team', ...otherAccount } }] },
    'create',
    makes('444455556666/eu-west-1'),
  ],
  [
    'a namespace of an account that nobody maps',
    thing('one'),
    { live: [{ ...namespaceOf('team'), metadata: { name: 'team', ...otherAccount } }] },
    'blocked',
    ['RoleMissing: no role for account 444455556666 in ConfigMap ack-role-account-map'],
  ],
  [
    'an object that it refers to',
    thing('one', { parentRef: { from: { name: 'two' } } }),
    { live: [held('two')] },
    'create',
    makes(`${account}/eu-west-1`, 'spec.parentRef: {"from":{"name":"two"}}'),
  ],
  [
    'nothing that it refers to',
    thing('one', { parentRef: { from: { name: 'two' } } }),
    {},
    'blocked',
    ['ReferenceUnresolved: the referenced madeup Thing team/two does not exist'],
  ],
  [
    'what is asked to be planned only',
    thing('one', {}, { annotations: { [annotations.plan]: 'true' } }),
    {},
    'create',
    makes(`${account}/eu-west-1`),
  ],
  ['an object at rest', thing('one'), { live: [held('one', {}, { annotations: { [annotations.paused]: 'true' } })] }, 'none', []],
  [
    'a value that AWS cannot take',
    thing('one', { size: 2 ** 40 }),
    {},
    'blocked',
    ['InvalidManifest: size: does not fit into 32 bits'],
  ],
  [
    'a Secret that may not be used',
    thing('one', { password: { name: 's', key: 'k' } }),
    {},
    'blocked',
    [
      'the secret team/s is not among those that this operator may use: add team/s to --allow-secrets and apply the rights that vouch render prints',
    ],
  ],
]

for (const [what, manifest, around, verb, details] of rows)
  test(`a manifest over ${what} plans ${verb === 'none' ? 'nothing' : verb}`, async () => {
    const [change, ...more] = await planned([manifest], around)
    assert.deepEqual([change, more], [{ kind: 'Thing', namespace: 'team', name: 'one', verb, details }, []])
  })

test('manifests of kinds that are not served are passed over, and what stands in no namespace stands in default', async () => {
  const { apiVersion, ...other } = thing('two') as { readonly apiVersion: string }
  const plans = await planned(
    [{ ...thing('one'), kind: 'ConfigMap' }, { ...other, apiVersion: 'x/v1' }, thing('three', {}, { namespace: undefined })],
    { live: [namespaceOf('default')] },
  )
  assert.equal(apiVersion, `${group}/v1alpha1`)
  assert.deepEqual(
    plans.map(({ namespace, name, details }) => [namespace, name, details.at(-1)]),
    [['default', 'three', `CreateThing in ${account}/us-east-1`]],
  )
})

test('what the manifests say comes before what the cluster has', async () => {
  const parent = thing('two', { name: 'wide' })
  const [one, two] = await planned([thing('one', { parentRef: { from: { name: 'two' } } }), parent], {
    live: [held('one', { parent: 'wide' }), held('two')],
    inAws: { one: { Parent: 'wide' } },
  })
  assert.deepEqual([one?.verb, two?.verb], ['none', 'blocked'])
})

test('a manifest without a spec that only looks is planned as it is', async () => {
  const looking = { annotations: { [annotations.readOnly]: 'true', [annotations.lookup]: '{"name":"one"}' } }
  const [change] = await planned([thing('one', undefined, looking)])
  assert.deepEqual(change?.details, ['AdoptionFailed: madeup/Thing has no operation that lists it'])
})
