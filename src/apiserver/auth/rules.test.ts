import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsPath, allowsResource, compactRules, missingRules, type RbacRule, renderRule } from './rules.ts'

const get = { verb: 'get', group: 'apps', resource: 'deployments', subresource: '', namespace: 'x', name: 'web' }
const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] }

for (const [change, asked, allowed] of [
  [{}, {}, true],
  [{ verbs: ['list', 'get'] }, {}, true],
  [{ verbs: ['*'] }, {}, true],
  [{ verbs: ['list'] }, {}, false],
  [{ verbs: [] }, {}, false],
  [{ verbs: undefined }, {}, false],
  [{ apiGroups: ['*'] }, {}, true],
  [{ apiGroups: [''] }, {}, false],
  [{ apiGroups: [''] }, { group: '' }, true],
  [{ apiGroups: undefined }, {}, false],
  [{ resources: ['*'] }, {}, true],
  [{ resources: ['pods'] }, {}, false],
  [{ resources: undefined }, {}, false],
  [{}, { subresource: 'scale' }, false],
  [{ resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['deployments/scale'] }, { subresource: 'status' }, false],
  [{ resources: ['deployments/scale'] }, {}, false],
  [{ resources: ['*/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['*/scale'] }, {}, false],
  [{ resources: ['*'] }, { subresource: 'scale' }, true],
  [{ resourceNames: [] }, {}, true],
  [{ resourceNames: ['web'] }, {}, true],
  [{ resourceNames: ['other'] }, {}, false],
  [{ resourceNames: ['web'] }, { name: '' }, false],
  [{ resourceNames: [''] }, { name: '' }, false],
] as const)
  test(`a rule with ${JSON.stringify(change)} ${allowed ? 'allows' : 'does not allow'} what is asked with ${JSON.stringify(asked)}`, () => {
    assert.equal(allowsResource({ ...rule, ...change } as RbacRule, { ...get, ...asked }), allowed)
  })

for (const [pattern, path, allowed] of [
  ['/healthz', '/healthz', true],
  ['/healthz', '/healthz/ping', false],
  ['*', '/anything', true],
  ['/api/*', '/api/v1', true],
  ['/api/*', '/api', false],
  ['/api', '/apis', false],
  ['/apix', '/api', false],
] as const)
  test(`a rule for ${pattern} ${allowed ? 'allows' : 'does not allow'} ${path}`, () => {
    const asked = { verb: 'get', path }
    assert.equal(allowsPath({ verbs: ['get'], nonResourceURLs: ['/other', pattern] }, asked), allowed)
    assert.equal(allowsPath({ verbs: ['post'], nonResourceURLs: [pattern] }, asked), false)
    assert.equal(allowsPath({ verbs: ['get'] }, asked), false)
  })

const atom = (verb: string, resource = 'pods'): RbacRule => ({ verbs: [verb], apiGroups: [''], resources: [resource] })
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }
const nothing: readonly RbacRule[] = []
for (const [said, held, wanted, missing] of [
  ['the same', [pods], [pods], nothing],
  ['one verb of two', [atom('get')], [pods], [atom('list')]],
  ['two rules that are one together', [atom('get'), atom('list')], [pods], nothing],
  ['all verbs', [{ ...pods, verbs: ['*'] }], [pods], nothing],
  ['two verbs where all are wanted', [pods], [{ ...pods, verbs: ['*'] }], [atom('*')]],
  ['another group', [{ ...pods, apiGroups: ['apps'] }], [pods], [atom('get'), atom('list')]],
  ['a subresource of it', [atom('get', 'pods/log')], [atom('get')], [atom('get')]],
  ['it, of which a subresource is wanted', [pods], [atom('get', 'pods/log')], [atom('get', 'pods/log')]],
  ['that subresource of everything', [atom('get', '*/log')], [atom('get', 'pods/log')], nothing],
  ['one name', [{ ...atom('get'), resourceNames: ['a'] }], [atom('get')], [atom('get')]],
  [
    'one name of two',
    [{ ...atom('get'), resourceNames: ['a'] }],
    [{ ...atom('get'), resourceNames: ['a', 'b'] }],
    [{ ...atom('get'), resourceNames: ['b'] }],
  ],
  ['every name', [atom('get')], [{ ...atom('get'), resourceNames: ['a'] }], nothing],
  [
    'a path',
    [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/a/b', '/a/*', '/c'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/c'] }],
  ],
  [
    'resources where a path is wanted',
    [{ ...pods, verbs: ['*'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
    [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
  ],
  ['a path where resources are wanted', [{ verbs: ['*'], nonResourceURLs: ['*'] }], [atom('get')], [atom('get')]],
  [
    'nothing, where nothing is wanted',
    nothing,
    [{}, { verbs: ['get'] }, { verbs: ['get'], apiGroups: [''] }, { ...pods, resources: [] }],
    nothing,
  ],
] as const)
  test(`who holds ${said} lacks ${JSON.stringify(missing)}`, () => {
    assert.deepEqual(missingRules(held, wanted), missing)
  })

test('a rule is printed with what it has, in the order of a real server', () => {
  const whole = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'], nonResourceURLs: ['/b'] }
  assert.equal(
    renderRule(whole),
    '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], NonResourceURLs:["/b"], Verbs:["get" "list"]}',
  )
  assert.equal(renderRule({ verbs: ['get'], resourceNames: [] }), '{Verbs:["get"]}')
})

test('rules that differ in their verbs alone are said together', () => {
  assert.deepEqual(compactRules([atom('get'), atom('get', 'secrets'), atom('list'), {}]), [
    { ...atom('get'), verbs: ['get', 'list'] },
    atom('get', 'secrets'),
    {},
  ])
})
