// 9.9 and 9.11: the validating webhook, asked by an API server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#base'
import type { KubeObject } from '#kube'
import { createKubeClient, KubeError } from '#kube/client'
import { type AdmissionRequest, Metrics, webhookHost } from '#runtime'
import { annotations, conditions, type Resource } from '../api.ts'
import { modelOf } from '../testing/parts.ts'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'
import { admit, type ManifestChecks } from './admit.ts'
import { constraintProblems } from './constraints.ts'
import { resourceValidatingConfiguration, resourceWebhooks } from './webhook.ts'

const kinds = ['Role', 'Policy']
const service = { namespace: 'vouch', name: 'webhook' }
const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })

function checked(mode: ManifestChecks, serves = true, ourselves: { readonly operatorUser?: string } = {}): ResourceWorld {
  const chosen = { services: ['iam'], kinds }
  const place = { name: 'resources', service, ...ourselves }
  const world = resourceWorld({ ...chosen, objects: [resourceValidatingConfiguration(chosen, place)] })
  const routes = resourceWebhooks(chosen, mode)
  if (serves)
    world.server.serve(
      { namespace: service.namespace, service: service.name },
      webhookHost({ clock: world.clock, log: silentLog, metrics: new Metrics(), routes }),
    )
  return world
}

async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'taken'
  } catch (error) {
    assert.ok(error instanceof KubeError, String(error))
    return `${error.httpStatus} ${error.status?.message}`
  }
}

test('a protected object is not deleted at all, by nobody, until the annotation goes; others are [9.9]', async () => {
  await using world = checked('warn')
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { [annotations.deletionProtection]: 'True' } })
  await world.create('Role', 'writer', role({ name: 'writer' }))
  await world.advance(5_000)
  assert.match(
    await refusal(world.remove('Role', 'reader')),
    /^403 .*Role default\/reader is protected: take its annotation services\.k8s\.aws\/deletion-protection away first$/,
  )
  assert.equal((await world.get('Role', 'reader'))?.metadata.deletionTimestamp, undefined)
  assert.equal(await refusal(world.remove('Role', 'writer')), 'taken')
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.deletionProtection]: null } } })
  assert.equal(await refusal(world.remove('Role', 'reader')), 'taken')
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'reader'), undefined)
})

test('while the webhook does not answer, what is protected stays, and everything else goes on [9.9]', async () => {
  await using world = checked('deny', false)
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { [annotations.deletionProtection]: 'true' } })
  await world.create('Role', 'writer', role({ name: 'writer', maxSessionDuration: 1 }))
  await world.advance(5_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.match(await refusal(world.remove('Role', 'reader')), /^500 .*failed calling webhook/)
  assert.equal(await refusal(world.remove('Role', 'writer')), 'taken')
})

test('what AWS would refuse is denied where that is asked for, but not what stood there before [9.11]', async () => {
  await using world = checked('deny')
  world.start()
  const made = (name: string, more: object): Promise<string> => refusal(world.create('Role', name, role({ name, ...more })))
  assert.match(await made('a', { maxSessionDuration: 60 }), /^422 .*spec\.maxSessionDuration: 60 are fewer than 3600$/)
  assert.match(await made('b', { path: 'team' }), /^422 .*spec\.path: "team" does not match /)
  assert.match(
    await made('c', { tags: [{ key: 'k'.repeat(129), value: '' }] }),
    /spec\.tags\[0\]\.key: 129 characters are more than 128$/,
  )
  assert.equal(await made('reader', {}), 'taken')
  await world.advance(5_000)
  const change = (more: object): Promise<string> => refusal(world.patch('Role', 'reader', { spec: more }))
  assert.match(await change({ maxSessionDuration: 60 }), /^422/)
  assert.equal(await change({ maxSessionDuration: 7_200 }), 'taken')
  await world.advance(5_000)
  assert.equal((await world.get('Role', 'reader'))?.spec?.['maxSessionDuration'], 7_200)
})

