import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import type { KubeObject } from '#kube'
import { defaultAwsOptions } from '../aws/api.ts'
import { mutateOffline, type OfflineOptions } from './mutate.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const account = (name: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns1', name, annotations },
})
const review = (name: string): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'u',
        namespace: 'ns1',
        object: { metadata: {}, spec: { serviceAccountName: name, containers: [{ name: 'a' }] } },
      },
    }),
  )
const decide = (name: string, more: Partial<OfflineOptions> = {}) =>
  mutateOffline({
    review: review(name),
    objects: [account('app', { 'eks.amazonaws.com/role-arn': role }), account('plain')],
    flags: defaultAwsOptions,
    watchConfigMap: false,
    namespace: 'eks',
    random: seededRandom(1),
    warn: () => {},
    ...more,
  })
const envOf = (pod: unknown): unknown =>
  (pod as { spec: { containers: { env?: { name: string }[] }[] } }).spec.containers[0]?.env?.map(({ name }) => name)

test('a review is decided from manifests as the server would', async () => {
  const answer = await decide('app')
  assert.equal(answer.allowed, true)
  assert.deepEqual(envOf(answer.pod), ['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE'])
  assert.equal((JSON.parse(answer.review) as { response: { uid: string } }).response.uid, 'u')
  assert.equal(envOf((await decide('plain')).pod), undefined)
})

test('the ConfigMap counts when its flag is set, and the credentials file when it is given', async () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'eks', name: 'pod-identity-webhook' },
    data: { config: JSON.stringify({ '*/plain': { RoleARN: role } }) },
  } as KubeObject
  assert.equal(envOf((await decide('plain', { objects: [configMap] })).pod), undefined)
  assert.deepEqual(envOf((await decide('plain', { objects: [configMap], watchConfigMap: true })).pod), [
    'AWS_ROLE_ARN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
  ])
  const credentials = JSON.stringify({ identities: [{ namespace: 'ns1', serviceAccount: 'plain' }] })
  assert.deepEqual(envOf((await decide('plain', { credentials })).pod), [
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  ])
})

test('what is no review is refused as the server refuses it; inputs that cannot be read are errors', async () => {
  assert.equal((await decide('app', { review: Buffer.from('{') })).allowed, false)
  await assert.rejects(decide('app', { credentials: '{' }), /container-credentials file/)
})

const refusedPod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: 'none' } }

test('a pod that is refused stays as it was sent, and what is no JSON has none', async () => {
  const request = { uid: 'u', namespace: 'ns1', object: refusedPod }
  const refused = await decide('app', { review: Buffer.from(JSON.stringify({ request })) })
  assert.deepEqual([refused.allowed, refused.pod], [false, refusedPod])
  assert.equal((await decide('app', { review: Buffer.from('{') })).pod, undefined)
})

test('a pod that names no ServiceAccount is given nothing, whatever is called by the empty name', async () => {
  const object = { metadata: {}, spec: { serviceAccountName: null, containers: [{ name: 'a' }] } }
  const request = { uid: 'u', namespace: 'ns1', object }
  const { pod } = await decide('app', { review: Buffer.from(JSON.stringify({ request })) })
  assert.deepEqual(pod, object)
})

const withRole = { 'eks.amazonaws.com/role-arn': role }

test('a manifest without a namespace is one of the namespace default, and only ServiceAccounts are looked at', async () => {
  const object = { metadata: {}, spec: { serviceAccountName: 'app', containers: [{ name: 'a' }] } }
  const request = { uid: 'u', namespace: 'default', object }
  const review = Buffer.from(JSON.stringify({ request }))
  const of = async (kind: string): Promise<unknown> =>
    envOf(
      (await decide('app', { review, objects: [{ apiVersion: 'v1', kind, metadata: { name: 'app', annotations: withRole } }] }))
        .pod,
    )
  assert.deepEqual(await of('ServiceAccount'), ['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE'])
  assert.equal(await of('Secret'), undefined)
})

const roles = (more: object, config = JSON.stringify({ '*/plain': { RoleARN: role } })): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'eks', name: 'pod-identity-webhook' },
    data: { config },
    ...more,
  }) as KubeObject

for (const [what, more] of [
  ['of another kind', { kind: 'Secret' }],
  ['of another name', { metadata: { namespace: 'eks', name: 'other' } }],
  ['of another namespace', { metadata: { namespace: 'ns1', name: 'pod-identity-webhook' } }],
] as const)
  test(`an object ${what} is not the ConfigMap of roles`, async () => {
    assert.equal(envOf((await decide('plain', { objects: [roles(more)], watchConfigMap: true })).pod), undefined)
  })

test('a ConfigMap that cannot be read, or says nothing, is named with what is wrong', async () => {
  for (const map of [roles({}, '{'), roles({ data: undefined })])
    await assert.rejects(
      decide('plain', { objects: [map], watchConfigMap: true }),
      /^Error: ConfigMap eks\/pod-identity-webhook: it is no JSON/,
    )
})

test('an entry of the ConfigMap for the very ServiceAccount counts', async () => {
  const objects = [roles({}, JSON.stringify({ 'ns1/plain': { RoleARN: role } }))]
  assert.deepEqual(envOf((await decide('plain', { objects, watchConfigMap: true })).pod), [
    'AWS_ROLE_ARN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
  ])
})
