// What is sent for what differs, by which call, and what is said of what cannot be sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions } from '../api.ts'
import type { Deviation, PlannedCall, SyncContext } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import { type KindMadeUp, list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { type Circumstances, situationOf } from '../testing/situation.ts'
import { planUpdate, type Update } from './plan-update.ts'

const arn = 'arn:aws:madeup:eu-west-1:111122223333:thing/one'
const parts: KindMadeUp = {
  operations: { create: 'CreateThing', readOne: 'DescribeThing', update: 'UpdateThing' },
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  untold: ['Token', 'Hidden', 'Login.Password'],
  parts: [
    { operation: 'PutRule', fields: [{ field: 'Rule', member: 'Rule' }], remove: 'DeleteRule' },
    { operation: 'PutToken', fields: [{ field: 'Token', member: 'Token' }], remove: 'DeleteToken' },
  ],
  subResources: [{ field: 'Names', list: 'ListNames', entries: 'Names', put: 'PutName', delete: 'DeleteName', key: 'Name' }],
  spec: {
    Name: 'string',
    Size: 'integer',
    Note: 'string',
    Odd: 'string',
    Left: { compare: { ignored: true } },
    Fixed: 'string',
    Owned: 'string',
    Tags: map('string'),
    Rule: 'string',
    Token: 'string',
    Hidden: 'string',
    Names: list('string'),
    Ports: list(structure('Port')),
    Login: structure('Login'),
    Password: 'secret',
  },
  structures: { Port: { From: 'integer' }, Login: { User: 'string', Password: 'string' } },
  inputs: {
    UpdateThing: { Size: 'Integer', Note: 'String', Hidden: 'String', Login: 'Login', Password: 'String' },
    TagResource: { ResourceArn: 'String', Tags: 'TagMap' },
    UntagResource: { ResourceArn: 'String', TagKeys: 'Strings' },
    PutRule: { Rule: 'String' },
    PutToken: { Token: 'String' },
    DeleteRule: {},
    DeleteToken: {},
    PutName: { Name: 'String' },
    DeleteName: { Name: 'String' },
  },
  required: { UpdateThing: ['Name'] },
  shapes: {
    TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
    Strings: { type: 'list', member: { target: 'String' } },
    Login: structureShape({ User: 'String', Password: 'String' }),
  },
}
const kind = madeUpKind(parts)

interface Case extends Circumstances {
  /** What AWS has, beside the name. */
  readonly latest?: object
}

function planned({ spec, latest, seen, ...more }: Case): Update {
  const wanted = { spec: { name: 'one', ...spec }, status: {}, arn }
  const situation = situationOf({ model: kind, deviation: {}, ...more, spec: { ...spec }, seen: { wanted, ...seen } })
  return planUpdate(situation, { spec: { name: 'one', ...latest }, status: {}, arn })
}

function sent(of: Case): Extract<Update, { readonly kind: 'calls' }> {
  const update = planned(of)
  assert.ok(update.kind === 'calls')
  return update
}

const operations = (of: Case): readonly string[] => sent(of).calls.map(({ operation }) => operation)
const inAnotherOrder: Case = { spec: { ports: [{ from: 1 }, { from: 2 }] }, latest: { ports: [{ from: 2 }, { from: 1 }] } }
const resized: Case = { spec: { size: 2 }, latest: { size: 1 } }
const unchangeable: Deviation = { unchangeable: ['Fixed', 'Name'], unchangeableOf: () => ['Owned'] }
const noApi = 'no API changes Spec.Fixed; make a new object instead'

test('what no API changes is refused, and nothing else is said of it [6.4]', () => {
  const of = { deviation: unchangeable, latest: { fixed: 'was' } }
  assert.deepEqual(planned({ ...of, spec: { fixed: 'is' } }), { kind: 'refused', message: noApi, hasOwnChoices: false })
  assert.deepEqual(planned({ ...of, spec: {} }), { kind: 'in-step', advisories: [], staying: [], hasOwnChoices: false })
  assert.deepEqual(
    planned({ ...of, spec: { fixed: 'is', owned: 'is' }, latest: { fixed: 'was', owned: 'was' } }),
    { kind: 'refused', message: noApi.replace('Spec.Fixed', 'Spec.Fixed, Spec.Owned'), hasOwnChoices: false },
    'nor what depends on how it was made',
  )
})

test('what can be changed is sent first, with what cannot be beside it [6.4]', () => {
  const of: Case = {
    deviation: unchangeable,
    spec: { ...resized.spec, ...inAnotherOrder.spec, odd: 'is', fixed: 'is' },
    latest: { ...resized.latest, ...inAnotherOrder.latest, odd: 'was', fixed: 'was' },
  }
  const update = sent(of)
  assert.deepEqual([update.paths, update.sent], [['Spec.Odd', 'Spec.Ports', 'Spec.Size'], ['Spec.Size']])
  assert.equal(update.refused, `${noApi}; UpdateThing does not change Spec.Odd`)
  assert.equal(sent({ ...resized, deviation: unchangeable }).refused, undefined)
  assert.deepEqual(Object.keys(sent(resized)), ['kind', 'calls', 'hash', 'paths', 'sent'])
  assert.equal(
    sent({ spec: { size: 2, odd: 'is' }, latest: { size: 1, odd: 'was' } }).refused,
    'UpdateThing does not change Spec.Odd',
  )
})

test('what is refused says whether AWS chose something beside it [6.4]', () => {
  const refused = { kind: 'refused', message: 'UpdateThing does not change Spec.Odd' }
  assert.deepEqual(planned({ spec: { odd: 'is' }, latest: { odd: 'was' } }), { ...refused, hasOwnChoices: false })
  assert.deepEqual(planned({ spec: { odd: 'is' }, latest: { odd: 'was', size: 3 } }), { ...refused, hasOwnChoices: true })
})

test('what nothing sends is told where the manifest speaks of it, and an own choice of AWS is known as one [6.4]', () => {
  const inStep = { kind: 'in-step', advisories: [], staying: [], hasOwnChoices: false }
  assert.deepEqual(planned({}), inStep)
  assert.deepEqual(planned({ latest: { size: 3 } }), { ...inStep, hasOwnChoices: true })
  assert.deepEqual(planned({ spec: { left: 'is' }, latest: { left: 'was' } }), { ...inStep, left: ['Spec.Left'] })
  const ordered = { type: conditions.advisory, status: 'True', reason: 'PersistentDiff' }
  const advisories = [{ ...ordered, message: 'AWS keeps its own order of Spec.Ports' }]
  assert.deepEqual(planned(inAnotherOrder), { ...inStep, advisories })
  assert.deepEqual(planned({ ...inAnotherOrder, latest: { ...inAnotherOrder.latest, size: 3 } }), {
    ...inStep,
    advisories,
    hasOwnChoices: true,
  })
})

const onRecord = (prints: object): object => ({
  conditions: [
    { type: conditions.sent, status: 'True', reason: 'Sent', message: JSON.stringify(prints), lastTransitionTime: '' },
  ],
})

test('what no read tells is sent with what differs, unless it goes out with the field around it [6.4]', () => {
  const login = { user: 'u', password: 'p' }
  const status = onRecord({ 'Login.Password': 'old', Hidden: 'old' })
  const of = { status, spec: { size: 2, hidden: 'is', login } }
  assert.deepEqual(sent({ ...of, latest: { size: 1, hidden: 'is', login: { user: 'u' } } }).paths, [
    'Spec.Size',
    'Spec.Hidden',
    'Spec.Login.Password',
  ])
  assert.deepEqual(sent({ ...of, latest: { size: 1, hidden: 'is' } }).paths, ['Spec.Login', 'Spec.Size', 'Spec.Hidden'])
})

test('each path goes by the first that has a call for it [6.4]', () => {
  const differing: Case = {
    spec: { size: 2, owned: 'is', odd: 'is', tags: { a: '1' }, rule: 'is', names: ['x'] },
    latest: { size: 1, owned: 'was', odd: 'was', tags: { b: '2' }, rule: 'was', names: [] },
  }
  const asked: SyncContext[] = []
  const own: PlannedCall = { operation: 'OwnCall', input: {}, verb: 'UPDATE' }
  const deviation: Deviation = {
    own: ['Owned', 'Odd', 'Fixed'],
    sync: context => {
      asked.push(context)
      return [own]
    },
  }
  const all = ['OwnCall', 'UntagResource', 'TagResource', 'PutRule', 'PutName', 'UpdateThing']
  assert.deepEqual(operations({ ...differing, deviation }), all)
  assert.equal(sent({ ...differing, deviation }).refused, undefined)
  assert.deepEqual(
    asked.map(({ isNew }) => isNew),
    [false, false],
  )
  assert.deepEqual(operations({ ...resized, deviation }), ['UpdateThing'], 'none of the own fields differs')
  assert.deepEqual(operations({ spec: { owned: 'is' }, latest: { owned: 'was' }, deviation }), ['OwnCall'])
  const ofTags = { spec: { tags: { a: '1' } }, latest: { tags: {} } }
  assert.deepEqual(operations(ofTags), ['TagResource'])
  assert.deepEqual(operations({ ...ofTags, deviation: { ...deviation, own: ['Tags'] } }), ['OwnCall'])
})

test('tags go with the update where a service has no operations for them, or are refused [6.4]', () => {
  const { TagResource: _tag, UntagResource: _untag, ...inputs } = parts.inputs ?? {}
  const without = (update: Readonly<Record<string, string>>): KindModel =>
    madeUpKind({ ...parts, inputs: { ...inputs, UpdateThing: { ...inputs['UpdateThing'], ...update } } })
  const of = { spec: { tags: { a: '1' } }, latest: { tags: {} } }
  assert.deepEqual(operations({ ...of, model: without({ Tags: 'TagMap' }) }), ['UpdateThing'])
  assert.deepEqual(planned({ ...of, model: without({}) }), {
    kind: 'refused',
    message: 'UpdateThing does not change Spec.Tags',
    hasOwnChoices: false,
  })
  const untagged = madeUpKind({ ...parts, settings: {} })
  assert.deepEqual(operations({ ...resized, model: untagged }), ['UpdateThing'])
})

const secrets = (hash: string | undefined) => ({ kind: 'read', spec: {}, hash }) as const
/** A Secret whose hash was another one when it was sent. */
const named = { password: { name: 's', key: 'k' } }
const withSecret = (hash: string | undefined, held: string | undefined, more: Case = {}): Case => ({
  ...more,
  spec: { ...named, ...more.spec },
  annotations: held === undefined ? {} : { [annotations.secretHash]: held },
  seen: {
    secrets: secrets(hash),
    wanted: { spec: { name: 'one', ...more.spec, password: 'text' }, status: {}, arn },
    ...more.seen,
  },
})

test('a Secret that changed is sent, and its hash is noted with the call [6.4]', () => {
  const update = sent(withSecret('new', 'old'))
  assert.deepEqual([update.paths, update.secretHash], [['Spec.Password'], 'new'])
  assert.equal(update.calls[0]?.input['Password'], 'text')
  const kinds = [withSecret('new', 'new'), withSecret('new', undefined), withSecret(undefined, 'old')].map(
    each => planned(each).kind,
  )
  assert.deepEqual(kinds, ['in-step', 'in-step', 'in-step'])
  assert.equal(
    planned(withSecret('new', 'old', { seen: { secrets: { kind: 'unusable', message: 'm' } } })).kind,
    'in-step',
    'nobody knows what it holds',
  )
})

test('an update is known again by what differs, what is wished there, and the Secrets in it [6.4]', () => {
  const hash = (of: Case): string => sent(of).hash
  assert.match(hash(resized), /^[0-9a-f]{12}$/)
  assert.equal(hash(resized), hash({ ...resized, latest: { size: 5 } }))
  assert.notEqual(hash(resized), hash({ ...resized, spec: { size: 3 } }))
  assert.notEqual(hash(resized), hash({ spec: { size: 2, note: 'is' }, latest: { size: 1, note: 'was' } }))
  assert.notEqual(hash(withSecret('new', 'old')), hash(withSecret('newer', 'old')))
  const other = (secretHash: string): string => hash(withSecret(secretHash, secretHash, resized))
  assert.equal(other('one'), other('two'), 'no Secret is in it')
})

const before = (of: Case, more: object = {}): Case => ({
  ...of,
  seen: { ...of.seen, notes: { update: { hash: sent(of).hash, sent: 2, lastMs: 0, row: 1, generation: 1, ...more } } },
})

test('an update that made no difference twice is not sent a third time, by whichever process [6.4]', () => {
  const message = `AWS keeps its own value of Spec.Size although it was updated twice (wish ${sent(resized).hash})`
  const advisory = { type: conditions.advisory, status: 'True', reason: 'PersistentDiff', message } as const
  const kept = {
    kind: 'in-step',
    advisories: [advisory],
    staying: ['Spec.Size'],
    kept: 'AWS keeps its own value of Spec.Size',
  }
  assert.deepEqual(planned(before(resized)), kept)
  assert.equal(planned(before(resized, { sent: 1 })).kind, 'calls')
  assert.equal(planned(before(resized, { hash: 'other' })).kind, 'calls')
  const told = (text: string): Update =>
    planned({ ...resized, status: { conditions: [{ ...advisory, message: text, lastTransitionTime: '' }] } })
  assert.deepEqual(told(`something else; ${message}`), kept)
  assert.equal(told('something else').kind, 'calls')
})

test('of what AWS keeps, only what the manifest says otherwise is called not carried out [6.4]', () => {
  const of: Case = {
    spec: { ...resized.spec, ...inAnotherOrder.spec },
    latest: { ...resized.latest, ...inAnotherOrder.latest, note: 'own' },
  }
  const update = planned(before(of))
  assert.ok(update.kind === 'in-step')
  assert.equal(update.kept, 'AWS keeps its own value of Spec.Size')
  assert.deepEqual(update.staying, ['Spec.Note', 'Spec.Ports', 'Spec.Size'])
  const unspoken = planned(before({ ...resized, metadata: { generation: 2 }, spec: {}, latest: { rule: 'own' } }))
  assert.ok(unspoken.kind === 'in-step')
  assert.deepEqual([unspoken.kept, unspoken.staying], [undefined, ['Spec.Rule']])
})

test('what stays in AWS is named once, be it that it is told by nobody or that it differs [6.4]', () => {
  const status = onRecord({ Token: 'x', Hidden: 'y' })
  const update = planned(before({ status }))
  assert.ok(update.kind === 'in-step')
  assert.deepEqual(update.staying, ['Spec.Token', 'Spec.Hidden'])
  assert.equal(update.advisories.length, 2)
})
