// The part of jq that leads to a field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each, PathError, type PathStep, parseFieldPath, valueAtPath } from './field-path.ts'

const parsed: readonly (readonly [path: string, steps: readonly PathStep[] | undefined])[] = [
  ['.status.roleID', ['status', 'roleID']],
  ['.status.list[0].name', ['status', 'list', 0, 'name']],
  ['.status.list.[-1]', ['status', 'list', -1]],
  ['.metadata.annotations["a.b/c"]', ['metadata', 'annotations', 'a.b/c']],
  ['.metadata."a \\" b"', ['metadata', 'a " b']],
  ['.spec.tags[]', ['spec', 'tags', each]],
  ['.spec.tags.[].key', ['spec', 'tags', each, 'key']],
  ['.status | .name', ['status', 'name']],
  ['.["a|b"] | .name', ['a|b', 'name']],
  ['.[""]', ['']],
  [`.${'x'.repeat(1_023)}`, ['x'.repeat(1_023)]],
  [`.${'x'.repeat(1_024)}`, undefined],
  ['', undefined],
  ['.', undefined],
  ['status', undefined],
  ['.status | name', undefined],
  ['.a-b', undefined],
  ['.list[1234567]', undefined],
  ['.list["x', undefined],
]

for (const [path, steps] of parsed)
  test(`${path.length > 60 ? `a path of ${path.length} characters` : JSON.stringify(path)} is ${steps === undefined ? 'no path' : 'a path'}`, () =>
    assert.deepEqual(parseFieldPath(path), steps))

const object = { name: 'x', off: false, none: null, list: [{ name: 'a' }, { name: 'b' }], empty: [], map: { k: 'v' } }

const found: readonly (readonly [path: string, value: unknown])[] = [
  ['.name', 'x'],
  ['.off', false],
  ['.none', undefined],
  ['.none.more', undefined],
  ['.nothing.more', undefined],
  ['.toString', undefined],
  ['.list[1].name', 'b'],
  ['.list[-2].name', 'a'],
  ['.list[2].name', undefined],
  ['.list[].name', 'a'],
  ['.map[]', 'v'],
  ['.empty[].name', undefined],
]

for (const [path, value] of found)
  test(`${path} leads to ${JSON.stringify(value) ?? 'nothing'}`, () =>
    assert.deepEqual(valueAtPath(object, parseFieldPath(path) ?? []), value))

const wrong: readonly (readonly [path: string, why: string])[] = [
  ['.none[]', 'cannot iterate over null'],
  ['.nothing[]', 'cannot iterate over null'],
  ['.name[]', 'cannot iterate over string'],
  ['.off[]', 'cannot iterate over boolean'],
  ['.map[0]', 'cannot index object with a number'],
  ['.list.name', 'cannot index array with "name"'],
  ['.name.more', 'cannot index string with "more"'],
]

for (const [path, why] of wrong)
  test(`${path} is refused: ${why}`, () =>
    assert.throws(
      () => valueAtPath(object, parseFieldPath(path) ?? []),
      error => error instanceof PathError && error.message === why,
    ))
