import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { systemFiles } from '../system/files.ts'
import type { Files } from './files.ts'
import { memoryFiles } from './memory-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-'))
after(() => rmSync(folder, { recursive: true }))

async function textAt(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path)
  return bytes && Buffer.from(bytes).toString()
}

for (const [where, files, root] of [
  ['on the machine', systemFiles, folder],
  ['in memory', memoryFiles(), '/root'],
] as const) {
  describe(`files ${where}`, () => {
    test('are written, replaced, renamed, listed and removed', async () => {
      await files.makeFolder(`${root}/a`)
      assert.equal(await files.read(`${root}/a/none`), undefined)
      assert.equal(await files.info(`${root}/a/none`), undefined)
      assert.deepEqual(await files.list(`${root}/none`), [])
      await files.write(`${root}/a/two`, 'first')
      await files.write(`${root}/a/two`, Buffer.from('second'))
      await files.write(`${root}/a/one`, 'x', { mode: 0o644 })
      assert.equal(await textAt(files, `${root}/a/two`), 'second')
      assert.deepEqual(await files.list(`${root}/a`), ['one', 'two'])
      const info = await files.info(`${root}/a/two`)
      assert.deepEqual([info?.bytes, info?.kind], [6, 'file'])
      assert.equal((await files.info(`${root}/a`))?.kind, 'folder')
      await files.rename(`${root}/a/one`, `${root}/a/three`)
      assert.equal(await textAt(files, `${root}/a/three`), 'x')
      await files.remove(`${root}/a`)
      await files.remove(`${root}/a`)
      assert.deepEqual(await files.list(`${root}/a`), [])
    })

    test('that grow keep what was appended', async () => {
      const journal = await files.openAppend(`${root}/journal`)
      await journal.append(Buffer.from('a'))
      await journal.sync()
      await journal.append(Buffer.from('b'))
      await journal.close()
      const again = await files.openAppend(`${root}/journal`)
      await again.append(Buffer.from('c'))
      await again.close()
      assert.equal(await textAt(files, `${root}/journal`), 'abc')
    })

    test('errors name the path', async () => {
      await files.makeFolder(`${root}/folder/inner`)
      await assert.rejects(files.write(`${root}/folder`, 'x'), new RegExp(`cannot write ${root}/folder: `))
      await assert.rejects(files.rename(`${root}/gone`, `${root}/x`), new RegExp(`cannot rename ${root}/gone: `))
    })
  })
}

test('a secret file is readable by its owner only, and no draft is left when writing fails [X8]', async () => {
  const path = join(folder, 'secret')
  await systemFiles.write(path, 'x')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  await systemFiles.write(path, 'x', { mode: 0o644 })
  assert.equal(statSync(path).mode & 0o777, 0o644)
  await systemFiles.makeFolder(join(folder, 'busy', 'inner'))
  await assert.rejects(systemFiles.write(join(folder, 'busy'), 'x'))
  assert.deepEqual(
    (await systemFiles.list(folder)).filter(name => name.endsWith('.new')),
    [],
  )
})

test('in memory a power cut takes what was not synced', async () => {
  const files = memoryFiles({ '/old': 'kept' })
  const journal = await files.openAppend('/journal')
  await journal.append(Buffer.from('synced'))
  await journal.sync()
  await journal.append(Buffer.from(' lost'))
  files.cutPower()
  assert.equal(await textAt(files, '/journal'), 'synced')
  assert.equal(await textAt(files, '/old'), 'kept')
  assert.equal(files.modeOf('/old'), 0o600)
})
