// What would carry a Secret to where whoever writes FieldExports may read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldExportSpec } from './api.ts'
import { exportValues, isProblem, manifestProblem, secretsOf } from './export-values.ts'

const spec = (source: 'Secret' | 'Role', kind: 'secret' | 'configmap', namespace?: string): FieldExportSpec => ({
  from: {
    path: source === 'Secret' ? '.data.password' : '.status.roleID',
    resource: { group: source === 'Secret' ? '' : 'iam.services.k8s.aws', kind: source, name: 'source' },
  },
  to: { kind, name: 'target', ...(namespace === undefined ? {} : { namespace }) },
})

for (const [what, given, problem] of [
  ['a Secret into a Secret beside it', spec('Secret', 'secret'), undefined],
  [
    'a Secret into a Secret of another namespace',
    spec('Secret', 'secret', 'other'),
    'what stands in a Secret is exported within its namespace only: leave out to.namespace',
  ],
  ['a Secret into a ConfigMap', spec('Secret', 'configmap'), 'what stands in a Secret is exported into Secrets only'],
  ['a field of a resource into a ConfigMap of another namespace', spec('Role', 'configmap', 'other'), undefined],
] as const)
  test(`an export of ${what} is ${problem === undefined ? 'allowed' : 'refused'}`, () => {
    assert.deepEqual(manifestProblem(given, 'ns.name'), problem === undefined ? undefined : { how: 'stop', message: problem })
  })

const source = { data: { password: 'c2VjcmV0' }, status: { roleID: 'AROA', count: 3, share: 0.5, isOn: false, list: [] } }
const path = (text: string, from: 'Secret' | 'Role' = 'Role'): FieldExportSpec => {
  const { from: held, ...rest } = spec(from, 'secret')
  return { ...rest, from: { ...held, path: text } }
}

for (const [what, given, exported] of [
  ['a text', path('.status.roleID'), 'AROA'],
  ['a whole number', path('.status.count'), '3'],
  ['a truth', path('.status.isOn'), 'false'],
  ['a fraction', path('.status.share'), 'stop'],
  ['a list', path('.status.list'), 'stop'],
  ['a way into a text', path('.status.roleID.more'), 'stop'],
  ['nothing', path('.status.none'), 'wait'],
  ['nothing of a Secret, which nobody tells of', path('.data.none', 'Secret'), 'look'],
  ['what a Secret holds', path('.data.password', 'Secret'), 'secret'],
] as const)
  test(`a path to ${what} exports ${exported}`, () => {
    const found = exportValues(given, 'ns.name', { source: source as never, secrets: new Map() })
    assert.equal(isProblem(found) ? found.how : found.get('ns.name'), exported)
  })

const several = (
  exports: FieldExportSpec['exports'],
  { kind = 'secret', key, path: from }: { kind?: 'secret' | 'configmap'; key?: string; path?: string } = {},
): FieldExportSpec => {
  const { resource } = spec('Role', kind).from
  return {
    from: { resource, ...(from === undefined ? {} : { path: from }) },
    to: { kind, name: 'target', ...(key === undefined ? {} : { key }) },
    ...(exports === undefined ? {} : { exports }),
  }
}
const secrets = new Map([
  ['db', { metadata: { name: 'db' }, data: { user: 'YQ==' } }],
  ['empty', { metadata: { name: 'empty' } }],
  ['gone', undefined],
]) as never

