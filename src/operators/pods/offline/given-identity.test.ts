// What is read off a pod as the webhook's work, and what is left when it is taken away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultAwsOptions as flags } from '../aws/api.ts'
import type { PatchObject } from '../patch.ts'
import { identityOf, withoutIdentity } from './given-identity.ts'

const tokenVolume = (name: string, audience: string): PatchObject => ({
  name,
  projected: { sources: [{ serviceAccountToken: { audience, path: 'token' } }] },
})
const web = tokenVolume('aws-iam-token', 'sts')
const credentials = tokenVolume('eks-pod-identity-token', 'pods')
const [role, file, uri, authorization] = [
  { name: 'AWS_ROLE_ARN', value: 'r' },
  { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: '/f' },
  { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'http://u' },
  { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: '/a' },
]
const own = { name: 'A', value: 'x' }
const mount = { name: 'aws-iam-token', mountPath: '/m' }

function podOf(
  env: readonly PatchObject[],
  mounts: readonly PatchObject[] = [],
  volumes: readonly PatchObject[] = [web],
): PatchObject {
  return { spec: { volumes, containers: [{ name: 'a', env, volumeMounts: mounts }] } }
}
const found = (pod: PatchObject): unknown => identityOf(pod, flags).get('a')
const identity = { method: 'web identity', roleArn: 'r', audience: 'sts', tokenFile: '/f' }
const byItself = { ...identity, roleArn: '', tokenFile: '' }

for (const [what, pod, expected] of [
  ['the pair and the mount', podOf([role, file], [mount]), identity],
  ['the pair alone', podOf([role, file]), identity],
  ['the pair behind a variable of its own', podOf([own, role, file]), identity],
  ['the mount alone', podOf([own], [{ name: 'x', mountPath: '/x' }, mount]), byItself],
  ['the mount, and variables that do not stand side by side', podOf([role, own, file], [mount]), byItself],
  ['the mount, and variables the other way round', podOf([file, role], [mount]), byItself],
  ['the mount, and the file alone', podOf([file], [mount]), byItself],
  ['the mount, and a role from elsewhere', podOf([{ name: 'AWS_ROLE_ARN', valueFrom: {} }, file], [mount]), byItself],
  ['the mount, and a file from elsewhere', podOf([role, { name: file?.name, valueFrom: {} }], [mount]), byItself],
  ['neither', podOf([own], [{ name: 'x', mountPath: '/x' }]), undefined],
  ['the pair, and no volume', podOf([role, file], [mount], []), undefined],
  [
    'the pair, and a volume that holds more',
    podOf([role, file], [], [{ ...web, projected: { sources: [{ serviceAccountToken: {} }, {}] } }]),
    undefined,
  ],
  ['the pair, and a volume that holds something else', podOf([role, file], [], [{ name: web['name'], emptyDir: {} }]), undefined],
  [
    'the pair of container credentials',
    podOf([uri, authorization], [], [credentials]),
    { method: 'container credentials', roleArn: '', audience: 'pods', tokenFile: '/a' },
  ],
  ['the pair of the other method', podOf([uri, authorization], [], [web]), undefined],
] as const)
  test(`a container with ${what} has ${expected === undefined ? 'nothing of the webhook' : JSON.stringify(expected)}`, () => {
    assert.deepEqual(found(pod), expected)
  })

test('init containers are looked at as well, each by its name', () => {
  const pod = { spec: { volumes: [web], initContainers: [{ name: 'i', env: [role, file] }], containers: [{ name: 'a' }] } }
  assert.deepEqual([...identityOf(pod, flags)], [['i', identity]])
  assert.deepEqual([...identityOf({}, flags)], [])
})

test('without what the webhook has given, the rest stands as it was', () => {
  const both = podOf(
    [own, role, file, uri, authorization],
    [{ name: 'x', mountPath: '/x' }, mount],
    [{ name: 'x' }, web, credentials],
  )
  assert.deepEqual(withoutIdentity(both, flags), podOf([own], [{ name: 'x', mountPath: '/x' }], [{ name: 'x' }]))
  const one = podOf([role, file, own])
  assert.deepEqual(withoutIdentity(one, flags), podOf([own], [], []))
  const none = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', env: [role, file], volumeMounts: [mount] }] } }
  assert.deepEqual(withoutIdentity(none, flags), none, 'there is no token')
  const foreign = podOf([role, file], [mount], [{ name: 'aws-iam-token', emptyDir: {} }])
  assert.deepEqual(withoutIdentity(foreign, flags), foreign, 'the volume is the pod’s own')
})
