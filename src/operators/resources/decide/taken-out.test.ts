// What a manifest spoke of and speaks of no more: what of it stays in AWS, and what is remembered of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { staysSaid } from '../model/sent.ts'
import type { Notes } from '../seen/notes.ts'
import { list, madeUpKind, structure } from '../testing/made-up-kind.ts'
import { type Circumstances, situationOf } from '../testing/situation.ts'
import { elementsOf } from './spoken-of.ts'
import { rememberedOf, stayingPaths } from './taken-out.ts'

const model = madeUpKind({
  untold: ['Hidden'],
  spec: { Name: 'string', Size: 'integer', Target: structure('Target'), Ports: list(structure('Port')), Hidden: 'string' },
  structures: { Target: { ARN: { json: 'arn' }, Mode: 'string' }, Port: { From: 'integer', To: 'integer' } },
})
const delta = ['Spec.Name', 'Spec.Size', 'Spec.Target.Mode']
const staying = (of: Circumstances, paths: readonly string[] = delta): readonly string[] =>
  stayingPaths(situationOf({ model, deviation: {}, ...of }), paths)
const given = (...paths: readonly string[]): Circumstances => ({ seen: { notes: { given: paths } } })

test('what differs stays where the manifest spoke of it and does not any more [6.4]', () => {
  assert.deepEqual(staying({}), [], 'nothing is known of what it spoke of')
  assert.deepEqual(staying(given('name', 'size')), ['Spec.Size'], 'of the name it speaks')
  assert.deepEqual(staying(given('target', 'target.mode')), ['Spec.Target.Mode'])
  assert.deepEqual(staying({ ...given('size'), spec: { size: 3 } }), [])
})

test('what the status says to stay stays for the next process [6.4]', () => {
  const [said] = staysSaid(['Spec.Size'])
  const status = { conditions: [{ ...said, lastTransitionTime: '' }] }
  assert.deepEqual(staying({ status }), ['Spec.Size'])
})

test('an element that stood there word for word has lost nothing [6.4]', () => {
  const ports = [{ from: 1 }]
  const notes: Notes = { given: ['ports', 'ports.0.to'] }
  const of = (more: Notes): readonly string[] =>
    staying({ spec: { ports }, seen: { notes: { ...notes, ...more } } }, ['Spec.Ports.0.To'])
  assert.deepEqual(of({}), ['Spec.Ports.0.To'])
  assert.deepEqual(of({ elements: elementsOf(model, { ports }) }), [])
})

test('what was sent, is gone from the manifest and told by nobody stays as well [6.4]', () => {
  const message = JSON.stringify({ Hidden: 'x' })
  const sent = { type: conditions.sent, status: 'True', reason: 'Sent', message, lastTransitionTime: '' }
  assert.deepEqual(staying({ status: { conditions: [sent] } }, []), ['Spec.Hidden'])
})

test('what stays is remembered as spoken of, with all around and below it [6.4]', () => {
  const remembered = (notes: Notes, ...paths: readonly string[]): readonly string[] =>
    rememberedOf(situationOf({ model, deviation: {}, seen: { notes } }), paths)
  const all = { given: ['name', 'size', 'target', 'target.mode', 'targeted', 'ports'] }
  assert.deepEqual(remembered({}, 'Spec.Size'), ['name'])
  assert.deepEqual(remembered(all), ['name'])
  assert.deepEqual(remembered(all, 'Spec.Size'), ['name', 'size'])
  assert.deepEqual(remembered(all, 'Spec.Target'), ['name', 'target', 'target.mode'])
  assert.deepEqual(remembered(all, 'Spec.Target.Mode'), ['name', 'target', 'target.mode'])
  assert.deepEqual(remembered(all, 'Spec.Target.ARN', 'Spec.Ports'), ['name', 'target', 'ports'])
})
