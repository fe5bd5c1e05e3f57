// What the kind's own update is sent for: what it takes and the manifest speaks of, or spoke of; the rest is refused, left or AWS's own choice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import type { Deviation, PlannedCall, SyncContext } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { type KindMadeUp, list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, present, situationOf } from '../testing/situation.ts'
import { type GenericUpdate, genericUpdate, mayBeTakenOut } from './generic-update.ts'
import { elementsOf, spokenKey, spokenPrint } from './spoken-of.ts'

const alone: Deviation = {}

function updated(circumstances: Circumstances, paths: readonly string[]): GenericUpdate {
  const situation = situationOf({ deviation: alone, ...circumstances })
  const { inAws } = situation.seen
  assert.equal(inAws.kind, 'present')
  return genericUpdate(situation, inAws.content, paths)
}

const operations = ({ calls }: GenericUpdate): readonly string[] => calls.map(({ operation }) => operation)
/** The manifest spoke of the description, and of nothing that the update takes since. */
const takenOut: Circumstances = {
  spec: { maxSessionDuration: undefined },
  metadata: { generation: 2 },
  seen: { inAws: present({ description: 'old' }), notes: { given: ['description'] } },
}
const described = ['Spec.Description']

test('where nothing differs, nothing is asked [6.4]', () => {
  assert.deepEqual(updated({}, []), { calls: [], left: [], held: [], ordered: [] })
})

test('what the manifest speaks of is sent with the name of the resource [10.3.3]', () => {
  const { calls, refused } = updated({ spec: { description: 'new' } }, described)
  assert.deepEqual(
    calls.map(({ input }) => [input['RoleName'], input['Description']]),
    [['one', 'new']],
  )
  assert.equal(refused, undefined)
})

test('what no operation takes is refused where the manifest speaks of it, and held where it does not [6.4]', () => {
  const told = updated({}, ['Spec.Path', ...described])
  assert.deepEqual(told.held, ['Spec.Path'])
  assert.equal(told.refused, 'UpdateRole does not change Spec.Path')
  const untold = updated({ spec: { path: undefined } }, ['Spec.Path'])
  assert.deepEqual([untold.held, untold.refused, operations(untold)], [['Spec.Path'], undefined, []])
})

test('what the manifest never spoke of is AWS’s own choice [6.4]', () => {
  const never: Circumstances = { ...takenOut, seen: { inAws: present({ description: 'old' }), notes: { given: ['name'] } } }
  assert.deepEqual(operations(updated(never, described)), [])
  assert.deepEqual(operations(updated({ ...takenOut, metadata: { generation: 1 } }, described)), [], 'nobody changed it yet')
})

test('a call that only names the resource is not sent, unless code of the kind completes it [6.4]', () => {
  assert.deepEqual(operations(updated(takenOut, described)), [])
  assert.deepEqual(operations(updated({ ...takenOut, spec: {} }, described)), ['UpdateRole'], 'it says the duration')
  const completed: Deviation = { update: input => ({ ...input, Description: '' }) }
  assert.deepEqual(operations(updated({ ...takenOut, deviation: completed }, described)), ['UpdateRole'])
})

