import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../api.ts'
import { kindModel } from '../model/kind-model.ts'
import { settingsOf } from '../options.ts'
import { shippedService } from '../services/shipped.ts'
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
