import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tarOf } from '../testing/registry.fixture.ts'
import { fileInTar } from './tar.ts'

test('a size that leads back is no size: whoever writes a release must not keep the operator going round [4.3.2]', () => {
  for (const size of ['-0000001000', '-0000000001', '00000000008', '1e1        ', '           ']) {
    const archive = tarOf({ first: '', second: 'text' })
    archive.write(size, 512 + 124)
    assert.throws(() => fileInTar(archive, 'third'), /no tar archive/, size)
  }
  assert.equal(Buffer.from(fileInTar(tarOf({ first: '', second: 'text' }), 'second') ?? []).toString(), 'text')
})

const text = (found: Uint8Array | undefined): string | undefined =>
  found === undefined ? undefined : Buffer.from(found).toString()
const endBytes = 1_024

/** An archive with one file, whose header is as it is told. */
function archiveWith(fields: readonly (readonly [at: number, text: string])[], content = 'content'): Buffer {
  const archive = tarOf({ file: content, 'after-it': 'more' })
  for (const [at, field] of fields) archive.write(field, at)
  return archive
}

const inHeader: readonly (readonly [what: string, archive: Buffer, name: string, found: string | undefined])[] = [
  ['by its name', archiveWith([]), 'file', 'content'],
  ['behind one whose size is no whole number of blocks', archiveWith([]), 'after-it', 'more'],
  ['behind one that fills its block', archiveWith([], 'x'.repeat(512)), 'after-it', 'more'],
  ['of more than a block', archiveWith([], 'x'.repeat(600)), 'file', 'x'.repeat(600)],
  ['behind one of more than a block', archiveWith([], 'x'.repeat(600)), 'after-it', 'more'],
  ['behind an empty one', archiveWith([], ''), 'after-it', 'more'],
  ['with a dot and a slash before its name', tarOf({ './file': 'content' }), 'file', 'content'],
  ['with a slash before its name', tarOf({ '/file': 'content' }), 'file', 'content'],
  ['with a prefix', archiveWith([[345, 'folder']]), 'folder/file', 'content'],
  ['by its name alone where it has a prefix', archiveWith([[345, 'folder']]), 'file', undefined],
  ['with a prefix that fills its field', archiveWith([[345, `${'f'.repeat(155)}12`]]), `${'f'.repeat(155)}/file`, 'content'],
  ['with a name that fills its field', archiveWith([[0, `${'n'.repeat(100)}0000644`]]), 'n'.repeat(100), 'content'],
  ['with a size that fills its field', archiveWith([[124, '00000000000714']]), 'file', 'content'],
  [
    'of which there are two',
    Buffer.concat([tarOf({ file: 'first' }).subarray(0, -endBytes), tarOf({ file: 'last' })]),
    'file',
    'last',
  ],
  ['without blocks of zeros at the end', tarOf({ file: 'content' }).subarray(0, -endBytes), 'file', 'content'],
  ['that ends with the archive', tarOf({ file: 'content' }).subarray(0, 512 + 7), 'file', 'content'],
  ['that is empty and ends with the archive', tarOf({ file: '' }).subarray(0, 512), 'file', ''],
  ['behind the end of the archive', Buffer.concat([tarOf({ other: '' }), tarOf({ file: 'content' })]), 'file', undefined],
  ['that is not there', archiveWith([]), 'another', undefined],
  ['of an empty archive', Buffer.alloc(0), 'file', undefined],
]

for (const [what, archive, name, found] of inHeader)
  test(`a file ${what} is ${found === undefined ? 'not ' : ''}found in an archive [4.3.2]`, () => {
    assert.equal(text(fileInTar(archive, name)), found)
  })

test('an archive that ends within a file is told, and so is a header of another kind [4.3.2]', () => {
  assert.throws(() => fileInTar(tarOf({ file: 'content' }).subarray(0, 512 + 6), 'file'), /^Error: a layer is cut short$/)
  assert.throws(() => fileInTar(archiveWith([[124, '70000000000']]), 'file'), /^Error: a layer is cut short$/)
  assert.throws(() => fileInTar(archiveWith([[257, 'other']]), 'file'), /^Error: a layer is no tar archive$/)
})
