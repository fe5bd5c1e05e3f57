import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectorFromObject } from '#kube'
import type { AdmissionAttributes } from './admission.ts'
import { matchRequest, type RequestMatch, type RequestRule } from './match-request.ts'
import { pluginWorld } from './requests.fixture.ts'

const { ports, request } = pluginWorld(
  () => ({ name: 'none' }),
  [{ kind: 'Namespace', metadata: { name: 'x', labels: { tier: 'test' } } }],
)

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }
const pods = { ...rule, apiGroups: [''], resources: ['pods'] }
const nodes = { ...rule, apiGroups: [''], resources: ['nodes'] }
const everything = selectorFromObject({})
const selector = selectorFromObject({ matchLabels: { tier: 'test' } })

function matched(
  match: Partial<RequestMatch>,
  resource: string,
  object: object | undefined,
  more: Partial<AdmissionAttributes> = {},
): string | undefined {
  const whole = { rules: [rule], equivalent: false, namespaceSelector: everything, objectSelector: everything, ...match }
  return matchRequest(ports, whole, request(resource, object, more))?.apiVersion
}

const named = { metadata: { name: 'a' } }
const labelled = { metadata: { name: 'a', labels: { tier: 'test' } } }
for (const [change, more, isMatched] of [
  [{}, {}, true],
  [{ operations: ['*'] }, {}, true],
  [{ operations: ['UPDATE', 'DELETE'] }, {}, false],
  [{ operations: undefined }, {}, false],
  [{ apiGroups: ['*'] }, {}, true],
  [{ apiGroups: [''] }, {}, false],
  [{ apiVersions: ['*'] }, {}, true],
  [{ apiVersions: ['v1beta1'] }, {}, false],
  [{ resources: ['pods', 'deployments'] }, {}, true],
  [{ resources: ['*'] }, {}, true],
  [{ resources: ['pods'] }, {}, false],
  [{ resources: undefined }, {}, false],
  [{ resources: ['deployments/scale'] }, {}, false],
  [{ resources: ['deployments/*'] }, {}, true],
  [{ resources: ['*/*'] }, {}, true],
  [{}, { subresource: 'scale' }, false],
  [{ resources: ['*'] }, { subresource: 'scale' }, false],
  [{ resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['*/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['pods/*'] }, { subresource: 'scale' }, false],
  [{ resources: ['*/*'] }, { subresource: 'scale' }, true],
  [{ resourceNames: [] }, {}, true],
  [{ resourceNames: ['a', 'b'] }, {}, true],
  [{ resourceNames: ['b'] }, {}, false],
  [{ scope: '*' }, {}, true],
  [{ scope: 'Namespaced' }, {}, true],
  [{ scope: 'Cluster' }, {}, false],
] as const)
  test(`a rule with ${JSON.stringify(change)} ${isMatched ? 'is' : 'is not'} about a new Deployment with ${JSON.stringify(more)}`, () => {
    const rules = [{ ...rule, ...change }] as readonly RequestRule[]
    assert.equal(matched({ rules }, 'apps/v1/deployments', named, more), isMatched ? 'apps/v1' : undefined)
  })

test('a scope is that of the resource', () => {
  assert.equal(matched({ rules: [{ ...nodes, scope: 'Cluster' }] }, '/v1/nodes', named), 'v1')
  assert.equal(matched({ rules: [{ ...nodes, scope: 'Namespaced' }] }, '/v1/nodes', named), undefined)
})

test('another version of the kind is as good where that is asked for', () => {
  const older = [{ ...rule, apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }]
  const newer = 'autoscaling/v2/horizontalpodautoscalers'
  assert.equal(matched({ rules: older }, newer, named), undefined)
  assert.equal(matched({ rules: older, equivalent: true }, newer, named), 'autoscaling/v1')
  assert.equal(
    matched({ rules: [rule, ...older], equivalent: true }, 'autoscaling/v1/horizontalpodautoscalers', named),
    'autoscaling/v1',
  )
  assert.equal(matched({ rules: [rule, ...older], equivalent: true }, newer, named), 'autoscaling/v1')
  assert.equal(matched({ equivalent: true }, newer, named), undefined)
})

test('labels of the object are those of the new one or of the old one', () => {
  const match = { rules: [pods], objectSelector: selector }
  const old = (oldObject: object): Partial<AdmissionAttributes> => ({
    oldObject: oldObject as NonNullable<AdmissionAttributes['oldObject']>,
  })
  assert.equal(matched(match, '/v1/pods', labelled), 'v1')
  assert.equal(matched(match, '/v1/pods', named), undefined)
  assert.equal(matched(match, '/v1/pods', named, old(labelled)), 'v1')
  assert.equal(matched(match, '/v1/pods', undefined, old(labelled)), 'v1')
  assert.equal(matched(match, '/v1/pods', undefined, old(named)), undefined)
})

test('labels of the namespace are those of where the object is', () => {
  const match = { rules: [pods], namespaceSelector: selector }
  assert.equal(matched(match, '/v1/pods', named), 'v1')
  const others = { rules: [pods], namespaceSelector: selectorFromObject({ matchLabels: { tier: 'other' } }) }
  assert.equal(matched(others, '/v1/pods', labelled), undefined)
  assert.equal(matched({ ...others, rules: [nodes] }, '/v1/nodes', named), 'v1', 'what is in no namespace is not asked for one')
  assert.throws(() => matched(match, '/v1/pods', named, { namespace: 'gone' }), { message: 'namespaces "gone" not found' })
  assert.equal(matched({ ...match, rules: [rule] }, '/v1/pods', named, { namespace: 'gone' }), undefined)
})

test('labels of a namespace are its own, and of one that goes those that it has', () => {
  const rules = [{ ...pods, operations: ['*'], resources: ['namespaces', 'namespaces/*'] }]
  const match = { rules, namespaceSelector: selector }
  const resource = '/v1/namespaces'
  assert.equal(matched(match, resource, labelled), 'v1')
  assert.equal(matched(match, resource, named), undefined)
  assert.equal(matched(match, resource, labelled, { operation: 'UPDATE' }), 'v1')
  assert.equal(matched(match, resource, undefined, { operation: 'DELETE', name: 'x' }), 'v1')
  assert.equal(matched(match, resource, named, { operation: 'UPDATE', subresource: 'status', name: 'x' }), 'v1')
})
