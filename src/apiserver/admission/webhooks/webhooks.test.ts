import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, ManualClock } from '#base'
import type { ApiServer } from '../../api-server.ts'
import { ask } from '../../ask.fixture.ts'
import { createApiServer } from '../../create-api-server.ts'
import { reviewer } from '../../review.fixture.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

function configuration(kind: 'Mutating' | 'Validating', webhook: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `a-${kind.toLowerCase()}` },
    webhooks: [
      {
        name: 'a.b.c',
        clientConfig: { service: { namespace: 'default', name: 'hook', path: '/x' } },
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...webhook,
      },
    ],
  }
}

async function withHook(
  kind: 'Mutating' | 'Validating',
  webhook: Record<string, unknown>,
  handler: HttpExchange | undefined,
): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  if (handler !== undefined) server.serve({ namespace: 'default', service: 'hook' }, handler)
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`
  const made = await ask(server, 'POST', path, configuration(kind, webhook))
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return server
}

test('a mutating webhook adds a label, which no manager owns [#175]', async () => {
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { added: 'yes' } }])).toString('base64')
  const server = await withHook(
    'Mutating',
    {},
    reviewer(() => ({ allowed: true, patchType: 'JSONPatch', patch, warnings: ['careful'] })),
  )
  const { status, body, headers } = await ask(server, 'POST', configMaps, { metadata: { name: 'a' } })
  assert.equal(status, 201)
  assert.deepEqual(body.metadata.labels, { added: 'yes' })
  assert.deepEqual(headers.warning, ['299 - "careful"'])
  assert.equal(JSON.stringify(body.metadata.managedFields ?? []).includes('f:labels'), false)
  await server.close()
})

test('a denial carries the code and message of the webhook, or 400 without explanation [#176]', async () => {
  const server = await withHook(
    'Validating',
    {},
    reviewer(request => {
      if (request.name === 'coded') return { allowed: false, status: { code: 403, message: 'no' } }
      return { allowed: false }
    }),
  )
  const coded = await ask(server, 'POST', configMaps, { metadata: { name: 'coded' } })
  assert.deepEqual([coded.status, coded.body.message], [403, 'admission webhook "a.b.c" denied the request: no'])
  const plain = await ask(server, 'POST', configMaps, { metadata: { name: 'plain' } })
  assert.deepEqual([plain.status, plain.body.message], [400, 'admission webhook "a.b.c" denied the request without explanation'])
  await server.close()
})

test('a webhook that cannot be reached fails the request, or is ignored [#177]', async () => {
  const failing = await withHook('Validating', {}, undefined)
  const refused = await ask(failing, 'POST', configMaps, { metadata: { name: 'a' } })
  assert.equal(refused.status, 500)
  assert.match(refused.body.message, /^Internal error occurred: failed calling webhook "a\.b\.c": failed to call webhook: /)
  const ignoring = await withHook('Validating', { failurePolicy: 'Ignore' }, undefined)
  assert.equal((await ask(ignoring, 'POST', configMaps, { metadata: { name: 'a' } })).status, 201)
  await Promise.all([failing.close(), ignoring.close()])
})

test('a slow webhook fails after its timeout and not before [#178]', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, controllers: 'none' })
  server.serve({ namespace: 'default', service: 'hook' }, () => new Promise(() => {}))
  await ask(
    server,
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    configuration('Validating', { timeoutSeconds: 1 }),
  )
  let answered = false
  const pending = ask(server, 'POST', configMaps, { metadata: { name: 'a' } }).then(answer => {
    answered = true
    return answer
  })
  await clock.advance(999)
  assert.equal(answered, false)
  await clock.advance(1)
  assert.match((await pending).body.message, /context deadline exceeded/)
  await server.close()
  assert.equal(clock.pendingCount(), 0)
})

test('an answer with another uid, or with a patch and no type, counts as a failed call [#179]', async () => {
  const server = await withHook(
    'Mutating',
    {},
    reviewer(request => (request.name === 'uid' ? { uid: 'other', allowed: true } : { allowed: true, patch: 'W10=' })),
  )
  for (const name of ['uid', 'patch']) {
    const { status, body } = await ask(server, 'POST', configMaps, { metadata: { name } })
    assert.equal(status, 500)
    assert.match(body.message, /received invalid webhook response/)
  }
  await server.close()
})

test('a deletion is reviewed with the old object and no new one [#184]', async () => {
  const seen: unknown[] = []
  const server = await withHook(
    'Validating',
    {},
    reviewer(request => {
      seen.push([request.operation, request.object, request.oldObject?.metadata.name])
      return { allowed: true }
    }),
  )
  await ask(server, 'POST', configMaps, { metadata: { name: 'a' } })
  await ask(server, 'DELETE', `${configMaps}/a`)
  assert.deepEqual(seen[1], ['DELETE', null, 'a'])
  await server.close()
})

test('a false match condition skips the webhook, an error in one is forbidden, or skips it with Ignore [#181]', async () => {
  const calls: string[] = []
  const handler = reviewer(request => {
    calls.push(request.name)
    return { allowed: true }
  })
  const conditions = (expression: string): Record<string, unknown> => ({ matchConditions: [{ name: 'c', expression }] })
  const labelled = await withHook('Validating', conditions("has(object.data) && object.data.call == 'yes'"), handler)
  await ask(labelled, 'POST', configMaps, { metadata: { name: 'a' }, data: { call: 'yes' } })
  await ask(labelled, 'POST', configMaps, { metadata: { name: 'b' }, data: { call: 'no' } })
  assert.deepEqual(calls, ['a'])
  const failing = await withHook('Validating', conditions("object.data.missing == 'x'"), handler)
  assert.equal((await ask(failing, 'POST', configMaps, { metadata: { name: 'c' }, data: { x: '' } })).status, 403)
  const ignoring = await withHook('Validating', { ...conditions("object.data.missing == 'x'"), failurePolicy: 'Ignore' }, handler)
  assert.equal((await ask(ignoring, 'POST', configMaps, { metadata: { name: 'd' }, data: { x: '' } })).status, 201)
  assert.deepEqual(calls, ['a'])
  await Promise.all([labelled.close(), failing.close(), ignoring.close()])
})

test('a mutating webhook that patches a deletion fails it, and the object stays', async () => {
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: {} }])).toString('base64')
  const server = await withHook(
    'Mutating',
    {},
    reviewer(({ operation }) => (operation === 'DELETE' ? { allowed: true, patchType: 'JSONPatch', patch } : { allowed: true })),
  )
  await ask(server, 'POST', configMaps, { metadata: { name: 'a' } })
  const { status, body } = await ask(server, 'DELETE', `${configMaps}/a`)
  assert.deepEqual(
    [status, body.message],
    [
      500,
      'Internal error occurred: admission webhook "a.b.c" attempted to modify the object, which is not supported for this operation',
    ],
  )
  assert.equal((await ask(server, 'GET', `${configMaps}/a`)).status, 200)
  await server.close()
})
