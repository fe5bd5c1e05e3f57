// The association of a binding in EKS: how it is found, the calls that make it as it is wanted, and what it is after them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AssociationActual,
  associationAfter,
  associationCalls,
  associationRemoval,
  readAssociation,
} from './pod-association.ts'
import { refusal, type Script, scriptedClient } from './scripted-client.fixture.ts'

const place = { which: 'association', service: 'eks', region: 'eu-west-1', memory: 'm' } as const
const serviceAccount = { namespace: 'apps', name: 'app' }
const wanted = { clusterName: 'prod', roleArn: 'role', serviceAccount, uid: 'uid', name: 'app' }
const actual: AssociationActual = { id: 'a-1', arn: 'arn', clusterName: 'prod', roleArn: 'role', tags: { ours: 'yes' } }
const said = {
  associationId: 'a-1',
  associationArn: 'arn',
  clusterName: 'prod',
  roleArn: 'role',
  tags: { ours: 'yes' },
}

for (const [what, held, calls] of [
  [
    'that is not there',
    undefined,
    [
      [
        'CreatePodIdentityAssociation',
        {
          clusterName: 'prod',
          namespace: 'apps',
          serviceAccount: 'app',
          roleArn: 'role',
          clientRequestToken: 'uid',
          tags: { ours: 'yes' },
        },
      ],
    ],
  ],
  ['as it is wanted', actual, []],
  [
    'for another role',
    { ...actual, roleArn: 'other' },
    [['UpdatePodIdentityAssociation', { clusterName: 'prod', associationId: 'a-1', roleArn: 'role' }]],
  ],
  ['without our tags', { ...actual, tags: {} }, [['TagResource', { resourceArn: 'arn', tags: { ours: 'yes' } }]]],
] as const)
  test(`an association ${what} ${calls.length === 0 ? 'is left' : 'is put right'}`, () => {
    const made = associationCalls(place, wanted as never, { ours: 'yes' }, held).map(({ operation, input }) => [operation, input])
    assert.deepEqual(made, calls)
  })

test('an association goes by its id', () => {
  const [call] = associationRemoval(place, 'app', actual)
  assert.deepEqual(
    [call?.operation, call?.input],
    ['DeletePodIdentityAssociation', { clusterName: 'prod', associationId: 'a-1' }],
  )
})

const bare = { id: 'a-1', arn: '', clusterName: '', roleArn: '' }
for (const [what, held, operation, input, output, after] of [
  ['was made', undefined, 'CreatePodIdentityAssociation', { tags: { ours: 'yes' } }, { association: said }, actual],
  [
    'was made, and little is said of it',
    undefined,
    'CreatePodIdentityAssociation',
    { tags: { ours: 'yes' } },
    { association: { associationId: 'a-1' } },
    { ...bare, tags: { ours: 'yes' } },
  ],
  ['was made, and nothing is said of it', undefined, 'CreatePodIdentityAssociation', {}, {}, undefined],
  [
    'got another role',
    actual,
    'UpdatePodIdentityAssociation',
    {},
    { association: { ...said, roleArn: 'other', tags: undefined } },
    { ...actual, roleArn: 'other', tags: {} },
  ],
  [
    'got another role, and keeps its tags where they are not said',
    actual,
    'UpdatePodIdentityAssociation',
    { tags: { other: 'no' } },
    { association: { associationId: 'a-1' } },
    { ...bare, tags: { ours: 'yes' } },
  ],
  ['was tagged', actual, 'TagResource', { tags: { b: '2' } }, {}, { ...actual, tags: { ours: 'yes', b: '2' } }],
  ['was tagged and is not known', undefined, 'TagResource', { tags: { b: '2' } }, {}, undefined],
  ['was deleted', actual, 'DeletePodIdentityAssociation', {}, {}, undefined],
] as const)
  test(`an association that ${what} is ${after === undefined ? 'read again' : 'known'}`, () =>
    assert.deepEqual(associationAfter(held, { operation, input }, output), after))

const found: Script = {
  ListPodIdentityAssociations: { associations: [{ associationId: 'a-1' }] },
  DescribePodIdentityAssociation: { association: said },
}

for (const [what, script, read, questions] of [
  ['is there', found, actual, 2],
  ['is not there', { ListPodIdentityAssociations: { associations: [] } }, undefined, 1],
  ['is of a cluster that is not there', { ListPodIdentityAssociations: refusal('ResourceNotFoundException') }, undefined, 1],
  ['goes while it is read', { ...found, DescribePodIdentityAssociation: refusal('ResourceNotFoundException') }, undefined, 2],
  ['has no id', { ...found, DescribePodIdentityAssociation: {} }, undefined, 2],
] as const)
  test(`an association that ${what} is found by cluster and ServiceAccount`, async () => {
    const client = scriptedClient(script, 'EKS')
    const where = { clusterName: 'prod', serviceAccount }
    assert.deepEqual(await readAssociation(client, where, new AbortController().signal), read)
    const asked = [
      { operation: 'ListPodIdentityAssociations', input: { clusterName: 'prod', namespace: 'apps', serviceAccount: 'app' } },
      { operation: 'DescribePodIdentityAssociation', input: { clusterName: 'prod', associationId: 'a-1' } },
    ]
    assert.deepEqual(client.asked, asked.slice(0, questions))
  })
