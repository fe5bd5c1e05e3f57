// What the API's model does not allow, value by value; and marks that only the operator writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceKind, ServiceModel } from '#aws'
import type { AdmissionRequest } from '#runtime'
import { annotations } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'
import { list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { admit } from './admit.ts'
import { constraintProblems } from './constraints.ts'
import { admitMarks } from './marks.ts'
import { resourceValidatingConfiguration } from './webhook.ts'

const shapes: ServiceModel['shapes'] = {
  String: { type: 'string' },
  Name: { type: 'string', min: 2, max: 4, pattern: '^[a-z]*$' },
  Class: { type: 'string', enum: ['ONE', 'TWO'] },
  Many: { type: 'string', enum: Array.from({ length: 13 }, (_, index) => `W${index + 1}`) },
  Strange: { type: 'string', pattern: '(?<x' },
  Slow: { type: 'string', pattern: '^(a+)+$' },
  Count: { type: 'integer', min: 1, max: 3 },
  Names: { type: 'list', member: { target: 'Name' }, min: 1, max: 2 },
  Map: { type: 'map', key: { target: 'String' }, value: { target: 'Name' } },
  Part: { type: 'structure', required: [], members: { Name: { target: 'Name' }, Part: { target: 'Part' } } },
  Choice: { type: 'union', required: [], members: { Name: { target: 'Name' } } },
  Wrapped: { type: 'structure', required: [], members: { Name: { target: 'Name' } } },
}
const members = {
  Text: 'String',
  Name: 'Name',
  Class: 'Class',
  Many: 'Many',
  Strange: 'Strange',
  Slow: 'Slow',
  Count: 'Count',
  Names: 'Names',
  Map: 'Map',
  Part: 'Part',
  Choice: 'Choice',
  Lost: 'Nothing',
  Unasked: 'Name',
}
const spec = {
  ...Object.fromEntries(['Text', 'Name', 'Class', 'Many', 'Strange', 'Slow', 'Lost'].map(name => [name, 'string' as const])),
  Count: 'integer',
  Names: list('string'),
  Map: map('string'),
  Part: structure('Part'),
  Choice: structure('Choice'),
} as const
const part = { Name: 'string', Part: structure('Part'), Ours: { wire: undefined }, ToString: { wire: 'toString' } } as const

function modelOf(input: Readonly<Record<string, string>>, bindings: ResourceKind['bindings'] = {}): KindModel {
  const structures = { Part: part, Choice: { Name: 'string' } } as const
  return madeUpKind({ spec, structures, bindings, inputs: { CreateThing: input }, shapes })
}
const model = modelOf(members)

const rows: readonly (readonly [what: string, spec: object, problems: readonly string[]])[] = [
  ['nothing', {}, []],
  ['no value', { name: null, names: undefined }, []],
  ['the shortest text', { name: 'ab' }, []],
  ['the longest text', { name: 'abcd' }, []],
  ['too short a text', { name: 'a' }, ['spec.name: 1 characters are fewer than 2']],
  ['too long a text', { name: 'abcde' }, ['spec.name: 5 characters are more than 4']],
  [
    'a text whose characters are counted, not their halves',
    { name: '\u{1f600}\u{1f600}\u{1f600}' },
    ['spec.name: "\u{1f600}\u{1f600}\u{1f600}" does not match ^[a-z]*$'],
  ],
  ['a text of other characters', { name: 'AB' }, ['spec.name: "AB" does not match ^[a-z]*$']],
  ['a word of a closed list', { class: 'TWO' }, []],
  ['another word', { class: 'x'.repeat(61) }, [`spec.class: "${'x'.repeat(60)}" is none of ONE, TWO`]],
  ['a word of none of many', { many: 'x' }, ['spec.many: "x" is none of W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12']],
  ['too short a text of other characters', { name: 'A' }, ['spec.name: 1 characters are fewer than 2']],
  ['a pattern of another dialect', { strange: 'x' }, []],
  ['a pattern that could be slow', { slow: 'b' }, []],
  ['any text', { text: '' }, []],
  ['the least number', { count: 1 }, []],
  ['the greatest number', { count: 3 }, []],
  ['too small a number', { count: 0 }, ['spec.count: 0 are fewer than 1']],
  ['too great a number', { count: 4 }, ['spec.count: 4 are more than 3']],
  ['an empty list', { names: [] }, ['spec.names: 0 elements are fewer than 1']],
  ['a list with a wrong text', { names: ['ab', 'x'] }, ['spec.names[1]: 1 characters are fewer than 2']],
  ['a map with a wrong text', { map: { a: 'ab', b: 'x' } }, ['spec.map.b: 1 characters are fewer than 2']],
  [
    'a structure with a wrong text',
    { part: { name: 'x', ours: 'x', toString: 'x' } },
    ['spec.part.name: 1 characters are fewer than 2'],
  ],
  ['a structure within one', { part: { part: { name: 'x' } } }, ['spec.part.part.name: 1 characters are fewer than 2']],
  ['a choice with a wrong text', { choice: { name: 'x' } }, ['spec.choice.name: 1 characters are fewer than 2']],
  ['what is of another kind than it should be', { name: ['x'], names: 'x', map: ['x'], part: 'x', class: {} }, []],
  ['what the model does not know', { lost: 'x', other: 'x', unasked: 'x' }, []],
]

for (const [what, given, problems] of rows)
  test(`a manifest with ${what} has ${problems.length} problems`, () =>
    assert.deepEqual(constraintProblems(model, given as never), problems))

test('texts that are too long for patterns are not matched', () => {
  const long = modelOf({ Text: 'Long' })
  ;(long.service.model.shapes as Record<string, unknown>)['Long'] = { type: 'string', pattern: '^a$' }
  const count = (length: number): number => constraintProblems(long, { text: 'x'.repeat(length) }).length
  assert.deepEqual([count(1_024), count(1_025)], [1, 0])
  assert.deepEqual(constraintProblems(long, { text: 'x'.repeat(61) }), [`spec.text: "${'x'.repeat(60)}" does not match ^a$`])
})

test('of many problems twelve are told', () => {
  assert.equal(
    constraintProblems(model, { map: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 'x'])) }).length,
    12,
  )
})

