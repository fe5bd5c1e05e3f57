import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { warningsOf } from './warnings.ts'

const grace = 'terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'
const pods = (more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { terminationGracePeriodSeconds: -1, ...more },
})
const at = (generation: number, spec: JsonObject): JsonObject => ({ metadata: { name: 'a.b', generation }, spec })

const owners: readonly (readonly [group: string, kind: string])[] = [
  ['', 'ReplicationController'],
  ['apps', 'DaemonSet'],
  ['apps', 'Deployment'],
  ['apps', 'ReplicaSet'],
  ['apps', 'StatefulSet'],
  ['batch', 'Job'],
]

test('an owner of pods is warned of them again when something changed that its controller acts on, and of its name once', () => {
  for (const [group, kind] of owners) {
    const told = (object: JsonObject, old?: JsonObject): readonly string[] =>
      warningsOf(group, kind, object, old === undefined ? {} : { old })
    const [one, other] = [at(1, { template: pods() }), at(2, { template: pods({ activeDeadlineSeconds: 5 }) })]
    assert.equal(told(one).includes(`spec.template.spec.${grace}`), true, kind)
    assert.deepEqual(told(one, one), [], kind)
    assert.deepEqual(told(other, one), [`spec.template.spec.${grace}`], kind)
  }
})

test('a DaemonSet is warned of its pods again when they changed, whatever else did', () => {
  const [one, scaled] = [at(1, { template: pods() }), at(2, { template: pods(), minReadySeconds: 5 })]
  assert.deepEqual(warningsOf('apps', 'DaemonSet', scaled, { old: one }), [])
})

test('a ReplicationController is warned of the pods that it made before the change', () => {
  const [one, mended] = [at(1, { template: pods() }), at(2, { template: pods({ terminationGracePeriodSeconds: 5 }) })]
  assert.deepEqual(warningsOf('', 'ReplicationController', mended, { old: one }), [`spec.template.spec.${grace}`])
  assert.deepEqual(warningsOf('', 'ReplicationController', one, { old: mended }), [])
})

test('a StatefulSet is warned of claims whose bytes are no whole number, and after a change by another path', () => {
  const claim = { spec: { resources: { requests: { storage: '100m' }, limits: { storage: '1' } } } }
  const set = at(1, { template: {}, volumeClaimTemplates: [{}, claim], revisionHistoryLimit: -1 })
  const why = 'resources.requests[storage]: fractional byte value "100m" is invalid, must be an integer'
  const history = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'
  assert.deepEqual(warningsOf('apps', 'StatefulSet', set, {}), [`spec.volumeClaimTemplates[1].${why}`, history])
  assert.deepEqual(warningsOf('apps', 'StatefulSet', set, { old: set }), [`spec.volumeClaimTemplates[1].Spec.${why}`, history])
})

test('whoever reports a status is warned of what he reports alone', () => {
  const claim = { spec: { resources: { requests: { storage: '100m' } } } }
  assert.equal(warningsOf('', 'PersistentVolumeClaim', claim, { old: claim }).length, 1)
  assert.deepEqual(warningsOf('', 'PersistentVolumeClaim', claim, { old: claim, subresource: 'status' }), [])
  const ways = { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'a' }, { ip: '1.2.3.04' }] } } }
  const told =
    'status.loadBalancer.ingress[2]: non-standard IP address "1.2.3.04" will be considered invalid in a future Kubernetes release: use "1.2.3.4"'
  for (const group of ['', 'networking.k8s.io']) {
    const kind = group === '' ? 'Service' : 'Ingress'
    assert.deepEqual(warningsOf(group, kind, ways, { old: ways, subresource: 'status' }), [told])
    assert.deepEqual(warningsOf(group, kind, ways, { old: ways }), [])
  }
})

test('a Service that still says its topology by the former annotation is told the new one', () => {
  const service = (annotations: JsonObject): JsonObject => ({ metadata: { annotations }, spec: {} })
  const former = service({ 'service.kubernetes.io/topology-aware-hints': '' })
  const told =
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead'
  assert.deepEqual(warningsOf('', 'Service', former, {}), [told])
  assert.deepEqual(warningsOf('', 'Service', former, { old: former }), [told])
  const now = service({ 'service.kubernetes.io/topology-mode': 'auto' })
  assert.deepEqual(warningsOf('', 'Service', now, { old: former }), [])
})
