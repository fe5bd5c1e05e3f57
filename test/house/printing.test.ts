import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')
const writes = /\bconsole\.\w+\(|\bprocess\.std(?:out|err)\.write\(/

test('commands print through one place, which shows foreign text as text', () => {
  const allowed = new Map([
    ['src/cli/frame/print.ts', 'the place'],
    ['src/cli/print-manifests.ts', 'the place, for manifests'],
    ['src/cli/dev/dev.ts', 'a screen that draws in colours, and passes all text through the same'],
    ['src/cli/dev/stand-in-for-aws-cli.ts', 'the bytes of an object, as the AWS CLI prints them'],
  ])
  const files = globSync('src/cli/**/*.ts', { cwd: top }).filter(file => !file.endsWith('.test.ts'))
  const writing = files.filter(file => writes.test(readFileSync(join(top, file), 'utf8')))
  assert.deepEqual(new Set(writing), new Set(allowed.keys()))
})

test('other rooms print nothing', () => {
  const files = globSync('src/**/*.ts', { cwd: top }).filter(file => !/^src\/cli\/|\.test\.ts$|\.fixture\.ts$/.test(file))
  const writing = files.filter(file => writes.test(readFileSync(join(top, file), 'utf8')))
  assert.deepEqual(writing, ['src/base/system/log.ts'])
})
