import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ManualClock, systemFiles } from '#base'
import type { ApiServer } from '../api-server.ts'
import { answerTo } from '../ask.fixture.ts'
import { createApiServer, openApiServer } from '../create-api-server.ts'

const path = '/api/v1/namespaces/default/configmaps'

function open(folder: string): Promise<ApiServer> {
  return openApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', files: systemFiles, folder })
}

test('what a write was answered for is there after the process is gone, with its revision [#211]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  try {
    const first = await open(folder)
    const created = await answerTo(first, 'POST', path, { metadata: { name: 'kept' }, data: { a: '1' } })
    await answerTo(first, 'POST', path, { metadata: { name: 'gone' } })
    await answerTo(first, 'DELETE', `${path}/gone`)
    // Not closed: a process that is killed does not close either. A line cut short must not hurt.
    const journal = (await readdir(folder)).find(name => name.startsWith('journal-')) as string
    await appendFile(join(folder, journal), '{"rev":99')
    const second = await open(folder)
    assert.equal(second.revision, first.revision)
    assert.equal(second.ca, first.ca)
    assert.equal(second.adminToken, first.adminToken)
    assert.equal(second.tokens.jwks(), first.tokens.jwks())
    assert.deepEqual(await answerTo(second, 'GET', `${path}/kept`), created)
    assert.equal((await answerTo(second, 'GET', `${path}/gone`)).reason, 'NotFound')
    const later = await answerTo(second, 'POST', path, { metadata: { name: 'later' } })
    assert.equal(later.metadata.resourceVersion, String(first.revision + 1))
    assert.match(await readFile(join(folder, 'snapshot.jsonl'), 'utf8'), /"kept"/)
    await second.close()
    await first.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a snapshot carries objects, revision and identity into another server', async () => {
  const first = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const created = await answerTo(first, 'POST', path, { metadata: { name: 'a' } })
  const second = createApiServer({ seed: 2, clock: new ManualClock(), controllers: 'none', snapshot: first.snapshot() })
  assert.deepEqual(await answerTo(second, 'GET', `${path}/a`), created)
  assert.equal(second.snapshot(), first.snapshot())
  await Promise.all([first.close(), second.close()])
})

test('a fork sees the same past and neither sees what the other does after', async () => {
  const first = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  await answerTo(first, 'POST', path, { metadata: { name: 'a' } })
  const second = first.fork({ seed: 2 })
  await answerTo(first, 'POST', path, { metadata: { name: 'b' } })
  await answerTo(second, 'DELETE', `${path}/a`)
  const names = async (server: ApiServer): Promise<string[]> => {
    const list = await answerTo(server, 'GET', path)
    return list.items.map(item => item.metadata.name)
  }
  assert.deepEqual(await names(first), ['a', 'b'])
  assert.deepEqual(await names(second), [])
  await Promise.all([first.close(), second.close()])
})