for (const [what, given, expected] of [
  ['a path under the key that is named', several(undefined, { path: '.status.roleID', key: 'id' }), { id: 'AROA' }],
  ['a path under the key of the object', several(undefined, { path: '.status.roleID' }), { 'ns.name': 'AROA' }],
  [
    'a path and further ones',
    several([{ key: 'n', path: '.status.count' }], { path: '.status.roleID' }),
    { 'ns.name': 'AROA', n: '3' },
  ],
  ['a template', several([{ key: 'a', template: 'x-{{ .status.roleID }}-{{ .status.count }}' }]), { a: 'x-AROA-3' }],
  ['an empty template', several([{ key: 'a', template: '' }]), { a: '' }],
  ['a secret', several([{ key: 'a', template: '{{ secret "db" "user" }}:{{ .status.count }}' }]), { a: 'a:3' }],
] as const)
  test(`an export of ${what} writes ${JSON.stringify(expected)}`, () => {
    const found = exportValues(given, 'ns.name', { source: source as never, secrets })
    assert.ok(!isProblem(found))
    assert.deepEqual(Object.fromEntries(found), expected)
  })

for (const [what, given, how, message] of [
  ['nothing', several(undefined), 'stop', /^nothing is exported: from.path or exports is needed$/],
  [
    'a key twice',
    several([
      { key: 'a', path: '.a' },
      { key: 'b', path: '.a' },
      { key: 'a', path: '.a' },
    ]),
    'stop',
    /^the key a is exported twice$/,
  ],
  [
    'a path and a template',
    several([{ key: 'a', path: '.a', template: 'x' }]),
    'stop',
    /^the export of a needs either a path or/,
  ],
  ['neither path nor template', several([{ key: 'a' }]), 'stop', /^the export of a needs either a path or a template$/],
  ['no path', several([{ key: 'a', path: 'status' }]), 'stop', /^unable to parse path status$/],
  ['a path of 200 characters', several([{ key: 'a', path: 'x'.repeat(200) }]), 'stop', /^unable to parse path x{200}$/],
  ['a longer path', several([{ key: 'a', path: 'x'.repeat(201) }]), 'stop', /^unable to parse path x{200}… \(201 characters\)$/],
  ['no template', several([{ key: 'a', template: '{{' }]), 'stop', /^unable to parse template of a: /],
  [
    'a secret that is missing',
    several([{ key: 'a', template: '{{ secret "gone" "user" }}' }]),
    'look',
    /^the secret gone does not exist$/,
  ],
  [
    'a secret without the key',
    several([{ key: 'a', template: '{{ secret "db" "toString" }}' }]),
    'look',
    /^the secret db has no key toString$/,
  ],
  ['a secret that holds nothing', several([{ key: 'a', template: '{{ secret "empty" "x" }}' }]), 'look', /empty has no key x$/],
] as const)
  test(`an export of ${what} writes nothing, and is told`, () => {
    const found = exportValues(given, 'ns.name', { source: source as never, secrets })
    assert.ok(isProblem(found))
    assert.equal(found.how, how)
    assert.match(found.message, message)
  })

test('each secret that a manifest takes from is named once, and what is no manifest names none', () => {
  const template = '{{ secret "db" "user" }}{{ secret "db" "password" }}{{ secret "other" "x" }}{{ .status.a }}'
  assert.deepEqual(secretsOf(several([{ key: 'a', template }]), 'k'), ['db', 'other'])
  assert.deepEqual(secretsOf(several([{ key: 'a', template }, { key: 'b' }]), 'k'), [])
})

test('a template that takes from a secret is exported into Secrets only, and what cannot be read is told', () => {
  const exports = [{ key: 'a', template: '{{ secret "db" "user" }}' }]
  assert.equal(manifestProblem(several(exports), 'k'), undefined)
  assert.match(manifestProblem(several(exports, { kind: 'configmap' }), 'k')?.message ?? '', /into Secrets only$/)
  assert.match(manifestProblem(several(undefined), 'k')?.message ?? '', /^nothing is exported/)
})

test('of a Secret, only what stands in its data is decoded', () => {
  const held = { metadata: { name: 'c2VjcmV0' }, data: {} }
  const found = exportValues(path('.metadata.name', 'Secret'), 'ns.name', { source: held as never, secrets: new Map() })
  assert.ok(!isProblem(found))
  assert.equal(found.get('ns.name'), 'c2VjcmV0')
})
