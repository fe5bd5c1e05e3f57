// Which field of a kind a member of an answer tells, and which it does not although it bears the name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { answerOf } from './answer.ts'
import { kindModel, onceOfKind } from './kind-model.ts'
import type { Method, Values } from './request.ts'

const shapes: NonNullable<KindMadeUp['shapes']> = {
  Inner: structureShape({ Text: 'String' }),
  Either: structureShape({ Text: 'String' }, 'union'),
  Many: { type: 'list', member: { target: 'String' } },
  Texts: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
}

function answered(parts: KindMadeUp, members: Readonly<Record<string, string>>, output: Values = {}, method: Method = 'ReadOne') {
  const operations = { create: 'CreateThing', readOne: 'AskThing' }
  const model = madeUpKind({ operations, shapes, ...parts, outputs: { AskThing: members } })
  return answerOf(model, 'AskThing', { output, wanted: { spec: {}, status: {} }, method })
}

const isTold = (parts: KindMadeUp, members: Readonly<Record<string, string>>, method: Method = 'ReadOne'): boolean =>
  answered(parts, members, {}, method).told.has('Field')

test('a member of another kind of value under the same name is another thing', () => {
  const types = {
    Inner: structure('Inner'),
    Either: structure('Inner'),
    Many: list('string'),
    Texts: map('string'),
    String: 'string',
  } as const
  const fitting: Readonly<Record<string, readonly string[]>> = {
    Inner: ['Inner', 'Either'],
    Either: ['Inner', 'Either'],
    Many: ['Many'],
    Texts: ['Texts'],
    String: ['String'],
  }
  for (const [name, type] of Object.entries(types)) {
    const told = Object.keys(types).filter(target =>
      isTold({ spec: { Field: type }, structures: { Inner: { Text: 'string' } } }, { Field: target, Size: 'Integer' }),
    )
    assert.deepEqual(told, fitting[name], name)
  }
})

test('no answer tells a Secret, nor what refers to another object', () => {
  const output = { Password: 'x', RoleRef: 'y', RoleRefs: ['z'], Role: 'r' }
  const spec = { Password: 'secret', RoleRef: 'reference', RoleRefs: list('reference'), Role: 'string' } as const
  const members = { Password: 'String', RoleRef: 'String', RoleRefs: 'Many', Role: 'String' }
  assert.deepEqual(answered({ spec }, members, output).spec, { role: 'r' })
  const { spec: fields } = madeUpKind({ spec })
  assert.deepEqual([fields.named('RoleRef'), fields.named('RoleRefs')], [undefined, undefined])
  assert.deepEqual([fields.named('role')?.camel, fields.all.length], ['Role', 4])
})

test('a config keeps fields out of answers, of one method or of all', () => {
  const told = (rule: object, method: Method): boolean =>
    isTold({ spec: { Field: { set: [rule] } } }, { Field: 'String', Size: 'Integer' }, method)
  for (const ignore of ['true', 'from', 'all', true]) {
    assert.deepEqual([told({ ignore }, 'ReadOne'), told({ ignore }, 'Create')], [false, false])
    assert.deepEqual([told({ ignore, method: 'Create' }, 'ReadOne'), told({ ignore, method: 'Create' }, 'Create')], [true, false])
  }
  assert.deepEqual([told({ ignore: 'to' }, 'ReadOne'), told({}, 'ReadOne')], [true, true])
})

test('a config calls members of answers by other names, as the creation does', () => {
  const renamed = { AskThing: { outputRenames: { Wire: 'Field' } } }
  assert.equal(answered({ bindings: renamed, spec: { Field: 'string' } }, { Wire: 'String' }, { Wire: 'x' }).spec['field'], 'x')
  const made = { CreateThing: { inputRenames: { Wire: 'Field' } } }
  assert.equal(answered({ bindings: made, spec: { Field: 'string' } }, { Wire: 'String' }, { Wire: 'x' }).spec['field'], 'x')
  assert.equal(isTold({ bindings: renamed, spec: { Field: 'string' } }, { Other: 'String' }), false)
})

test('what bears the name of the kind and is no structure is no part of the answer', () => {
  const found = answered({ spec: { Field: 'string' } }, { Thing: 'String', Field: 'String' }, { Thing: 'x', Field: 'f' })
  assert.deepEqual(found.spec, { field: 'f' })
})

test('what follows from a kind alone is made once, and a kind has its name in Kubernetes', () => {
  let made = 0
  const counted = onceOfKind((_model, _name: string) => ++made)
  const model = madeUpKind({})
  assert.deepEqual([counted(model, 'a'), counted(model, 'a'), counted(model, 'b'), counted(madeUpKind({}), 'a')], [1, 1, 2, 3])
  const { type } = kindModel(model.service, model.kind)
  assert.deepEqual(type, {
    group: 'madeup.services.k8s.aws',
    version: 'v1alpha1',
    kind: 'Thing',
    plural: 'things',
    namespaced: true,
  })
})