test('where the call has a structure around its members, those are meant', () => {
  const wrapped = modelOf({ Config: 'Wrapped', Name: 'Class' }, { CreateThing: { inputWrapper: 'config' } })
  assert.deepEqual(constraintProblems(wrapped, { name: 'x' }), ['spec.name: 1 characters are fewer than 2'])
  assert.deepEqual(constraintProblems(modelOf({ Config: 'Wrapped', Name: 'Class' }), { name: 'x' }), [
    'spec.name: "x" is none of ONE, TWO',
  ])
})

const resource = { group: 'madeup.services.k8s.aws', version: 'v1', resource: 'things' }
const thing = (given: unknown, metadata: object = {}): object => ({
  apiVersion: 'madeup.services.k8s.aws/v1',
  kind: 'Thing',
  metadata,
  spec: given,
})
const ask = (more: object): AdmissionRequest =>
  ({ uid: 'u', resource, operation: 'UPDATE', ...more }) as unknown as AdmissionRequest
const wrong = { name: 'x' }

for (const [what, request, kind] of [
  ['a wrong value', ask({ object: thing(wrong) }), 'deny'],
  ['a wrong value that was there', ask({ object: thing(wrong), oldObject: thing(wrong) }), 'allow'],
  ['a wrong value beside one that was there', ask({ object: thing({ ...wrong, count: 9 }), oldObject: thing(wrong) }), 'deny'],
  ['a wrong value of what goes', ask({ object: thing(wrong, { deletionTimestamp: 'now' }) }), 'allow'],
  ['no spec', ask({ object: thing('x') }), 'allow'],
  ['a wrong value in the status', ask({ object: thing(wrong), subResource: 'status' }), 'allow'],
  ['a wrong value of another group', ask({ object: thing(wrong), resource: { ...resource, group: 'y' } }), 'allow'],
  ['a wrong value of another kind', ask({ object: thing(wrong), resource: { ...resource, resource: 'others' } }), 'allow'],
  ['a deletion', ask({ operation: 'DELETE', oldObject: thing({}) }), 'allow'],
  [
    'a deletion of what is protected',
    ask({ operation: 'DELETE', oldObject: thing({}, { annotations: { [annotations.deletionProtection]: 'TRUE' } }) }),
    'deny',
  ],
  [
    'a deletion of what is not',
    ask({ operation: 'DELETE', oldObject: thing({}, { annotations: { [annotations.deletionProtection]: 'false' } }) }),
    'allow',
  ],
] as const)
  test(`a request with ${what} is ${kind === 'deny' ? 'denied' : 'let through'} [9.9, 9.11]`, () =>
    assert.equal(admit(request, [model], 'deny').kind, kind))

