import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberText } from '#base'
import { applyJsonPatch, JsonPatchError, mergePatch } from './patch.ts'

type Row = readonly [target: unknown, operations: readonly object[], becomes: unknown]

const done: readonly Row[] = [
  [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
  [[1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
  [[1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
  [[1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
  [{ a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
  [[1, 2, 3], [{ op: 'remove', path: '/2' }], [1, 2]],
  [{ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
  [{ a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
  [{ a: 1 }, [{ op: 'replace', path: '', value: [2] }], [2]],
  [{ a: 1 }, [{ op: 'replace', path: '', value: 2 }], { a: 1 }],
  [[1, 2], [{ op: 'replace', path: '/1', value: 3 }], [1, 3]],
  [{ a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
  [{ a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a' }], { a: { b: 1 } }],
  [{ a: { b: 1 }, ab: {} }, [{ op: 'move', from: '/a', path: '/ab/c' }], { ab: { c: { b: 1 } } }],
  [
    { a: { b: 1 } },
    [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/d', value: 2 },
    ],
    { a: { b: 1 }, c: { b: 1, d: 2 } },
  ],
  [{ a: {} }, [{ op: 'copy', from: '/a/none', path: '/b' }], { a: {}, b: null }],
  [{ a: [1, { b: 'x' }] }, [{ op: 'test', path: '/a', value: [1, { b: 'x' }] }], { a: [1, { b: 'x' }] }],
  [{ 'a/b~c': 1 }, [{ op: 'remove', path: '/a~1b~0c' }], {}],
  // What the Go implementation takes beyond the standard.
  [{ a: [1, { b: 2 }] }, [{ op: 'move', from: '/a/0', path: '/a/0/c' }], { a: [{ b: 2, c: 1 }] }],
  [{ a: 1 }, [{ op: 'add', path: '/b' }], { a: 1, b: null }],
  [{ a: 1 }, [{ op: 'replace', path: '/a' }], { a: null }],
  [{}, [{ op: 'add', path: 'x/a', value: 1 }], { a: 1 }],
  [[1, 2], [{ op: 'add', path: '/-1', value: 3 }], [1, 2, 3]],
  [[1, 2], [{ op: 'add', path: '/-3', value: 3 }], [3, 1, 2]],
  [[1, 2], [{ op: 'remove', path: '/-1' }], [1]],
  [[1, 2], [{ op: 'replace', path: '/+01', value: 3 }], [1, 3]],
  [{ a: 1 }, [{ op: 'test', path: '/b', value: null }], { a: 1 }],
]

const refused: readonly (readonly [target: unknown, operations: readonly object[], why: RegExp])[] = [
  [{ a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/b' }], /path \/a does not exist/],
  [{ a: [{ b: 1 }] }, [{ op: 'move', from: '/a/0', path: '/a/0/b' }], /invalid index: 0/],
  [{ a: 1 }, [{ op: 'test', path: '/a', value: 2 }], /testing value \/a failed/],
  [{}, [{ op: 'remove', path: '/a' }], /./],
  [{}, [{ op: 'remove', path: '' }], /whole document/],
  [{ a: 1 }, [{ op: 'add', path: '', value: [1] }], /whole document/],
  [{ a: 1 }, [{ op: 'copy', from: '', path: '/b' }], /whole document/],
  [{ a: 1 }, [{ op: 'copy', from: '/a', path: '' }], /whole document/],
  [{ a: 1 }, [{ op: 'move', from: '/a', path: '' }], /whole document/],
  [{}, [{ op: 'add', path: 'a', value: 1 }], /has no "\/"/],
  [[1], [{ op: 'add', path: '/2', value: 1 }], /./],
  [[1], [{ op: 'remove', path: '/1' }], /./],
  [[1], [{ op: 'remove', path: '/-2' }], /./],
  [[1], [{ op: 'add', path: '/-3', value: 1 }], /./],
  [[1], [{ op: 'test', path: '/1', value: null }], /./],
  [{}, [{ op: 'test', path: '/a/b', value: null }], /./],
  [[1], [{ op: 'replace', path: '/1', value: 2 }], /./],
  [{ a: 1 }, [{ op: 'add', path: '/a/b', value: 1 }], /./],
  [{}, [{ op: 'add', path: '/constructor/x', value: 1 }], /./],
]

for (const [target, operations, becomes] of done)
  test(`${JSON.stringify(operations)} makes ${JSON.stringify(target)} ${JSON.stringify(becomes)}`, () => {
    assert.deepEqual(applyJsonPatch(structuredClone(target), operations), becomes)
  })

for (const [target, operations, why] of refused)
  test(`${JSON.stringify(operations)} on ${JSON.stringify(target)} is refused`, () => {
    assert.throws(
      () => applyJsonPatch(structuredClone(target), operations),
      (error: Error) => error instanceof JsonPatchError && why.test(error.message),
    )
  })

test('no name reaches a prototype: it becomes a field like any other, which can be changed and removed', () => {
  const added = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]) as object
  assert.deepEqual(Object.getOwnPropertyDescriptor(added, '__proto__'), {
    value: { x: 1 },
    writable: true,
    enumerable: true,
    configurable: true,
  })
  assert.equal(Object.getPrototypeOf(added), Object.prototype)
})

for (const [target, patch, becomes] of [
  [{ a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: 3 } }, { b: { c: 3, d: 2 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  [1, { a: 1 }, { a: 1 }],
  [{ a: 1 }, 'x', 'x'],
  [{ a: 1 }, ['x'], ['x']],
] as const)
  test(`merged with ${JSON.stringify(patch)}, ${JSON.stringify(target)} becomes ${JSON.stringify(becomes)}`, () => {
    assert.deepEqual(mergePatch(structuredClone(target), patch), becomes)
  })

/** Of an array that holds this text: its brackets, and the quotes and the comma of the text. */
const aroundOneText = 5
const copiedMost = 3_145_728

for (const [what, items, refused] of [
  ['as much as may be', ['x'.repeat(copiedMost - aroundOneText)], false],
  ['one character too much', ['x'.repeat(copiedMost - aroundOneText + 1)], true],
  ['as much as may be, and another item', ['x'.repeat(copiedMost - aroundOneText), null], true],
] as const)
  test(`a patch that copies ${what} is ${refused ? 'refused' : 'carried out'}`, () => {
    const copy = () => applyJsonPatch({ a: items }, [{ op: 'copy', from: '/a', path: '/b' }])
    if (refused) assert.throws(copy, /the accumulated size increase of copy is \d+, exceeding the limit 3145728$/)
    else assert.deepEqual(copy(), { a: items, b: items })
  })

test('a number that is told by its text is one value: copied and merged whole, and the same as its own text alone', () => {
  const odd = new NumberText('2.0')
  const copied = applyJsonPatch({ a: { n: odd } }, [{ op: 'copy', from: '/a', path: '/b' }]) as { b: { n: unknown } }
  assert.equal(copied.b.n, odd)
  assert.equal((mergePatch({ a: { b: 1 } }, { a: odd }) as { a: unknown }).a, odd)
  for (const [value, isSame] of [
    [new NumberText('2.0'), true],
    [new NumberText('2e0'), false],
    [2, false],
  ] as const) {
    const tested = () => applyJsonPatch({ a: odd }, [{ op: 'test', path: '/a', value }])
    if (isSame) assert.deepEqual(tested(), { a: odd })
    else assert.throws(tested, JsonPatchError)
  }
})
