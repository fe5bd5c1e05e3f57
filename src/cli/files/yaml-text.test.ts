import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestsOf } from './yaml-text.ts'

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

test('a manifest is read as kubectl reads it', () => {
  const text = `${head}mode: 0644\non: yes\nbase: &b {x: 1}\nmine: {<<: *b, z: 2}\n---\n# nothing\n---\n${head}`
  const [first, second, ...more] = manifestsOf('a.yaml', text)
  assert.deepEqual(
    { ...first },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      mode: 420,
      true: true,
      base: { x: 1 },
      mine: { x: 1, z: 2 },
    },
  )
  assert.deepEqual([second?.metadata.name, more.length], ['a', 0])
})

test('a list is what it holds', () => {
  const list = 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n'
  assert.deepEqual(
    manifestsOf('a.yaml', list).map(object => object.kind),
    ['Secret'],
  )
})

test('what is no manifest is refused with its place', () => {
  assert.throws(() => manifestsOf('a.yaml', `${head}data: {a: b\n`), /^Error: a\.yaml, line \d+: no YAML: /)
  assert.throws(() => manifestsOf('a.yaml', `${head}data: {[a]: b}\n`), /no YAML: a map has a key that is a map or a list$/)
  assert.throws(
    () => manifestsOf('a.yaml', `${head}---\n- 1\n`),
    /a\.yaml, document 2: an object needs apiVersion, kind and metadata\.name/,
  )
})
