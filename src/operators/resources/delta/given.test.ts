// What a manifest speaks of: by the path of a difference, through lists by their indexes and through maps by their keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { isGiven } from './given.ts'

const model = madeUpKind({
  untold: ['Config.Secret', 'Rules.Secret'],
  spec: { Name: 'string', Config: structure('Config'), Rules: list(structure('Rule')), Named: map(structure('Rule')) },
  structures: {
    Config: { Mode: 'string', Secret: 'string', Rule: structure('Rule') },
    Rule: { Name: 'string', Secret: 'string' },
  },
})

for (const [path, spec, isSaid] of [
  ['Spec.Name', { name: 'a' }, true],
  ['Spec.Name', {}, false],
  ['Spec.Name', { name: null }, false],
  ['Spec.Name', { name: '' }, true],
  ['Spec.Unknown', { unknown: 'a' }, false],
  ['Spec.Unknown.Name', { unknown: { name: 'a' } }, false],
  ['Spec.Config.Mode', { config: { mode: 'a' } }, true],
  ['Spec.Config.Mode', { config: {} }, false],
  ['Spec.Config.Mode', {}, false],
  ['Spec.Config.Mode', { config: 'no structure' }, false],
  ['Spec.Config.Rule.Name', { config: { rule: { name: 'a' } } }, true],
  ['Spec.Config.Secret', { config: { secret: 'a' } }, true],
  ['Spec.Config.Secret', { config: { mode: 'a' } }, false],
  ['Spec.Rules.1.Name', { rules: [{}, { name: 'a' }] }, true],
  ['Spec.Rules.0.Name', { rules: [{}, { name: 'a' }] }, false],
  ['Spec.Rules.2.Name', { rules: [{}, { name: 'a' }] }, false],
  ['Spec.Rules.Secret', { rules: [{}, { secret: 'a' }] }, true],
  ['Spec.Rules.Secret', { rules: [{ name: 'a' }] }, false],
  ['Spec.Named.x.Name', { named: { x: { name: 'a' } } }, true],
  ['Spec.Named.y.Name', { named: { x: { name: 'a' } } }, false],
  ['Spec.Named.x.Name', {}, false],
] as const)
  test(`${JSON.stringify(spec)} ${isSaid ? 'says' : 'says nothing'} at ${path}`, () =>
    assert.equal(isGiven({ model, seen: { wanted: { spec, status: {} } } }, path), isSaid))
