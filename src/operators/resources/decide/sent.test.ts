// Fields that no read tells: what is on record of them before and after a call, which are sent again, and what is said of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { conditions } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import { parseRecord } from '../model/convert.ts'
import { type KindMadeUp, list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { type Circumstances, claimOf, situationOf } from '../testing/situation.ts'
import { changedSince, choicesNote, noteAfter, noteAtCreate, noteBefore, sentAndGone, takenNote, untoldSaid } from './sent.ts'

const parts: KindMadeUp = {
  operations: { create: 'CreateThing', readOne: 'DescribeThing', update: 'UpdateThing' },
  untold: ['Password', 'Login.Password', 'Token', 'Idle', 'OnlyMade'],
  makings: [{ operation: 'RestoreThing', fields: ['Snapshot'] }],
  parts: [
    { operation: 'PutToken', fields: [{ field: 'Token', member: 'Token' }], remove: 'DeleteToken' },
    { operation: 'PutRule', fields: [{ field: 'Rule', member: 'Rule' }], remove: 'DeleteRule' },
    { operation: 'PutKept', fields: [{ field: 'Kept', member: 'Kept' }] },
  ],
  subResources: [{ field: 'Names', list: 'ListNames', entries: 'Names', put: 'PutName', delete: 'DeleteName', key: 'Name' }],
  spec: {
    Name: 'string',
    Password: 'string',
    Login: structure('Login'),
    Token: 'string',
    Idle: 'string',
    OnlyMade: 'string',
    Rule: 'string',
    Kept: 'string',
    Names: list('string'),
    Snapshot: 'string',
  },
  structures: { Login: { User: 'string', Password: 'string' } },
  inputs: {
    CreateThing: { Name: 'String', Password: 'String', Login: 'Login', OnlyMade: 'String' },
    RestoreThing: { Name: 'String', Snapshot: 'String' },
    UpdateThing: { Password: 'String', Login: 'Login' },
    PutToken: { Token: 'String' },
    PutRule: { Rule: 'String' },
    PutKept: { Kept: 'String' },
  },
  outputs: { DescribeThing: { Name: 'String' } },
  shapes: { Login: structureShape({ User: 'String', Password: 'String' }) },
}
const model = madeUpKind(parts)

/** A claim whose record says this. */
function situation(spec: object, sent?: object, more: Circumstances = {}) {
  const said =
    sent === undefined ? [] : [{ type: conditions.sent, status: 'True', reason: 'Sent', message: JSON.stringify(sent) }]
  return situationOf({ model, spec, status: { conditions: said }, ...more })
}

const recordIn = (condition: Condition | undefined): object | undefined =>
  condition === undefined ? undefined : parseRecord(condition.message)
const printed = (spec: object): Readonly<Record<string, string>> => recordIn(noteAtCreate(situation(spec))) as never
const login = { user: 'u', password: 'l' }
const { Password: p = '', 'Login.Password': l = '', OnlyMade: o = '' } = printed({ password: 'p', login, onlyMade: 'o' })

test('before a create call it is on record what that call carries, and that it carries nothing', () => {
  assert.match(p, /^[0-9a-f]{8}$/)
  assert.deepEqual(printed({ password: 'p', login, token: 't', rule: 'r', idle: 'i' }), { Password: p, 'Login.Password': l })
  assert.deepEqual(printed({}), {})
  assert.deepEqual(printed({ password: 'p', snapshot: 's' }), {}, 'another operation makes it')
  assert.notEqual(printed({ password: 'q' })['Password'], p)
  assert.equal(noteAtCreate(situationOf({ model: madeUpKind({}) })), undefined)
})

test('where code of the kind reads or looks after a field, nothing is on record of it', () => {
  const untold = { ...parts, parts: [], subResources: [] }
  const recorded = (deviation: Deviation, of = untold): object | undefined =>
    recordIn(noteAtCreate(situation({ password: 'p' }, undefined, { model: madeUpKind(of), deviation })))
  assert.deepEqual(recorded({}), { Password: p })
  assert.equal(recorded({ read: async () => undefined }), undefined)
  assert.equal(recorded({ readMore: async (_, found) => found }), undefined)
  assert.deepEqual(recorded({ own: ['Password'] }), {})
  assert.equal(recorded({ own: ['Password', 'Rule', 'Names', 'Kept', 'Token', 'Idle', 'Login', 'OnlyMade'] }), undefined)
})

test('before the first call that carries a field it is on record that it may have gone out', () => {
  const before = (spec: object, paths: readonly string[], sent?: object): object | undefined =>
    recordIn(noteBefore(situation(spec, sent), paths))
  assert.deepEqual(before({ rule: 'r' }, ['Spec.Rule']), { Rule: '' })
  assert.deepEqual(before({ rule: 'r', names: ['n'] }, ['Spec.Names'], { Password: p }), { Password: p, Names: '' })
  assert.equal(before({ rule: 'r' }, ['Spec.Rule'], { Rule: 'x' }), undefined)
  assert.equal(before({}, ['Spec.Rule']), undefined)
  assert.equal(before({ rule: 'r' }, ['Spec.Name']), undefined)
  assert.equal(before({ kept: 'k' }, ['Spec.Kept']), undefined, 'nothing takes it away again')
})

test('after a call it is on record what it carried, and no more what it took away', () => {
  const after = (spec: object, paths: readonly string[], sent?: object): object | undefined =>
    recordIn(noteAfter(situation(spec, sent), paths))
  assert.deepEqual(after({ password: 'p' }, ['Spec.Password']), { Password: p })
  assert.deepEqual(after({ login }, ['Spec.Login.User', 'Spec.Name'], { Password: 'x' }), { Password: 'x', 'Login.Password': l })
  assert.deepEqual(after({}, ['Spec.Rule'], { Rule: 'x', Names: 'y' }), { Names: 'y' })
  assert.equal(after({ password: 'p' }, ['Spec.Name']), undefined)
  assert.equal(after({ password: 'p' }, ['Spec.Password'], { Password: p }), undefined, 'it stands there')
})

test('what is within a field goes out with the field only where an operation takes it', () => {
  const update = { ...parts.inputs, UpdateThing: { Login: 'Short' } }
  const short = madeUpKind({ ...parts, inputs: update, shapes: { ...parts.shapes, Short: structureShape({ User: 'String' }) } })
  assert.equal(noteAfter(situation({ login }, undefined, { model: short }), ['Spec.Login']), undefined)
  assert.deepEqual(changedSince(situation({ login: { user: 'u' } }, { 'Login.Password': 'x' }, { model: short })), [])
  assert.deepEqual(changedSince(situation({ login: { user: 'u' } }, { 'Login.Password': 'x' })), ['Spec.Login.Password'])
  assert.deepEqual(changedSince(situation({}, { 'Login.Password': 'x' })), [])
})

test('what the manifest says otherwise than when it was sent is sent again', () => {
  const changed = (spec: object, sent?: object): readonly string[] => changedSince(situation(spec, sent))
  assert.deepEqual(changed({ password: 'p' }, { Password: p }), [])
  assert.deepEqual(changed({ password: 'p' }, { Password: `?${p}` }), [])
  assert.deepEqual(changed({ password: 'q' }, { Password: p }), ['Spec.Password'])
  assert.deepEqual(changed({ password: 'p' }, {}), ['Spec.Password'])
  assert.deepEqual(changed({ password: 'p' }), [], 'nothing is on record')
  assert.deepEqual(changed({ idle: 'i' }, {}), [], 'nothing carries it')
  assert.deepEqual(changed({ onlyMade: 'o' }, { OnlyMade: o }), [])
  assert.deepEqual(changed({}, { Token: 'x' }), ['Spec.Token'], 'a call of its own takes it away')
  assert.deepEqual(changed({}, {}), [])
  assert.deepEqual(changed({}, { Password: p }), [], 'nothing takes it away')
})

test('what was sent, is not in the manifest any more and told by nobody may be there still', () => {
  const gone = (spec: object, sent?: object): readonly string[] => sentAndGone(situation(spec, sent))
  assert.deepEqual(gone({}, { Password: p, Rule: 'x' }), ['Spec.Password'])
  assert.deepEqual(gone({ password: 'p' }, { Password: p }), [])
  assert.deepEqual([gone({}, {}), gone({})], [[], []])
})

test('what was never recorded is taken as it is', () => {
  const taken = (spec: object, sent?: object, hasOwnChoices = false, more: Circumstances = {}): object | undefined =>
    recordIn(takenNote(situation(spec, sent, more), hasOwnChoices))
  assert.deepEqual(taken({ password: 'p', idle: 'i' }), { Password: `?${p}` })
  assert.equal(taken({ password: 'p' }, { Password: p }), undefined)
  assert.equal(taken({}), undefined)
  assert.equal(taken({}, undefined, true), undefined, 'a first generation, which all of it is')
  const later = { metadata: { generation: 2 } }
  const spoken = taken({}, undefined, true, later) as Readonly<Record<string, string>>
  const [key = ''] = Object.keys(spoken)
  assert.deepEqual(Object.keys(spoken), [key])
  assert.equal(taken({}, undefined, false, later), undefined)
  assert.deepEqual(Object.keys(taken({ password: 'p' }, undefined, true, later) ?? {}), ['Password', key])
  assert.deepEqual(recordIn(choicesNote(situation({}, undefined, later), true)), spoken)
  assert.equal(choicesNote(situation({}, undefined, later), false), undefined)
  assert.deepEqual(recordIn(choicesNote(situation({}, { Password: p, [key]: 'old' }), false)), {
    Password: p,
    ...recordIn(choicesNote(situation({}, undefined, { metadata: { generation: 2 } }), true)),
  })
})

test('an attribute is carried with all others, and a part by its own call', () => {
  const TextMap = { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as const
  const attributed = madeUpKind({
    untold: ['Hidden', 'Plain'],
    settings: { unpackAttributes: {} },
    spec: { Hidden: { attribute: true }, Plain: 'string' },
    inputs: { CreateThing: { Attributes: 'TextMap' } },
    shapes: { TextMap },
  })
  const of = (spec: object, sent?: object) => situation(spec, sent, { model: attributed })
  assert.deepEqual(changedSince(of({ hidden: 'h', plain: 'x' }, {})), ['Spec.Hidden'])
  assert.deepEqual(Object.keys(recordIn(noteAtCreate(of({ hidden: 'h', plain: 'x' }))) ?? {}), ['Hidden'])
  assert.deepEqual(changedSince(situation({ token: 't' }, { Token: 'x' })), ['Spec.Token'])
  const oneByOne = madeUpKind({
    operations: { create: 'CreateThing', setAttributes: 'SetThing' },
    untold: ['Hidden'],
    spec: { Hidden: { attribute: true } },
    inputs: { SetThing: { AttributeName: 'String', AttributeValue: 'String' } },
  })
  assert.deepEqual(changedSince(situation({ hidden: 'h' }, {}, { model: oneByOne })), ['Spec.Hidden'])
  const told = madeUpKind({ ...parts, untold: [] })
  assert.deepEqual(recordIn(noteBefore(situation({ rule: 'r' }, undefined, { model: told }), ['Spec.Rule'])), { Rule: '' })
})

test('of a Secret only its hash is printed', () => {
  const holding = madeUpKind({ ...parts, spec: { Name: 'string', Password: 'secret' } })
  const print = (reference: object, value: string, hash: string | undefined): string => {
    const found = situation({ password: reference }, undefined, {
      model: holding,
      seen: { secrets: { kind: 'read', spec: {}, hash } as never, wanted: { spec: { password: value }, status: {} } },
    })
    return (recordIn(noteAtCreate(found)) as Readonly<Record<string, string>>)['Password'] ?? ''
  }
  const reference = { name: 's', key: 'k' }
  assert.equal(print(reference, 'one', 'h'), print(reference, 'two', 'h'))
  assert.notEqual(print(reference, 'one', 'h'), print(reference, 'one', 'i'))
  const secrets = { kind: 'read', spec: {}, hash: 'h' } as never
  assert.deepEqual(recordIn(noteAtCreate(situation({ password: 'p' }, undefined, { seen: { secrets } }))), { Password: p })
  assert.notEqual(print(reference, 'one', 'h'), print({ ...reference, key: 'l' }, 'one', 'h'))
})

test('what cannot be known and what nothing carries out is told by name', () => {
  const said = (spec: object, sent?: object): unknown => {
    const { advisories, unsynced } = untoldSaid(situation(spec, sent), { spec: {}, status: {} })
    return [advisories.map(({ reason, message }) => `${reason}: ${message}`), unsynced]
  }
  const idle = 'nothing here sends Spec.Idle to AWS'
  assert.deepEqual(said({ idle: 'i' }), [[`NotCarriedOut: ${idle}`], idle])
  const untold = 'AWS does not tell Spec.Password; they are taken to be as the manifest says'
  assert.deepEqual(said({ password: 'p' }), [[`NotReadable: ${untold}`], undefined])
  assert.deepEqual(said({ password: 'p' }, { Password: `?${p}` }), [[`NotReadable: ${untold}`], undefined])
  assert.deepEqual(said({ password: 'p' }, { Password: p }), [[], undefined])
  assert.deepEqual(said({}), [[], undefined])
})

test('tags that this resource could not be asked for are told where the manifest has some', () => {
  const tagged = madeUpKind({
    operations: { create: 'CreateThing', readOne: 'DescribeThing' },
    settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
    spec: { Tags: map('string') },
    outputs: { DescribeThing: { Tags: 'TagMap' } },
    shapes: { TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } },
  })
  const unsynced = (tags: object | undefined, hasUntoldTags: boolean, of = tagged): string | undefined =>
    untoldSaid(situation({ tags }, undefined, { model: of }), {
      spec: {},
      status: {},
      ...(hasUntoldTags ? { hasUntoldTags } : {}),
    }).unsynced
  const text = 'AWS cannot be asked for Spec.Tags: what names this resource there is not known'
  assert.equal(unsynced({ a: '1' }, true), text)
  assert.deepEqual(
    [unsynced({ a: '1' }, false), unsynced({}, true), unsynced(undefined, true)],
    [undefined, undefined, undefined],
  )
  const unshown = madeUpKind({ settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } }, spec: { Tags: map('string') } })
  assert.notEqual(unsynced({ a: '1' }, true, unshown), text)
  assert.equal(claimOf({ model: tagged }).kind, 'Thing')
})
