import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ManualClock, systemFiles } from '#base'
import type { ApiServer } from '../api-server.ts'
import { createApiServer, openApiServer } from '../create-api-server.ts'

async function ask(server: ApiServer, method: string, target: string, body?: unknown): Promise<Record<string, never>> {
  const response = await server.as()({
    method,
    target,
    headers: {},
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  })
  return JSON.parse(Buffer.from(response.body as Uint8Array).toString())
}

const path = '/api/v1/namespaces/default/configmaps'

function open(folder: string): Promise<ApiServer> {
  return openApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', files: systemFiles, folder })
}

test('211 what a write was answered for is there after the process is gone, with its revision', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  try {
    const first = await open(folder)
    const created = await ask(first, 'POST', path, { metadata: { name: 'kept' }, data: { a: '1' } })
    await ask(first, 'POST', path, { metadata: { name: 'gone' } })
    await ask(first, 'DELETE', `${path}/gone`)
    // Not closed: a process that is killed does not close either. A line cut short must not hurt.
    const journal = (await readdir(folder)).find(name => name.startsWith('journal-')) as string
    await appendFile(join(folder, journal), '{"rev":99')
    const second = await open(folder)
    assert.equal(second.revision, first.revision)
    assert.equal(second.ca, first.ca)
    assert.equal(second.adminToken, first.adminToken)
    assert.equal(second.tokens.jwks(), first.tokens.jwks())
    assert.deepEqual(await ask(second, 'GET', `${path}/kept`), created)
    assert.equal((await ask(second, 'GET', `${path}/gone`)).reason, 'NotFound')
    const later = (await ask(second, 'POST', path, { metadata: { name: 'later' } })) as unknown as {
      metadata: { resourceVersion: string }
    }
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
  const created = await ask(first, 'POST', path, { metadata: { name: 'a' } })
  const second = createApiServer({ seed: 2, clock: new ManualClock(), controllers: 'none', snapshot: first.snapshot() })
  assert.deepEqual(await ask(second, 'GET', `${path}/a`), created)
  assert.equal(second.snapshot(), first.snapshot())
  await Promise.all([first.close(), second.close()])
})

test('a fork sees the same past and neither sees what the other does after', async () => {
  const first = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  await ask(first, 'POST', path, { metadata: { name: 'a' } })
  const second = first.fork({ seed: 2 })
  await ask(first, 'POST', path, { metadata: { name: 'b' } })
  await ask(second, 'DELETE', `${path}/a`)
  const names = async (server: ApiServer): Promise<string[]> => {
    const list = (await ask(server, 'GET', path)) as unknown as { items: { metadata: { name: string } }[] }
    return list.items.map(item => item.metadata.name)
  }
  assert.deepEqual(await names(first), ['a', 'b'])
  assert.deepEqual(await names(second), [])
  await Promise.all([first.close(), second.close()])
})
