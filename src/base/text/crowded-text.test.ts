import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCrowdedText } from './crowded-text.ts'

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  labels: {a: b}\ndata:\n  - key: value\n---\n'
const megabyteOf = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length))

for (const part of ['a:\n', '- ', '-\n', '---\n', 'a,', '[', '{', '\0', '\r', ' - '])
  test(`a megabyte of ${JSON.stringify(part)} is crowded`, () => {
    assert.ok(isCrowdedText(part.startsWith('-') || part === ' - ' ? megabyteOf(part.repeat(20) + '\n') : megabyteOf(part), 6))
  })

test('a short text may be as dense as it likes', () => {
  assert.ok(!isCrowdedText('[]\n,'.repeat(10_000), 10))
})

test('megabytes of manifests are not crowded, nor is a text of dashes within its lines', () => {
  assert.ok(!isCrowdedText(megabyteOf(`${manifest}# what a person wrote about it, in a line of its own\n`).repeat(3), 6))
  assert.ok(!isCrowdedText(megabyteOf(`name: ${'a-b-c-d-'.repeat(20)}\n`), 10))
})
