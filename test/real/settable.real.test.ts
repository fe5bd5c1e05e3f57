// Operations that set a part of a resource, found in every API model of botocore's catalogue: what they add, and that somebody has read each of
// them. A finding that stands on no list is read, with its evidence (`npm run settable -- --data DIR --list 1`), and then written down there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { botocoreData } from './programs/botocore-data.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false
const top = join(import.meta.dirname, '..', '..')
const read = readFileSync(join(import.meta.dirname, 'proven', 'read-findings.txt'), 'utf8')
  .trim()
  .split('\n')

test('every operation that is found for a part of a resource was read by somebody, and they add to what can be set', {
  skip,
}, async t => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(top, 'scripts', 'settable.ts'), '--data', botocoreData(python as Python), '--list', '1'],
    { maxBuffer: 10_000_000 },
  )
  const [services = '', byUpdate = '', withParts = '', ...found] = stdout.trim().split('\n')
  for (const line of [services, byUpdate, withParts]) t.diagnostic(line)
  const fields = (line: string): number => Number(/(\d+) fields of \d+ kinds/.exec(line)?.[1])
  assert.ok(fields(byUpdate) > 5_000, byUpdate)
  assert.ok(fields(withParts) >= fields(byUpdate) + 250, withParts)
  const names = found.map(line => line.replace(/^([^:]+: \w+) takes .*$/, '$1'))
  assert.ok(names.length > 100 && names.length < 200, `${names.length} findings, and the script prints two hundred`)
  assert.deepEqual(
    names.filter(name => !read.includes(name)),
    [],
  )
})