const Texts = { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as const
const parts: KindMadeUp = {
  operations: { create: 'CreateThing', update: 'UpdateThing' },
  spec: {
    Name: 'string',
    Size: 'integer',
    Note: 'string',
    Odd: 'string',
    Left: { compare: { ignored: true } },
    Ports: list(structure('Port')),
    Login: structure('Login'),
  },
  status: { ThingId: 'string' },
  structures: { Port: { From: 'integer', To: 'integer' }, Login: { User: 'string', Password: 'string' } },
  inputs: { UpdateThing: { Size: 'Integer', Note: 'String', Login: 'Login' } },
  required: { UpdateThing: ['Name'] },
  shapes: { Login: structureShape({ User: 'String' }) },
}
const kind = madeUpKind(parts)

interface Made extends Circumstances {
  readonly latest?: object
  readonly status?: Content['status']
  readonly hasArn?: boolean
}

/** Of a kind that is made up: what AWS has is said beside what the manifest says. */
function made({ spec, latest, status = {}, seen, hasArn = true, ...more }: Made, paths: readonly string[]): GenericUpdate {
  const wanted = { spec: { name: 'one', ...spec }, status: {}, arn: 'arn:wanted' }
  const of: Circumstances = { model: kind, deviation: {}, ...more, spec: { ...spec }, seen: { wanted, ...seen } }
  return genericUpdate(situationOf(of), { spec: { name: 'one', ...latest }, status, ...(hasArn ? { arn } : {}) }, paths)
}

const inputs = ({ calls }: GenericUpdate): readonly unknown[] => calls.map(({ input }) => input)
const operating = (operations: object, more: object = {}): KindModel =>
  madeUpKind({ ...parts, ...more, operations: { create: 'CreateThing', ...operations } })

test('a kind is changed by its update, or by the operation that replaces it, or by none [6.4]', () => {
  const of = (model: KindModel): unknown => {
    const { calls, refused } = made({ model, spec: { size: 2 } }, ['Spec.Size'])
    return [calls.map(({ operation, verb }) => `${verb} ${operation}`), refused]
  }
  const members = { ...parts.inputs, ReplaceThing: { Size: 'Integer' }, SetThing: { Size: 'Integer' } }
  assert.deepEqual(of(operating({ update: 'UpdateThing', replace: 'ReplaceThing' }, { inputs: members })), [
    ['UPDATE UpdateThing'],
    undefined,
  ])
  assert.deepEqual(of(operating({ replace: 'ReplaceThing', setAttributes: 'SetThing' }, { inputs: members })), [
    ['UPDATE ReplaceThing'],
    undefined,
  ])
  assert.deepEqual(of(operating({})), [[], 'not implemented: no operation changes Spec.Size'])
  assert.deepEqual(made({ model: operating({}), latest: { size: 2 } }, ['Spec.Size']), {
    calls: [],
    left: [],
    held: ['Spec.Size'],
    ordered: [],
  })
})

test('what a config leaves to code that is not here is left, and refuses no update [6.4]', () => {
  const update = made({ spec: { left: 'is', size: 2, odd: 'is' } }, ['Spec.Left', 'Spec.Odd', 'Spec.Size'])
  assert.deepEqual(
    [update.left, update.held, update.refused],
    [['Spec.Left'], ['Spec.Left', 'Spec.Odd'], 'UpdateThing does not change Spec.Odd'],
  )
  assert.deepEqual(operations(update), ['UpdateThing'])
  assert.equal(made({ spec: { left: 'is' } }, ['Spec.Left']).refused, undefined)
})

test('a list in another order is not refused, and one that says something else is [6.4]', () => {
  const ports = [{ from: 1 }, { from: 2 }]
  const ordered = made({ spec: { ports }, latest: { ports: [...ports].reverse() } }, ['Spec.Ports'])
  assert.deepEqual(ordered, { calls: [], left: [], held: [], ordered: ['Spec.Ports'] })
  const other = made({ spec: { ports }, latest: { ports: [{ from: 1 }] } }, ['Spec.Ports'])
  assert.deepEqual([other.held, other.ordered, other.refused], [['Spec.Ports'], [], 'UpdateThing does not change Spec.Ports'])
})

test('an update that the manifest asks for carries all that it says, or what differs where a config wants that [6.4]', () => {
  const of: Made = { spec: { size: 2, note: 'n' } }
  assert.deepEqual(inputs(made(of, ['Spec.Size'])), [{ Name: 'one', Size: 2, Note: 'n' }])
  const sparing = madeUpKind({ ...parts, settings: { omitUnchanged: true } })
  assert.deepEqual(inputs(made({ ...of, model: sparing }, ['Spec.Size'])), [{ Name: 'one', Size: 2 }])
  assert.deepEqual(inputs(made({ ...of, model: sparing }, ['Spec.Size', 'Spec.Note'])), [{ Name: 'one', Size: 2, Note: 'n' }])
  const mixed = made({ spec: { size: 2 }, latest: { note: 'own' } }, ['Spec.Note', 'Spec.Size'])
  assert.deepEqual(inputs(mixed), [{ Name: 'one', Size: 2 }], 'although AWS chose something beside it')
})

test('what is within a field is taken where the operation takes it there [6.4]', () => {
  const login = { user: 'u', password: 'p' }
  assert.deepEqual(operations(made({ spec: { login } }, ['Spec.Login.User'])), ['UpdateThing'])
  assert.equal(made({ spec: { login } }, ['Spec.Login.Password']).refused, 'UpdateThing does not change Spec.Login.Password')
  assert.equal(made({ spec: { login } }, ['Spec.Unheard']).refused, undefined)
  assert.deepEqual(made({ spec: { login } }, ['Spec.Unheard']).held, ['Spec.Unheard'])
})

test('the resource is named by what AWS tells of it, or else by what was known before [6.4]', () => {
  const named = operating(
    { update: 'UpdateThing' },
    {
      inputs: { UpdateThing: { Size: 'Integer', ThingArn: 'String', ThingId: 'String' } },
      required: { UpdateThing: ['ThingArn', 'ThingId'] },
    },
  )
  const wanted = { spec: { size: 2 }, status: { thingId: 'old' }, arn: 'arn:wanted' }
  const of: Made = { model: named, spec: { size: 2 }, seen: { wanted } }
  assert.deepEqual(inputs(made({ ...of, status: { thingId: 'new' } }, ['Spec.Size'])), [
    { Size: 2, ThingArn: arn, ThingId: 'new' },
  ])
  assert.deepEqual(inputs(made({ ...of, hasArn: false }, ['Spec.Size'])), [{ Size: 2, ThingArn: 'arn:wanted', ThingId: 'old' }])
})

const asking = (asked: SyncContext[]): Deviation => ({
  update: (input, context) => {
    asked.push(context)
    return { ...input, Extra: 'x' }
  },
})

test('code of the kind completes the call, and is told what differs of a resource that is there [6.4]', () => {
  const asked: SyncContext[] = []
  assert.deepEqual(inputs(made({ spec: { size: 2 }, deviation: asking(asked) }, ['Spec.Size'])), [
    { Name: 'one', Size: 2, Extra: 'x' },
  ])
  assert.deepEqual(
    asked.map(({ delta, isNew }) => [delta, isNew]),
    [[['Spec.Size'], false]],
  )
})

/** The manifest spoke of the size, and does not any more. */
const taken: Made = { metadata: { generation: 2 }, latest: { size: 1 }, seen: { notes: { given: ['size'] } } }

test('a call that would say nothing but what names the resource is not sent [6.4]', () => {
  assert.deepEqual(operations(made(taken, ['Spec.Size'])), [])
  assert.deepEqual(operations(made({ ...taken, spec: { note: 'n' } }, ['Spec.Size'])), ['UpdateThing'])
  const members = { Size: { target: 'Integer' }, Name: { target: 'String' }, Token: { target: 'String', idempotencyToken: true } }
  const shape = { type: 'structure', required: ['Size'], members } as const
  const tokened = madeUpKind({ ...parts, shapes: { ...parts.shapes, UpdateThingRequest: shape as never } })
  assert.deepEqual(operations(made({ ...taken, model: tokened }, ['Spec.Size'])), [], 'nor a token')
  const untokened = { ...shape, members: { ...members, Token: { target: 'String' } } }
  const plain = madeUpKind({
    ...parts,
    spec: { ...parts.spec, Token: 'string' },
    shapes: { UpdateThingRequest: untokened as never },
  })
  assert.deepEqual(operations(made({ ...taken, model: plain, spec: { token: 't' } }, ['Spec.Size'])), ['UpdateThing'])
})

test('what the manifest asks for, and what code of the kind completes, is sent although it only names the resource [6.4]', () => {
  assert.deepEqual(inputs(made({ ...taken, spec: { name: 'one' } }, ['Spec.Name', 'Spec.Size'])), [{ Name: 'one' }])
  assert.deepEqual(inputs(made({ ...taken, deviation: { update: input => input } }, ['Spec.Size'])), [{ Name: 'one' }])
})

test('the same change bears the same token, and another one another [6.4]', () => {
  const members = { Size: { target: 'Integer' }, Note: { target: 'String' }, Token: { target: 'String', idempotencyToken: true } }
  const model = madeUpKind({
    ...parts,
    shapes: { ...parts.shapes, UpdateThingRequest: { type: 'structure', required: [], members } as never },
  })
  const token = (of: Made, path = 'Spec.Size'): string =>
    String(made({ model, spec: { size: 2 }, latest: { size: 1 }, ...of }, [path]).calls[0]?.input['Token'])
  assert.match(token({}), /^[0-9a-f]{36}$/)
  assert.equal(token({}), token({}))
  assert.notEqual(token({}), token({ metadata: { generation: 2 } }))
  assert.notEqual(token({}), token({ latest: { size: 3 } }), 'somebody else changed it meanwhile')
  assert.equal(token({}), token({ latest: { size: 1, note: 'x' } }), 'what is not asked for does not count')
})

const attributes: KindMadeUp = {
  operations: { create: 'CreateThing', setAttributes: 'SetThing' },
  settings: { unpackAttributes: {} },
  spec: { Name: 'string', Delay: { attribute: true }, Policy: { attribute: true }, Plain: 'string' },
  inputs: { SetThing: { ThingArn: 'String', Attributes: 'Texts' } },
  required: { SetThing: ['ThingArn'] },
  shapes: { Texts },
}
const single: KindMadeUp = {
  ...attributes,
  inputs: { SetThing: { ThingArn: 'String', AttributeName: 'String', AttributeValue: 'String' } },
}
const both = ['Spec.Delay', 'Spec.Policy']
const delayed: Made = { spec: { delay: '5', policy: 'p' }, latest: { delay: '1', policy: 'q' } }

test('attributes that differ are set by one call, or by one for each where a service takes one at a time [6.4]', () => {
  const model = madeUpKind(attributes)
  const set = (of: Made, paths: readonly string[]): readonly PlannedCall[] => made({ model, ...of }, paths).calls
  assert.deepEqual(set(delayed, both), [
    { operation: 'SetThing', input: { ThingArn: arn, Attributes: { Delay: '5', Policy: 'p' } }, verb: 'SET_ATTRIBUTES' },
  ])
  assert.deepEqual(set(delayed, ['Spec.Delay'])[0]?.input['Attributes'], { Delay: '5' })
  assert.deepEqual(set({ ...delayed, hasArn: false }, both)[0]?.input['ThingArn'], 'arn:wanted')
  const one = (Name: string, Value: string): PlannedCall => {
    return { operation: 'SetThing', input: { ThingArn: arn, AttributeName: Name, AttributeValue: Value }, verb: 'SET_ATTRIBUTES' }
  }
  assert.deepEqual(set({ ...delayed, model: madeUpKind(single) }, both), [one('Delay', '5'), one('Policy', 'p')])
  assert.equal(made({ model, spec: { plain: 'p' } }, ['Spec.Plain']).refused, 'SetThing does not change Spec.Plain')
})

test('where no attribute is to be set, no call is sent [6.4]', () => {
  const model = madeUpKind(attributes)
  const gone: Made = { ...taken, model, latest: { delay: '1' }, seen: { notes: { given: ['delay'] } } }
  assert.deepEqual(made(gone, ['Spec.Delay']).calls, [])
  const documents = { ...attributes.spec, Policy: { attribute: true, iamPolicy: true } } as const
  const policyGone: Made = { ...gone, latest: { policy: 'q' }, seen: { notes: { given: ['policy'] } } }
  const emptied = made({ ...policyGone, model: madeUpKind({ ...attributes, spec: documents }) }, ['Spec.Policy'])
  assert.deepEqual(emptied.calls[0]?.input['Attributes'], { Policy: '' })
  const required = { SetThing: ['ThingArn', 'AttributeName', 'AttributeValue'] }
  const alone = madeUpKind({ ...single, spec: documents, required })
  assert.deepEqual(operations(made({ ...policyGone, model: alone }, ['Spec.Policy'])), ['SetThing'])
})

test('code of the kind completes the call of the attributes, too [6.4]', () => {
  const asked: SyncContext[] = []
  const deviation = asking(asked)
  assert.equal(made({ ...delayed, model: madeUpKind(attributes), deviation }, both).calls[0]?.input['Extra'], 'x')
  assert.deepEqual(
    asked.map(({ delta, isNew }) => [delta, isNew]),
    [[both, false]],
  )
})

test('the map of all attributes is taken where the kind shows it as a whole [6.4]', () => {
  const whole = madeUpKind({ ...attributes, settings: {}, spec: { Name: 'string', Attributes: map('string') } })
  assert.deepEqual(operations(made({ model: whole, spec: { attributes: { a: '1' } } }, ['Spec.Attributes'])), ['SetThing'])
  const none = madeUpKind({ ...attributes, inputs: { SetThing: { Other: 'String' } } })
  assert.equal(made({ ...delayed, model: none }, ['Spec.Delay']).refused, 'SetThing does not change Spec.Delay')
})

test('a manifest may have spoken of what it does not speak of, if it changed and is known to have, or nothing is known [6.4]', () => {
  const status = (print: string): object => ({
    conditions: [
      {
        type: conditions.sent,
        status: 'True',
        reason: 'Sent',
        message: JSON.stringify({ [spokenKey]: print }),
        lastTransitionTime: '',
      },
    ],
  })
  const situation = (more: Circumstances) => situationOf({ model: kind, deviation: {}, metadata: { generation: 2 }, ...more })
  const may = (more: Circumstances, path = 'Spec.Size'): boolean => mayBeTakenOut(situation(more), path)
  assert.equal(may({}), true)
  assert.equal(may({ metadata: { generation: 1 } }), false)
  assert.equal(may({ seen: { notes: { given: ['size'] } } }), true)
  assert.equal(may({ seen: { notes: { given: [] } } }), false)
  assert.equal(
    may({ status: status(spokenPrint(situation({}))) }),
    false,
    'when it was in step it spoke of what it speaks of now',
  )
  assert.equal(may({ status: status('other') }), true)
  const ports = [{ from: 1 }]
  const elements = elementsOf(kind, { ports })
  const within = (notes: object): boolean => may({ spec: { ports }, seen: { notes } }, 'Spec.Ports.0.To')
  assert.deepEqual([within({ elements }), within({})], [false, true], 'an element that stood there lost nothing')
})
