// Whether a binding may be used, and what is made and changed of one that an object asks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleKind, type ServiceAccountRole } from '../../identity/api.ts'
import type { BindingRef, DnsSpec } from '../api/spec.ts'
import { permissionPolicy } from '../policies/policies.ts'
import { type Bound, bindingRefOf, unknownBindingKind, viewBinding } from './view.ts'
import { bindingActions, bindingPolicy } from './wanted.ts'

const roleARN = 'arn:aws:iam::111122223333:role/dns'
const place = { name: 'blue', operandNamespace: 'external-dns', ref: { namespace: 'ns', name: 'dns' } as BindingRef }
const account = { namespace: 'external-dns', name: 'external-dns-blue' }
const ready = (more: object = {}): object => ({ type: 'Ready', status: 'True', reason: 'Ready', message: 'well', ...more })

function binding(status: object | undefined, spec: object = {}, metadata: object = {}): ServiceAccountRole {
  return {
    metadata: { namespace: 'ns', name: 'dns', uid: 'b', generation: 2, ...metadata },
    spec: { serviceAccount: account, ...spec },
    ...(status === undefined ? {} : { status }),
  } as unknown as ServiceAccountRole
}

const wait = (reason: string, message: string): Bound => ({ kind: 'wait', reason, message })
const kindMissing = wait(
  'BindingKindMissing',
  'The cluster does not serve AWSServiceAccountRole: install the operator of identities.',
)
const unseen = wait('BindingNotReady', 'The AWSServiceAccountRole ns/dns has not been looked at yet.')
const missing = 'The AWSServiceAccountRole ns/dns is not there:'

for (const [what, object, more, expected] of [
  ['of a kind that the cluster does not serve', undefined, { isKindMissing: true }, kindMissing],
  [
    'that is not there',
    undefined,
    {},
    wait('BindingNotFound', `${missing} make it for the ServiceAccount external-dns/external-dns-blue.`),
  ],
  ['that is to be made', undefined, { create: true }, wait('BindingNotFound', `${missing} it is being made.`)],
  [
    'that is not to be made',
    undefined,
    { create: false },
    wait('BindingNotFound', `${missing} make it for the ServiceAccount external-dns/external-dns-blue.`),
  ],
  [
    'of another ServiceAccount',
    binding({}, { serviceAccount: { namespace: 'other', name: 'external-dns-blue' } }),
    {},
    wait(
      'BindingSubjectMismatch',
      'The AWSServiceAccountRole ns/dns binds the ServiceAccount other/external-dns-blue, and the operand works as external-dns/external-dns-blue.',
    ),
  ],
  ['that nobody has looked at', binding(undefined), {}, unseen],
  ['of which something else is said', binding({ conditions: [{ ...ready(), type: 'Other' }] }), {}, unseen],
  ['that was changed since', binding({ conditions: [ready({ observedGeneration: 1 })] }), {}, unseen],
  [
    'that does not work',
    binding({ conditions: [ready({ status: 'False', reason: 'NoTrust', message: 'no trust' })] }),
    {},
    wait('NoTrust', 'The AWSServiceAccountRole ns/dns is not ready: no trust'),
  ],
  ['that works', binding({ roleARN, conditions: [ready({ observedGeneration: 2 })] }), {}, { kind: 'ready', roleArn: roleARN }],
  ['that works, of no generation', binding({ roleARN, conditions: [ready()] }), {}, { kind: 'ready', roleArn: roleARN }],
  [
    'that an agent delivers',
    binding({ roleARN, deliveryType: 'EKSPodIdentity', conditions: [ready()] }),
    {},
    { kind: 'ready', roleArn: undefined },
  ],
  [
    'that a webhook delivers',
    binding({ roleARN, deliveryType: 'IRSA', conditions: [ready()] }),
    {},
    { kind: 'ready', roleArn: roleARN },
  ],
] as const)
  test(`a binding ${what} is ${expected.kind === 'wait' ? `waited for: ${expected.reason}` : 'used'}`, () => {
    const { isKindMissing = false, ...ref } = more as { readonly isKindMissing?: boolean }
    assert.deepEqual(viewBinding({ object, isKindMissing }, { ...place, ref: { ...place.ref, ...ref } }), expected)
  })

test('a binding without a place is told by what there is of it', () => {
  const bound = viewBinding({ object: undefined, isKindMissing: false }, { ...place, ref: {} })
  assert.match(bound.kind === 'wait' ? bound.message : '', /^The AWSServiceAccountRole \/ is not there/)
})

