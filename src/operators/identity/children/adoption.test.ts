// What is there in AWS already is taken over where it is on record as ours, and only then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { adopting } from './adoption.ts'
import type { Child } from './child.ts'
import { type ChildKind, policyKind, providerKind, roleKind } from './kinds.ts'

const annotation = (name: string): string => `services.k8s.aws/adoption-${name}`
const uidLabel = 'aws.identity.appthrust.io/binding-uid'
const apiVersion = 'iam.services.k8s.aws/v1alpha1'

function childOf(kind: ChildKind, spec: object, status: object = {}): Child {
  const parent = { object: { metadata: { name: 'app1' }, status }, labels: {}, uidLabel }
  return { kind, parent, object: { apiVersion, metadata: { name: 'r', annotations: { region: 'x' } }, spec } } as unknown as Child
}

/** What the object is told, but for what it is told anyway. */
function told(child: Child, actual?: StoredObject): Readonly<Record<string, string>> {
  const { region, ...more } = adopting(child, actual).object.metadata.annotations ?? {}
  assert.equal(region, 'x', 'what is stated besides stays')
  return more
}

const wish = { [annotation('policy')]: 'adopt-or-create', [annotation('tag')]: uidLabel }
const byArn = (arn: string) => ({ ...wish, [annotation('fields')]: JSON.stringify({ arn }) })
const entry = { apiVersion, kind: 'Role', namespace: 'wlc-a', name: 'r' }
const role = (ackResources?: readonly object[], more: object = {}): Child =>
  childOf(roleKind, { name: 'r' }, { ackResources, ...more })
const policyArn = 'arn:aws:iam::111122223333:policy/r'
const providerArn = 'arn:aws:iam::111122223333:oidc-provider/issuer.example/id'
const provider = (oidcProviderARN: string): Child =>
  childOf(providerKind, { url: 'https://issuer.example/id' }, { oidcProviderARN })

for (const [what, child, wanted] of [
  ['on record in the list of children', role([{ ...entry, kind: 'Policy' }, entry]), wish],
  ['on record nowhere', role(), {}],
  ['on record under another name', role([{ ...entry, name: 'other' }]), {}],
  ['on record as another kind', role([{ ...entry, kind: 'Policy' }]), {}],
  ['on record by another group', role([{ ...entry, apiVersion: 'example.com/v1' }]), {}],
  ['a policy of the recorded ARN', childOf(policyKind, { name: 'r' }, { generatedPolicyARN: policyArn }), byArn(policyArn)],
  ['a policy beside an ARN of another name', childOf(policyKind, { name: 'r' }, { generatedPolicyARN: `${policyArn}2` }), {}],
  ['a policy beside the ARN of a provider', childOf(policyKind, { name: 'r' }, { oidcProviderARN: policyArn }), {}],
  ['a provider of the recorded ARN', provider(providerArn), byArn(providerArn)],
  ['a provider beside the ARN of another issuer', provider('arn:aws:iam::111122223333:oidc-provider/other'), {}],
  ['a role beside the ARNs of others', role([], { generatedPolicyARN: policyArn, oidcProviderARN: policyArn }), {}],
] as const)
  test(`what is ${what} is ${Object.keys(wanted).length > 0 ? 'taken over' : 'made'}`, () =>
    assert.deepEqual(told(child), wanted))

test('what an object was told once it goes on to be told, by us and by nobody else', () => {
  const actual = (annotations?: Readonly<Record<string, string>>): StoredObject =>
    ({ metadata: { name: 'r', ...(annotations && { annotations }) } }) as unknown as StoredObject
  const stranger = { [annotation('policy')]: 'adopt', note: 'n' }
  assert.deepEqual(told(role(), actual({ ...byArn(policyArn), note: 'n' })), byArn(policyArn))
  assert.deepEqual(told(role([entry]), actual(stranger)), {})
  assert.deepEqual(told(role([entry]), actual()), {})
})
