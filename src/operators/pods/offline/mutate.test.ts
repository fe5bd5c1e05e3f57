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
