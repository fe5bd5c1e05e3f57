// Which selectors mean a claim, and what each of them says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceType, StoredObject } from '#kube'
import { matchSelectors, type Selected, selectorProblem } from './match-selectors.ts'
import type { RoleSelectorSpec } from './role-selector.ts'
import type { MatchedSelector } from './select-place.ts'

const arn = 'arn:aws:iam::444455556666:role/worker'
const type: ResourceType = {
  group: 's3.services.k8s.aws',
  version: 'v1alpha1',
  kind: 'Bucket',
  plural: 'buckets',
  namespaced: true,
}
const selected: Selected = {
  claim: { metadata: { namespace: 'apps', name: 'x', labels: { tier: 'one' } } } as unknown as StoredObject,
  type,
  namespaceLabels: { team: 'blue', stage: 'test' },
}

function match(spec: RoleSelectorSpec | undefined, notes?: object, of: Selected = selected): MatchedSelector | undefined {
  const annotations =
    notes && Object.fromEntries(Object.entries(notes).map(([name, value]) => [`services.k8s.aws/${name}`, value]))
  const [found] = matchSelectors([{ metadata: { name: 's', resourceVersion: '7', annotations }, spec } as never], of)
  return found
}

const names = (...given: readonly string[]): Partial<RoleSelectorSpec> => ({ namespaceSelector: { names: given } })
const ofNamespace = (matchLabels: Record<string, string>): Partial<RoleSelectorSpec> => ({
  namespaceSelector: { labelSelector: { matchLabels } },
})
const ofType = (...types: readonly (readonly [group: string, version: string, kind: string])[]): Partial<RoleSelectorSpec> => ({
  resourceTypeSelector: types.map(([group, version, kind]) => ({ group, version, kind })),
})

const rows: readonly (readonly [what: string, spec: Partial<RoleSelectorSpec>, fits: boolean])[] = [
  ['nothing', {}, true],
  ['no namespace', names(), true],
  ['its namespace among others', names('team', 'apps'), true],
  ['another namespace', names('team'), false],
  ['a label of its namespace', ofNamespace({ team: 'blue' }), true],
  ['two labels of its namespace', ofNamespace({ team: 'blue', stage: 'test' }), true],
  ['two labels, of which its namespace has one', ofNamespace({ team: 'blue', stage: 'live' }), false],
  ['a label that its namespace lacks', ofNamespace({ constructor: 'x' }), false],
  ['a label of its own', { resourceLabelSelector: { matchLabels: { tier: 'one' } } }, true],
  ['another value of a label of its own', { resourceLabelSelector: { matchLabels: { tier: 'two' } } }, false],
  ['no type', ofType(), true],
  ['its group', ofType(['s3.services.k8s.aws', '', '']), true],
  ['another group', ofType(['iam.services.k8s.aws', '', '']), false],
  ['its version', ofType(['', 'v1alpha1', '']), true],
  ['another version', ofType(['', 'v1', '']), false],
  ['its kind', ofType(['', '', 'Bucket']), true],
  ['another kind of its group', ofType(['s3.services.k8s.aws', 'v1alpha1', 'Role']), false],
  ['its kind of another group', ofType(['iam.services.k8s.aws', 'v1alpha1', 'Bucket']), false],
  ['its kind among others', ofType(['', '', 'Role'], ['', '', 'Bucket']), true],
  ['its namespace and another type', { ...names('apps'), ...ofType(['', '', 'Role']) }, false],
]

for (const [what, spec, fits] of rows)
  test(`a selector that names ${what} ${fits ? 'means' : 'does not mean'} the claim`, () =>
    assert.equal(match({ arn, ...spec }) !== undefined, fits))

test('a claim without labels, or of no namespace, is meant by what asks for none', () => {
  const of = { ...selected, claim: { metadata: { name: 'x' } } as unknown as StoredObject }
  assert.ok(match({ arn }, undefined, of))
  assert.equal(match({ arn, ...names('apps') }, undefined, of), undefined)
  assert.equal(match({ arn, resourceLabelSelector: { matchLabels: { tier: 'one' } } }, undefined, of), undefined)
})

