import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall } from '../infer/model.fixture.ts'
import { crdOf } from '../render/crd.ts'
import { diffCrds } from './diff.ts'
import { judgeSkew } from './skew.ts'

const shapes = { Opts: { type: 'structure', members: { Mode: { shape: 'String' } } } }
const older = { operations: { CreateThing: [{ '!Name': 'String', Opts: 'Opts' }, { Count: 'Integer' }] }, shapes } as const
const newer = {
  operations: { CreateThing: [{ '!Name': 'String', Opts: 'Opts', Added: 'String' }, { Count: 'Integer' }] },
  shapes,
} as const

function crd(model: Parameters<typeof inferSmall>[0], config = ''): object {
  const service = inferSmall(model, config)
  const [kind] = service.kinds
  assert.ok(kind !== undefined)
  return crdOf(service, kind)
}

test('every class of difference is found, and equal CRDs have none [10.1]', () => {
  const changes = `resources:
  Thing:
    shortNames: [th]
    print: {}
    fields:
      Name: {is_required: false, is_immutable: true}
      Count: {is_read_only: true, type: string}
      Opts.Mode: {go_tag: 'json:"way"'}
`
  assert.deepEqual(diffCrds(crd(older), crd(older)).differences, [])
  const found = diffCrds(crd(older), crd(older, changes)).differences.map(({ class: name, path }) => `${name} ${path}`)
  assert.deepEqual(found, [
    'name names.shortNames',
    'column columns[0]',
    'required spec.name',
    'immutable spec.name',
    'missing spec.opts.mode',
    'type status.count',
    'extra spec.opts.way',
  ])
})

test('missing and extra are a matter of versions only where the model proves it [10.1]', () => {
  const service = inferSmall(older)
  const [kind] = service.kinds
  assert.ok(kind !== undefined)
  const judge = (published: object, paths: readonly string[]): readonly (boolean | string)[] =>
    judgeSkew(diffCrds(published, crd(older)).differences, { service, kind, published: new Set(paths) }).map(
      ({ difference, proof }) => proof ?? difference.path,
    )
  assert.deepEqual(judge(crd(newer), []), ['neither input nor output of CreateThing has a member that is called added'])
  // The model has the member, so a rule of ours lost it: no proof.
  const without = inferSmall(older, 'ignore:\n  field_paths: [Opts.Mode]\n  shape_names: []\n')
  assert.equal(without.refused.length, 1)
  const renamed = crd(older, `resources:\n  Thing:\n    fields:\n      Opts.Mode: {go_tag: 'json:"mode_"'}\n`)
  assert.deepEqual(judge(renamed, ['spec.opts', 'spec.opts.mode_']), [
    'spec.opts.mode_',
    'Opts.Mode is in this model and in no published kind',
  ])
})

test('a comparison tells the kind, how much is equal, and what each side says of a difference [10.1]', () => {
  const changes =
    'resources:\n  Thing:\n    shortNames: [th]\n    fields:\n      Name: {is_required: false}\n      Count: {print: {}}\n'
  const { kind, paths, pathsEqual, differences } = diffCrds(crd(older), crd(older, changes))
  assert.deepEqual([kind, paths, pathsEqual], ['Thing', 6, 5])
  assert.deepEqual(differences, [
    { class: 'name', path: 'names.shortNames', first: '', second: 'th' },
    { class: 'column', path: 'columns[0]', second: '["Count","integer",0,".status.count"]' },
    { class: 'required', path: 'spec.name', first: 'true', second: 'false' },
  ])
  const [name] = diffCrds(crd(older, changes), crd(older)).differences
  assert.deepEqual(name, { class: 'name', path: 'names.shortNames', first: 'th', second: '' })
})