test('as warnings, the object is taken; what stood there before is no news and denies nothing [9.11]', async () => {
  await using world = checked('warn')
  const wrong = role({ maxSessionDuration: 60 })
  const made = await world.create('Role', 'reader', wrong)
  assert.equal(made.spec?.['maxSessionDuration'], 60)
  const model = modelOf('iam', 'Role')
  const ask = (spec: object, before?: object, more: object = {}): AdmissionRequest => ({
    uid: 'u',
    kind: { group: model.type.group, version: model.type.version, kind: 'Role' },
    resource: { group: model.type.group, version: model.type.version, resource: 'roles' },
    operation: before === undefined ? 'CREATE' : 'UPDATE',
    userInfo: {},
    object: { ...made, metadata: { ...made.metadata, ...more }, spec } as Resource,
    oldObject: before === undefined ? null : ({ ...made, spec: before } as Resource),
  })
  const warning = 'AWS will refuse this: spec.maxSessionDuration: 60 are fewer than 3600'
  assert.deepEqual(admit(ask(wrong), [model], 'warn'), { kind: 'allow', warnings: [warning] })
  assert.equal(admit(ask(wrong), [model], 'deny').kind, 'deny')
  assert.deepEqual(admit(ask({ ...wrong, description: 'x' }, wrong), [model], 'deny'), { kind: 'allow' })
  assert.deepEqual(admit(ask(wrong, role(), { deletionTimestamp: '2026-01-01T00:00:00Z' }), [model], 'deny'), { kind: 'allow' })
  assert.deepEqual(admit({ ...ask(wrong), subResource: 'status' }, [model], 'deny'), { kind: 'allow' })
  assert.deepEqual(admit(ask(wrong), [], 'deny'), { kind: 'allow' })
})

test('lengths, ranges, patterns and closed lists of the model, by path, of hostile values too [9.11]', () => {
  const problems = (kind: 'iam/Role' | 's3/Bucket', spec: NonNullable<Resource['spec']>): readonly string[] =>
    constraintProblems(kind === 'iam/Role' ? modelOf('iam', 'Role') : modelOf('s3', 'Bucket'), spec)
  assert.deepEqual(
    problems('iam/Role', { name: 'reader', path: '/a/', maxSessionDuration: 3_600, description: 'x', policyRefs: [{}] }),
    [],
  )
  assert.deepEqual(problems('iam/Role', { name: '', description: 'x'.repeat(1_001) }), [
    'spec.name: 0 characters are fewer than 1',
    'spec.description: 1001 characters are more than 1000',
  ])
  assert.deepEqual(
    problems('s3/Bucket', { acl: 'open', createBucketConfiguration: { locationConstraint: 'mars' } }).map(each =>
      each.slice(0, 60),
    ),
    [
      'spec.acl: "open" is none of authenticated-read, private, pub',
      'spec.createBucketConfiguration.locationConstraint: "mars" is',
    ],
  )
  for (const odd of [null, 1, true, [], {}, 'x', [null], [[['x']]]])
    assert.ok(
      Array.isArray(problems('iam/Role', { name: odd, tags: odd, maxSessionDuration: odd, assumeRolePolicyDocument: odd })),
    )
  assert.ok(problems('iam/Role', { tags: Array.from({ length: 60 }, () => ({ key: '' })) }).length <= 12)
})

test('our finalizer and our notes are refused from anybody but the operator, at the creation and later', async () => {
  // As whom the operator of these worlds writes.
  await using world = checked('warn', true, { operatorUser: 'kubernetes-admin' })
  world.start()
  const type = world.typeOf('Role')
  const user = { username: 'tenant', groups: ['system:masters', 'system:authenticated'] }
  const tenant = createKubeClient({ clock: world.clock, address: 'test', exchange: world.server.as(user) })
  const finalizer = 'finalizers.iam.services.k8s.aws/Role'
  const make = (name: string, metadata: object): Promise<string> =>
    refusal(
      tenant.create(type, {
        apiVersion: 'iam.services.k8s.aws/v1alpha1',
        kind: 'Role',
        metadata: { namespace: 'default', name, ...metadata },
        spec: role({ name }),
      } as KubeObject),
    )
  assert.match(
    await make('a', { finalizers: [finalizer] }),
    /^403 .*the finalizer finalizers\.iam.*written by the operator alone/,
  )
  for (const name of [annotations.adopted, annotations.createIntent])
    assert.match(await make('b', { annotations: { [name]: 'true' } }), /^403 .*written by the operator alone/)
  assert.equal(await make('reader', { annotations: { note: 'mine' } }), 'taken')
  await world.advance(5_000)
  // The operator's own writes pass, and what it wrote is no reason to refuse others.
  assert.deepEqual((await world.get('Role', 'reader'))?.metadata.finalizers, [finalizer])
  const edit = (metadata: object): Promise<string> =>
    refusal(tenant.patch(type, { namespace: 'default', name: 'reader' }, 'merge', { metadata }))
  assert.equal(await edit({ labels: { team: 'a' } }), 'taken')
  assert.match(await edit({ annotations: { [annotations.adopted]: 'true' } }), /^403/)
  assert.match(await edit({ annotations: { [annotations.createIntent]: 'x' } }), /^403/)
  assert.equal(await edit({ finalizers: null }), 'taken')
  await world.advance(60_000)
  assert.deepEqual((await world.get('Role', 'reader'))?.metadata.finalizers, [finalizer], 'the operator puts it back')
})
