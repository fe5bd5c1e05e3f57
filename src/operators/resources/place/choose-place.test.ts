// What is read before a place is chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectKey } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import { choosePlace } from './choose-place.ts'

const [ours, theirs] = ['111122223333', '444455556666']
const role = `arn:aws:iam::${theirs}:role/worker`
const namespaceAnnotations = { 'services.k8s.aws/owner-account-id': theirs, 'services.k8s.aws/team-id': 'a' }

async function choose({
  gates = {},
  spec = {},
  regionInSpec = false,
  namespaceAnnotations: notes = {},
}: object & {
  readonly gates?: object
  readonly spec?: object
  readonly regionInSpec?: boolean
  readonly namespaceAnnotations?: Readonly<Record<string, string>>
}) {
  const read: string[] = []
  const equipment = {
    settings: { home: { account: ours, partition: 'aws', region: 'eu-west-1' }, carm: true, systemNamespace: 'ack', gates },
    model: { service: { alias: 's3' }, kind: { settings: { regionInSpec } } },
    matchingSelectors: () => [{ name: 'one', resourceVersion: '1', arn: role.replace('worker', 'selected') }],
  } as unknown as Equipment
  const reads = {
    read: (_type: unknown, { namespace, name }: ObjectKey) => {
      read.push(`${namespace}/${name}`)
      return Promise.resolve({ data: { [theirs]: role, a: role.replace('worker', 'team') } })
    },
  } as unknown as Reads
  const claim = { metadata: { namespace: 'apps', name: 'x' }, spec } as unknown as Resource
  const choice = await choosePlace(equipment, { claim, namespaceAnnotations: notes, reads, signal: new AbortController().signal })
  assert.ok(choice.kind === 'chosen')
  return { read, role: choice.place.role?.replace(/.*\//, ''), region: choice.place.region }
}

for (const [what, given, expected] of [
  ['nobody names an account', {}, { read: [], role: undefined, region: 'eu-west-1' }],
  [
    'the namespace names another account',
    { namespaceAnnotations },
    { read: ['ack/ack-role-account-map'], role: 'worker', region: 'eu-west-1' },
  ],
  [
    'the namespace names a team',
    { namespaceAnnotations, gates: { TeamLevelCARM: true } },
    { read: ['ack/ack-role-account-map', 'ack/ack-role-team-map'], role: 'team', region: 'eu-west-1' },
  ],
  ['selectors are on', { gates: { IAMRoleSelector: true } }, { read: [], role: 'selected', region: 'eu-west-1' }],
  [
    'manifests of the kind have a region',
    { spec: { region: 'us-west-2' }, regionInSpec: true },
    { read: [], role: undefined, region: 'us-west-2' },
  ],
  [
    'a field that is called so means something else',
    { spec: { region: 'us-west-2' } },
    { read: [], role: undefined, region: 'eu-west-1' },
  ],
] as const)
  test(`where ${what}, ${expected.read.length} maps of roles are read, and the role is ${expected.role ?? 'none'} in ${expected.region}`, async () =>
    assert.deepEqual(await choose(given), expected))