test('an object refers to a binding by its mode, of AWS alone, and one that says nothing of it refers to nothing in particular', () => {
  const ref = (type: string, mode: string, bindingRef?: object): unknown =>
    bindingRefOf({
      provider: { type, aws: { workloadIdentity: { mode, ...(bindingRef && { bindingRef }) } } },
    } as unknown as DnsSpec)
  assert.deepEqual(ref('AWS', 'Binding', place.ref), place.ref)
  assert.deepEqual(ref('AWS', 'Binding'), {})
  assert.equal(ref('AWS', 'IRSA', place.ref), undefined)
  assert.equal(ref('GCP', 'Binding', place.ref), undefined)
})

test('one kind of binding is known, named or not', () => {
  const { apiVersion, type } = roleKind
  for (const ref of [{}, { apiVersion, kind: type.kind }, { kind: type.kind }]) assert.equal(unknownBindingKind(ref), undefined)
  const known = `${type.kind} of ${apiVersion} is the one that is known`
  assert.equal(unknownBindingKind({ kind: 'Other' }), `bindingRef names the kind Other of ${apiVersion}: ${known}`)
  assert.equal(unknownBindingKind({ apiVersion: 'v1' }), `bindingRef names the kind ${type.kind} of v1: ${known}`)
})

const policy = permissionPolicy('aws', ['Z1'])
const owned = (uid: string, controller = true): object => ({
  ownerReferences: [
    { uid: 'x', controller: true },
    { uid, controller },
  ],
})
const wish = { ...place, ref: { ...place.ref, create: true }, uid: 'uid-1', policy }

for (const [what, object, more, expected] of [
  ['that is not there', undefined, {}, 'create'],
  ['of a kind that the cluster does not serve', undefined, { isKindMissing: true }, undefined],
  ['that nobody asked for', undefined, { ref: place.ref }, undefined],
  ['without a namespace', undefined, { ref: { name: 'dns', create: true } }, undefined],
  ['without a name', undefined, { ref: { namespace: 'ns', create: true } }, undefined],
  ['with these rights', binding({}, { policyDocument: policy }, owned('uid-1')), {}, undefined],
  ['with other rights', binding({}, { policyDocument: permissionPolicy('aws', ['Z2']) }, owned('uid-1')), {}, 'patch'],
  ['without rights', binding({}, {}, owned('uid-1')), {}, 'patch'],
  ['of another object', binding({}, {}, owned('uid-2')), {}, undefined],
  ['that it owns and another controls', binding({}, {}, owned('uid-1', false)), {}, undefined],
  ['that nobody owns', binding({}), {}, undefined],
] as const)
  test(`a binding ${what} is ${expected === 'create' ? 'made' : expected === 'patch' ? 'kept in step' : 'left alone'}`, () => {
    const { isKindMissing = false, ...rest } = more as { readonly isKindMissing?: boolean }
    const actions = bindingActions({ object, isKindMissing }, { ...wish, ...rest })
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      expected === undefined ? [] : [expected],
    )
  })

test('only an object whose zones are found by tags may read the tags of all of them', () => {
  const read = (aws: object): unknown => {
    const [, statement] = bindingPolicy({ provider: { type: 'AWS', aws } } as unknown as DnsSpec, ['Z1'], 'eu-west-1').Statement
    return Reflect.get(statement ?? {}, 'Action')
  }
  const always = ['route53:ListHostedZones', 'route53:ListResourceRecordSets', 'route53:ListTagsForResource']
  assert.deepEqual([read({}), read({ zoneTags: {} })], [always, always])
  assert.deepEqual(read({ zoneTags: { team: 'a' } }), [...always, 'route53:ListTagsForResources'])
})

test('a binding is made for the ServiceAccount of its operand, and what its rights say no more is taken away', () => {
  const [made] = bindingActions({ object: undefined, isKindMissing: false }, wish)
  assert.deepEqual(made?.kind === 'create' && Reflect.get(made.object, 'spec'), {
    serviceAccount: account,
    policyDocument: policy,
  })
  const held = binding({}, { policyDocument: { ...policy, Id: 'old' } }, owned('uid-1'))
  const [mended] = bindingActions({ object: held, isKindMissing: false }, wish)
  assert.deepEqual(mended?.kind === 'patch' && [mended.key, mended.body, mended.uid], [
    { namespace: 'ns', name: 'dns' },
    { spec: { policyDocument: { ...policy, Id: null } } },
    'b',
  ])
})

test('with a role to assume the binding may assume that one and do nothing else', () => {
  const spec = { provider: { type: 'AWS', aws: { assumeRole: { arn: roleARN } } } } as unknown as DnsSpec
  assert.deepEqual(bindingPolicy(spec, ['Z1'], ''), {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [roleARN] }],
  })
})