test('a selector that says nothing beside its role has that role, no priority, and no word for the session', () => {
  assert.deepEqual(match({ arn }), { name: 's', resourceVersion: '7', arn, priority: 0 })
  assert.deepEqual(match({ arn }, { 'external-id': '', 'session-tags': ' , ' }), match({ arn }))
  assert.equal(match(undefined)?.problem, ' is no ARN of a role')
})

for (const [text, priority] of [
  ['1', 1],
  ['-7', -7],
  ['999999999', 999_999_999],
  ['1000000000', 0],
  ['high', 0],
  ['', 0],
] as const)
  test(`a priority of ${JSON.stringify(text)} is ${priority}`, () =>
    assert.equal(match({ arn }, { priority: text })?.priority, priority))

test('a selector has its external id', () => assert.equal(match({ arn }, { 'external-id': 'e' })?.externalId, 'e'))

const fifty = Array.from({ length: 50 }, (_, index) => `k${10 + index}=v`)
const long = (length: number): string => 'x'.repeat(length)

const tags: readonly (readonly [what: string, text: string, expected: string | RegExp])[] = [
  ['two, in the order of their keys', 'b=2, a = 1 ,', 'a=1 b=2'],
  ['three, in the order of their keys', 'b=2,c=3,a=1', 'a=1 b=2 c=3'],
  ['an equals sign in its value', 'a=b=c', 'a=b=c'],
  ['an empty value', 'a=', 'a='],
  ['variables', 'a=%K8S_NAMESPACE%/%CONTROLLER_SERVICE%', 'a=%K8S_NAMESPACE%/%CONTROLLER_SERVICE%'],
  ['another variable', 'a=%K8S_NAME%', /session-tags: a is no key=value with %K8S_NAMESPACE% or %CONTROLLER_SERVICE%/],
  ['no value', 'a', /session-tags: a is no key=value/],
  ['no key', '=a', / is no key=value/],
  ['a key of 128 characters', `${long(128)}=v`, `${long(128)}=v`],
  ['a key of 129 characters', `${long(129)}=v`, /is no key=value/],
  ['a value of 256 characters', `a=${long(256)}`, `a=${long(256)}`],
  ['a value of 257 characters', `a=${long(257)}`, /is no key=value/],
  ['a key that AWS does not take', 'a*=v', /is no key=value/],
  ['a key twice, in another case', 'Team=a,x=1,team=b', /session-tags: team is there twice; case makes no difference/],
  ['fifty', fifty.join(','), fifty.join(' ')],
  ['fifty-one', [...fifty, 'k=v'].join(','), /session-tags: 51 tags; AWS takes 50/],
]

for (const [what, text, expected] of tags)
  test(`session tags with ${what} are ${expected instanceof RegExp ? 'refused' : 'taken'}`, () => {
    const found = match({ arn }, { 'session-tags': text })
    if (expected instanceof RegExp) {
      assert.match(found?.problem ?? '', expected)
      assert.equal(found?.sessionTags, undefined)
    } else {
      assert.equal(found?.problem, undefined)
      assert.equal(found?.sessionTags?.map(({ key, value }) => `${key}=${value}`).join(' '), expected)
    }
  })

const problems: readonly (readonly [what: string, spec: Partial<RoleSelectorSpec>, problem: string | undefined])[] = [
  ['a role', {}, undefined],
  ['no role', { arn: 'worker' }, 'worker is no ARN of a role'],
  ['a role of no account', { arn: 'arn:aws:iam:::role/x' }, 'arn:aws:iam:::role/x is no ARN of a role'],
  ['two namespaces', names('a', 'b'), undefined],
  ['an empty namespace', names(''), 'namespaceSelector.names holds an empty name'],
  ['a namespace twice', names('a', 'b', 'a'), 'namespaceSelector.names holds a name twice'],
  ['two types', ofType(['', '', 'Role'], ['', '', 'Bucket']), undefined],
  ['an entry of no type', ofType(['', '', 'Role'], ['', '', '']), 'an entry of resourceTypeSelector names nothing'],
  ['a type twice', ofType(['', '', 'Role'], ['', '', 'Role']), 'resourceTypeSelector holds an entry twice'],
]

for (const [what, spec, problem] of problems)
  test(`a selector with ${what} ${problem === undefined ? 'can' : 'cannot'} be followed`, () =>
    assert.equal(selectorProblem({ arn, ...spec }), problem))