test('where AWS’s refusals are only told, they are warnings; where they are denied, they are so as by a schema', () => {
  const request = ask({ object: thing({ ...wrong, count: 9 }) })
  const problems = ['spec.name: 1 characters are fewer than 2', 'spec.count: 9 are more than 3']
  assert.deepEqual(admit(request, [model], 'warn'), {
    kind: 'allow',
    warnings: problems.map(each => `AWS will refuse this: ${each}`),
  })
  assert.deepEqual(admit(request, [model], 'deny'), { kind: 'deny', code: 422, reason: 'Invalid', message: problems.join('; ') })
  const protectedOne = thing({}, { annotations: { [annotations.deletionProtection]: 'true' } })
  const nameless = admit(ask({ operation: 'DELETE', oldObject: protectedOne }), [model], 'warn')
  assert.match(nameless.kind === 'deny' ? nameless.message : '', /^Thing \/ is protected: /)
})

const [finalizers, note] = [['other', model.finalizer], { [annotations.adopted]: 'true' }]

for (const [what, request, denied] of [
  ['our finalizer', { object: thing({}, { finalizers }) }, `the finalizer ${model.finalizer}`],
  ['our finalizer, which it had', { object: thing({}, { finalizers }), oldObject: thing({}, { finalizers }) }, undefined],
  ['other finalizers', { object: thing({}, { finalizers: ['other'] }) }, undefined],
  ['finalizers that are none', { object: thing({}, { finalizers: model.finalizer }) }, undefined],
  ['our note', { object: thing({}, { annotations: note }) }, annotations.adopted],
  [
    'our note, which it had',
    { object: thing({}, { annotations: note }), oldObject: thing({}, { annotations: note }) },
    undefined,
  ],
  [
    'another note than it had',
    { object: thing({}, { annotations: note }), oldObject: thing({}, { annotations: { [annotations.adopted]: 'x' } }) },
    annotations.adopted,
  ],
  ['a note less', { object: thing({}), oldObject: thing({}, { annotations: note }) }, undefined],
  [
    'both',
    { object: thing({}, { finalizers, annotations: note }), oldObject: null },
    `the finalizer ${model.finalizer}, ${annotations.adopted}`,
  ],
  ['our note in the status', { object: thing({}, { annotations: note }), subResource: 'status' }, undefined],
  ['our note of another kind', { object: { ...thing({}, { annotations: note }), kind: 'Other' } }, undefined],
  ['our note of another group', { object: { ...thing({}, { annotations: note }), apiVersion: 'x.services/v1' } }, undefined],
  ['nothing', { object: null }, undefined],
] as const)
  test(`an object that comes with ${what} is ${denied === undefined ? 'let through' : 'denied'}`, () => {
    const answer = admitMarks(ask(request), [model])
    if (denied === undefined) assert.deepEqual(answer, { kind: 'allow' })
    else assert.deepEqual(answer, { kind: 'deny', message: `${denied}: written by the operator alone; leave it out` })
  })

interface Hook {
  readonly name: string
  readonly failurePolicy: string
  readonly rules: readonly {
    readonly apiGroups: unknown
    readonly apiVersions: unknown
    readonly operations: unknown
    readonly resources: unknown
  }[]
  readonly matchConditions?: readonly { readonly name: string }[]
}

test('the API server asks about the kinds of each group, and of what we write ourselves only where it knows who we are', () => {
  const hooks = (more: object): readonly Hook[] => {
    const place = { name: 'r', service: { namespace: 'n', name: 's' }, ...more }
    const chosen = { services: ['iam', 'eks'], kinds: ['Role', 'Policy', 'Cluster'] }
    return resourceValidatingConfiguration(chosen, place).webhooks as readonly Hook[]
  }
  const [byAnybody, byOthers] = [hooks({}), hooks({ operatorUser: 'us' })]
  assert.deepEqual(
    [byAnybody, byOthers].map(each =>
      each.map(({ name, failurePolicy, matchConditions = [] }) => [name.split('.')[0], failurePolicy, matchConditions.length]),
    ),
    [
      [
        ['protected', 'Fail', 1],
        ['values', 'Ignore', 0],
      ],
      [
        ['protected', 'Fail', 1],
        ['values', 'Ignore', 1],
        ['marks', 'Ignore', 1],
      ],
    ],
  )
  assert.deepEqual(
    byAnybody[0]?.rules.map(({ apiGroups, apiVersions, operations, resources }) => [
      apiGroups,
      apiVersions,
      operations,
      resources,
    ]),
    [
      [['iam.services.k8s.aws'], ['v1alpha1'], ['DELETE'], ['policies', 'roles']],
      [['eks.services.k8s.aws'], ['v1alpha1'], ['DELETE'], ['clusters']],
    ],
  )
})
