import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const [needs, likes] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution']
const schedulingGates = [{ name: 'g' }]

function pod(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }], ...spec } }
}

const term = (...keys: string[]): JsonObject => ({ matchExpressions: keys.map(key => ({ key, operator: 'Exists' })) })
const nodes = (...terms: JsonObject[]): JsonObject => ({ nodeAffinity: { [needs]: { nodeSelectorTerms: terms } } })
const liked: JsonObject = { nodeAffinity: { [likes]: [{ weight: 1, preference: term('p') }] } }
const named = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['x'] }] }

const at = `spec.affinity.nodeAffinity.${needs}.nodeSelectorTerms`
const shown = (...keys: string[]): string =>
  `{"MatchExpressions":[${keys.map(key => `{"Key":"${key}","Operator":"Exists","Values":null}`).join(',')}],"MatchFields":null}`
const fewer = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
const wider = 'only additions are allowed (no mutations or deletions)'
const selected = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'

const rows: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['a label of nodes', {}, { nodeSelector: { a: 'b' } }],
  ['one more label of nodes', { nodeSelector: { a: 'b' } }, { nodeSelector: { a: 'b', c: 'd' } }],
  [
    'another value of a label',
    { nodeSelector: { a: 'b' } },
    { nodeSelector: { a: 'c' } },
    `spec.nodeSelector: Invalid value: {"a":"c"}: ${selected}`,
  ],
  ['no label any more', { nodeSelector: { a: 'b' } }, {}, `spec.nodeSelector: Invalid value: null: ${selected}`],
  ['nodes', {}, { affinity: nodes(term('a')) }],
  ['no nodes in particular', {}, { affinity: { nodeAffinity: {} } }],
  ['nodes beside those that it likes', { affinity: liked }, { affinity: nodes(term('a')) }],
  ['no nodes that it likes any more', { affinity: liked }, {}],
  ['nodes that it likes', { affinity: nodes(term('a')) }, { affinity: nodes(term('a')), ...liked }],
  ['no nodes that it needs any more', { affinity: nodes(term('a')) }, {}, `${at}: Invalid value: null: ${fewer}`],
  [
    'one alternative more',
    { affinity: nodes(term('a')) },
    { affinity: nodes(term('a'), term('b')) },
    `${at}: Invalid value: [${shown('a')},${shown('b')}]: ${fewer}`,
  ],
  [
    'one alternative less',
    { affinity: nodes(term('a'), term('b')) },
    { affinity: nodes(term('a')) },
    `${at}: Invalid value: [${shown('a')}]: ${fewer}`,
  ],
  ['one requirement more', { affinity: nodes(term('a')) }, { affinity: nodes(term('a', 'b')) }],
  ['the name of a node', { affinity: nodes(term('a')) }, { affinity: nodes({ ...term('a'), ...named }) }],
  [
    'one requirement more before another',
    { affinity: nodes(term('a')) },
    { affinity: nodes(term('b', 'a')) },
    `${at}[0]: Invalid value: ${shown('b', 'a')}: ${wider}`,
  ],
  [
    'another requirement of one of two',
    { affinity: nodes(term('a'), term('b')) },
    { affinity: nodes(term('a', 'q'), term('c')) },
    `${at}[1]: Invalid value: ${shown('c')}: ${wider}`,
  ],
  [
    'all of it',
    { nodeSelector: { a: 'b' }, affinity: nodes(term('a')) },
    { nodeSelector: {}, affinity: nodes(term('b')), schedulingGates: [...schedulingGates, { name: 'z' }] },
    "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'z'",
    `spec.nodeSelector: Invalid value: null: ${selected}`,
    `${at}[0]: Invalid value: ${shown('b')}: ${wider}`,
  ],
]

for (const [what, before, now, ...told] of rows)
  test(`that a Pod behind a gate gets ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const old = pod({ schedulingGates, ...before })
    assert.deepEqual(refusals(pod({ schedulingGates, ...now }), { old }), told)
    const { schedulingGates: _gates, ...open } = now
    assert.equal(refusals(pod(open), { old }).length, told.filter(line => !line.startsWith('spec.schedulingGates')).length)
  })

/** The lines that are no longer there, and those that are now. */
const fixed: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...lines: string[]])[] = [
  [
    'an empty affinity',
    {},
    { affinity: {} },
    '- "Affinity": null,',
    '+ "Affinity": {',
    '+  "NodeAffinity": null,',
    '+  "PodAffinity": null,',
    '+  "PodAntiAffinity": null',
    '+ },',
  ],
  [
    'no empty affinity any more',
    { affinity: {} },
    {},
    '- "Affinity": {',
    '-  "NodeAffinity": null,',
    '-  "PodAffinity": null,',
    '-  "PodAntiAffinity": null',
    '- },',
    '+ "Affinity": null,',
  ],
  [
    'another host, and nodes',
    { hostname: 'a' },
    { hostname: 'b', affinity: nodes(term('a')) },
    '- "Hostname": "a",',
    '+ "Hostname": "b",',
  ],
  [
    'nearness to pods, and nodes',
    { affinity: { podAffinity: {} } },
    { affinity: nodes(term('a')) },
    '-  "PodAffinity": {',
    '-   "RequiredDuringSchedulingIgnoredDuringExecution": null,',
    '-   "PreferredDuringSchedulingIgnoredDuringExecution": null',
    '-  },',
    '+  "PodAffinity": null,',
  ],
]

for (const [what, before, now, ...lines] of fixed)
  test(`that a Pod behind a gate gets ${what} is refused, and the nodes are no change`, () => {
    const [told = ''] = refusals(pod({ schedulingGates, ...now }), { old: pod({ schedulingGates, ...before }) })
    assert.deepEqual(
      told.split('\n').filter(line => /^[-+]/.test(line)),
      lines,
    )
  })

test('where a Pod runs that no gate holds back is fixed', () => {
  const told = refusals(pod({ nodeSelector: { a: 'b' } }), { old: pod({}) })
  assert.equal(told.length, 1)
  assert.ok(told[0]?.includes('- "NodeSelector": null,\n+ "NodeSelector": {\n+  "a": "b"\n+ },\n'), told[0])
})
