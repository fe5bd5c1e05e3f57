// What the end of an object with a hold for its records comes to, state by state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Deployment } from '../operand/deployment.ts'
import { dnsSeen } from '../testing/dns-seen.fixture.ts'
import { type CleanupSeen, decideCleanup, finalizerActions } from './decide.ts'
import { type CleanupJob, cleanupJob, stateOf } from './job.ts'

const { dns } = dnsSeen()
const finalizer = 'externaldns.olm.openshift.io/cleanup'

function deployment(more: object = {}, template: object = {}): Deployment & StoredObject {
  const args = ['--label-filter=a', '--interval=60s', '--source=service', '--policy=upsert-only', '--policyless']
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'there', name: 'external-dns-blue', uid: 'd', resourceVersion: '1', ...more },
    spec: {
      selector: { matchLabels: {} },
      template: {
        spec: { serviceAccountName: 'external-dns-blue', containers: [{ name: 'a', args }, { name: 'b' }] },
        ...template,
      },
    },
  }
}

const ours = [{ apiVersion: 'v1', kind: 'ExternalDNS', name: 'blue', uid: 'uid-1', controller: true }]

function job(conditions: readonly object[], ownerReferences: readonly object[] = ours): CleanupJob & StoredObject {
  return { metadata: { name: 'external-dns-blue-cleanup', ownerReferences }, status: { conditions } } as unknown as CleanupJob &
    StoredObject
}

const ended = (type: string, status = 'True', message?: string): object => ({
  type,
  status,
  ...(message !== undefined && { message }),
})
const failure = (why: string): string =>
  `${why}. Mend that and delete the Job, or set spec.operand.cleanup to false to let the object go and leave its records.`
const goes = 'The operand ends before its records are taken away.'
const runs = 'The records are being taken away.'

const states: readonly (readonly [
  what: string,
  seen: Partial<CleanupSeen>,
  action: string | undefined,
  message: string | undefined,
])[] = [
  ['whose operand is there', { deployment: deployment() }, 'delete', goes],
  ['whose operand goes already', { deployment: deployment({ deletionTimestamp: 'now' }) }, undefined, goes],
  ['whose last pod is there', { podsLeft: 1 }, undefined, 'The pods of the operand end before its records are taken away.'],
  ['whose operand is gone', {}, 'create', runs],
  ['whose last run is under way', { job: job([]) }, undefined, runs],
  ['whose last run has not failed yet', { job: job([ended('Failed', 'False')]) }, undefined, runs],
  ['whose last run is over', { job: job([ended('Complete')]) }, 'remove-finalizer', undefined],
  [
    'whose last run failed',
    { job: job([ended('Failed', 'True', 'DeadlineExceeded')]) },
    undefined,
    failure('the run that takes the records away failed: DeadlineExceeded'),
  ],
  [
    'whose last run failed without a word',
    { job: job([ended('Failed')]) },
    undefined,
    failure('the run that takes the records away failed: the last run failed'),
  ],
  [
    'whose last run is another’s',
    { job: job([ended('Complete')], []) },
    undefined,
    'The Job of an earlier object of this name is in the way: it goes with that object, or delete it.',
  ],
  [
    'whose last run cannot be made',
    { wanted: { problem: 'no keys' } },
    undefined,
    failure('nothing can take the records away: no keys'),
  ],
  [
    'that wishes it no more, whatever is there',
    { wantsCleanup: false, deployment: deployment(), podsLeft: 1 },
    'remove-finalizer',
    undefined,
  ],
]

for (const [what, seen, action, message] of states)
  test(`at the end of an object ${what} ${action === undefined ? 'nothing is done' : `there is one ${action}`}`, () => {
    const whole: CleanupSeen = {
      dns,
      wantsCleanup: true,
      deployment: undefined,
      podsLeft: 0,
      job: undefined,
      wanted: { deployment: deployment() },
      ...seen,
    }
    const plan = decideCleanup(whole)
    assert.deepEqual(
      plan.actions.map(({ kind }) => kind),
      action === undefined ? [] : [action],
    )
    assert.equal(plan.conditions[0]?.message, message)
  })

test('a hold is put on an object that asks for it and taken off one that does not, in the version in which it was read', () => {
  const held = { ...dns, metadata: { ...dns.metadata, finalizers: ['other', finalizer] } }
  const [put] = finalizerActions(dns, true)
  assert.deepEqual([put?.kind, put?.kind === 'add-finalizer' && put.type.version], ['add-finalizer', 'v1beta2'])
  const [taken] = finalizerActions(held, false)
  assert.deepEqual([taken?.kind, taken?.kind === 'remove-finalizer' && taken.finalizer], ['remove-finalizer', finalizer])
  assert.deepEqual([...finalizerActions(dns, false), ...finalizerActions(held, true)], [])
  const [older] = finalizerActions(dnsSeen({ version: 'v1beta1' }).dns, true)
  assert.equal(older?.kind === 'add-finalizer' && older.type.version, 'v1beta1')
})

test('the last run is the operand once, over nothing that the cluster has, four times for half an hour at most', () => {
  const annotations = { hash: 'h' }
  const made = cleanupJob(deployment({}, { metadata: { annotations }, spec: deployment().spec.template.spec }), {
    name: 'blue',
    uid: 'uid-1',
  })
  const labels = { 'app.kubernetes.io/name': 'external-dns-cleanup', 'app.kubernetes.io/instance': 'blue' }
  const over = ['--policy=sync', `--label-filter=${finalizer},!${finalizer}`, '--once']
  assert.deepEqual(Reflect.get(made, 'spec'), {
    backoffLimit: 4,
    activeDeadlineSeconds: 1_800,
    template: {
      metadata: { labels, annotations },
      spec: {
        serviceAccountName: 'external-dns-blue',
        containers: [
          { name: 'a', args: ['--source=service', '--policyless', ...over] },
          { name: 'b', args: over },
        ],
        restartPolicy: 'Never',
      },
    },
  })
  assert.deepEqual(
    [made.metadata.namespace, made.metadata.name, made.metadata.labels],
    ['there', 'external-dns-blue-cleanup', labels],
  )
  const bare = cleanupJob(deployment(), { name: 'blue', uid: 'uid-1' })
  assert.deepEqual(Reflect.get(bare, 'spec').template.metadata, { labels, annotations: {} })
})

test('a run that was completed is done whatever else is said of it', () => {
  assert.equal(stateOf(job([ended('SuccessCriteriaMet'), ended('Failed'), ended('Complete')])), 'done')
  assert.equal(stateOf({ metadata: {} } as unknown as CleanupJob), 'under-way')
})
