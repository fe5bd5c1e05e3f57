// What AWS is told of whose work a call is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { clientChoice, dependencyOf } from './client-choice.ts'
import type { Place } from './select-place.ts'

const { service } = shippedService('iam')
const role = service.kinds['Role']
assert.ok(role !== undefined)
const model = kindModel(service, role)
const place = { account: '444455556666', partition: 'aws', region: 'eu-west-1' } as Place
const settings = { version: '1.2', build: { commit: 'c0ffee', date: '2026-01-02' } }
const roleArn = 'arn:aws:iam::444455556666:role/worker'

test('a place without a role takes the client of the process', () => {
  const { model: _, ...choice } = clientChoice({ model, settings, place })
  assert.deepEqual(choice, {
    region: 'eu-west-1',
    userAgent:
      'aws-controllers-k8s/iam.services.k8s.aws-1.2 (GitCommit/c0ffee; BuildDate/2026-01-02; CRDKind/Role; CRDVersion/v1alpha1)',
  })
})

test('a version that nobody knows is called so', () => {
  const { userAgent } = clientChoice({ model, settings: { ...settings, version: '' }, place })
  assert.match(userAgent ?? '', /^aws-controllers-k8s\/iam\.services\.k8s\.aws-unknown \(/)
})

test('a role is taken in a session that is named by the service and the namespace', () => {
  const of = (more: Partial<Place>) => clientChoice({ model, settings, place: { ...place, role: roleArn, ...more } }).role
  assert.deepEqual(of({}), { roleArn, sessionName: 'vouch-iam' })
  assert.deepEqual(of({ session: 'apps', externalId: 'e', sessionTags: [{ key: 'a', value: 'b' }] }), {
    roleArn,
    sessionName: 'vouch-iam-apps',
    externalId: 'e',
    tags: [{ Key: 'a', Value: 'b' }],
  })
})

test('a place has its endpoint, and its name for when it is in trouble', () => {
  assert.equal(
    clientChoice({ model, settings, place: { ...place, endpoint: 'https://aws.example.com' } }).endpoint,
    'https://aws.example.com',
  )
  assert.equal(dependencyOf(model, place), 'aws iam in 444455556666/eu-west-1')
})
