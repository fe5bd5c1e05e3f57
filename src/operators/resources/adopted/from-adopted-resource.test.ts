import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { account, resourceWorld, trust } from '../testing/world.ts'
import { AdoptedResourceError } from './adopting-object.ts'
import { fromAdoptedResource } from './from-adopted-resource.ts'

const services = ['iam', 'eks'] as const

function adopted(aws: object, kubernetes: object): KubeObject {
  return {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: { namespace: 'team', name: 'old' },
    spec: { aws, kubernetes },
  } as KubeObject
}

const role = {
  group: 'iam.services.k8s.aws',
  kind: 'Role',
  metadata: { namespace: 'default', name: 'reader', labels: { a: 'b' } },
}

test('an AdoptedResource becomes an object that adopts by annotation, and it does [6.13, 9.3]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  await world.client('iam').call('CreateRole', { RoleName: 'old-reader', AssumeRolePolicyDocument: trust() })
  world.start()
  const made = fromAdoptedResource(adopted({ nameOrID: 'old-reader' }, role), { services })
  await world.kube.create(world.typeOf('Role'), made as never)
  await world.settle()
  const object = await world.get('Role', 'reader')
  assert.equal(object?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:role/old-reader`)
  assert.equal(object.metadata.labels?.['a'], 'b')
})

test('an AdoptedResource names its keys: by ARN, or a name beside the others [6.13]', () => {
  const keysOf = (aws: object, kind: string, group = 'eks.services.k8s.aws'): unknown =>
    fromAdoptedResource(adopted(aws, { group, kind }), { services }).metadata.annotations?.['services.k8s.aws/adoption-fields']
  assert.equal(keysOf({ arn: 'arn:x' }, 'Nodegroup'), '{"arn":"arn:x"}')
  assert.equal(
    keysOf({ nameOrID: 'n', additionalKeys: { clusterName: 'main' } }, 'Nodegroup'),
    '{"clusterName":"main","name":"n"}',
  )
  assert.throws(() => keysOf({ nameOrID: 'n' }, 'Nodegroup'), AdoptedResourceError)
  assert.throws(() => keysOf({}, 'Role', 'iam.services.k8s.aws'), /neither arn nor nameOrID/)
  assert.throws(() => keysOf({ nameOrID: 'n' }, 'Rule'), /no kind of the services/)
})
