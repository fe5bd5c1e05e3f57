import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsClients, staticCredentials } from '#aws/client'
import { ManualClock, seededRandom } from '#base'
import { chooseKinds, createResourcesOperator, ExcludedError, resourceCrds } from './create-operator.ts'
import type { ResourcesOptions } from './options.ts'

const clock = new ManualClock()
const options: ResourcesOptions = {
  services: ['iam'],
  aws: new AwsClients({
    credentials: staticCredentials({ accessKeyId: 'a', secretAccessKey: 's' }),
    transport: { exchange: () => Promise.reject(new Error('nothing is called')), close: () => Promise.resolve() } as never,
    clock,
    random: seededRandom(1),
  }),
  home: { account: '111122223333', partition: 'aws', region: 'eu-west-1' },
  nowMs: () => clock.now(),
}

for (const [what, more, isRefused] of [
  ['the gate of selectors beside role mappings', { gates: { IAMRoleSelector: true }, carm: true }, true],
  ['the gate of selectors without role mappings', { gates: { IAMRoleSelector: true }, carm: false }, false],
  ['role mappings with the gate of selectors shut', { gates: { IAMRoleSelector: false }, carm: true }, false],
  ['role mappings with the gate of selectors unset', { carm: true }, false],
] as const)
  test(`${what} ${isRefused ? 'is refused' : 'is taken'}`, () => {
    const make = () => createResourcesOperator({ ...options, ...more })
    if (isRefused) assert.throws(make, ExcludedError)
    else assert.ok(make().controllers.length > 0)
  })

test('roles are selected for the whole cluster; what exports and what adopts stands in a namespace', () => {
  const crds = resourceCrds({ services: [], adoptedResources: true })
  assert.deepEqual(
    crds.map(({ spec: { names, scope } }) => [names.kind, scope]),
    [
      ['FieldExport', 'Namespaced'],
      ['IAMRoleSelector', 'Cluster'],
      ['AdoptedResource', 'Namespaced'],
    ],
  )
})

for (const [what, more, names] of [
  ['nothing', {}, ['FieldExport', 'IAMRoleSelector']],
  ['a shipped service', { services: ['eks'] }, ['FieldExport', 'IAMRoleSelector', 'AccessEntry']],
  ['AdoptedResources', { adoptedResources: true }, ['FieldExport', 'IAMRoleSelector', 'AdoptedResource']],
] as const)
  test(`with ${what} the CRDs of ${names.join(', ')} are needed`, () => {
    const crds = resourceCrds({ services: [], ...more })
    assert.deepEqual(
      crds.slice(0, names.length).map(({ spec }) => spec.names.kind),
      names,
    )
  })

test('exports of several keys have a CRD that has a place for them', () => {
  const placesIn = (extendedFieldExports: boolean): string =>
    JSON.stringify(resourceCrds({ services: [], extendedFieldExports })[0])
  assert.deepEqual(
    [false, true].map(extended => placesIn(extended).includes('createIfMissing')),
    [false, true],
  )
})

for (const [what, more, controllers, companions] of [
  ['one kind', {}, ['roles', 'fieldexports'], 1],
  ['exports left to others', { fieldExport: false }, ['roles'], 1],
  ['AdoptedResources', { adoptedResources: true }, ['roles', 'fieldexports', 'adoptedresources'], 1],
  ['a queue of drift', { driftQueues: ['https://sqs.eu-west-1.amazonaws.com/111122223333/drift'] }, ['roles', 'fieldexports'], 2],
] as const)
  test(`with ${what} there are controllers of ${controllers.join(', ')}, and ${companions} beside them`, () => {
    const made = createResourcesOperator({ ...options, kinds: ['Role'], ...more })
    assert.deepEqual(
      made.controllers.map(({ claims }) => claims.type.plural),
      controllers,
    )
    assert.equal(made.companions.length, companions)
    // Objects are found by what events name where there is a queue of them.
    const indexes = Object.keys(made.controllers[0]?.claims.indexes ?? {})
    assert.equal(indexes.includes('named in events iam/Role'), 'driftQueues' in more)
  })

for (const [name, kinds] of [
  ['role', ['Role']],
  ['policies.iam.services.k8s.aws', ['Policy']],
] as const)
  test(`the kind ${name} is ${kinds.join(', ')}`, () =>
    assert.deepEqual(
      chooseKinds({ services: ['iam', 's3'], kinds: [name] }).kinds.map(({ kind }) => kind.kind),
      kinds,
    ))

for (const [services, name, why] of [
  [['s3'], 'Buckt', 'no service has a kind Buckt (did you mean buckets?); known are Bucket'],
  [['s3'], 'Zebra', 'no service has a kind Zebra; known are Bucket'],
] as const)
  test(`the kind ${name} is told as unknown, with the nearest one and those that there are`, () =>
    assert.throws(() => chooseKinds({ services, kinds: [name] }), { name: 'UnknownKindError', message: why }))

test('a service that is not shipped is told so, with those that are', () =>
  assert.throws(() => chooseKinds({ services: ['nosuch'] }), {
    message: /^no kinds are shipped for service nosuch; shipped are acm, /,
  }))
