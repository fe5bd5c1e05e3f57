// What reviews, token requests, bindings and evictions say of their bodies: seen by asking a real server 1.34 the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const core = '/api/v1/namespaces/default'
const authorization = '/apis/authorization.k8s.io/v1'
const own = `${authorization}/selfsubjectaccessreviews`
const local = `${authorization}/namespaces/default/localsubjectaccessreviews`
const token = `${core}/serviceaccounts/a/token`
const strangeName = 'metadata: Invalid value: '

async function world(): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
  await ask(server, 'POST', `${core}/serviceaccounts`, { metadata: { name: 'a' } })
  const spec = { serviceAccountName: 'a', containers: [{ name: 'c', image: 'i' }] }
  const made = await ask(server, 'POST', `${core}/pods`, { metadata: { name: 'p' }, spec })
  assert.equal(made.status, 201, made.text)
  return server
}

const fieldSelector = (requirement: object): object => ({
  spec: { resourceAttributes: { verb: 'get', resource: 'pods', fieldSelector: { requirements: [requirement] } } },
})
const labelSelector = (requirement: object): object => ({
  spec: { resourceAttributes: { verb: 'get', resource: 'pods', labelSelector: { requirements: [requirement] } } },
})
const binding = (metadata: object, target: unknown = { name: 'n' }): object => ({ metadata, target })
const unread = (kind: string): string =>
  `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: `
const unhandled = (kind: string): string => `${kind} in version "v1" cannot be handled as a ${kind}: `
const notOfNamespace = 'the namespace of the provided object does not match the namespace sent on the request'

const rows: readonly (readonly [string, string, string, unknown, number, string])[] = [
  ['a question with a name and no subject', 'POST', own, { metadata: { name: 'x' } }, 422, `must be specified, ${strangeName}`],
  [
    'a field without key',
    'POST',
    own,
    fieldSelector({ operator: 'Exists' }),
    422,
    'requirements[0].key: Required value: must be specified',
  ],
  [
    'a strange value of a label',
    'POST',
    own,
    labelSelector({ key: 'a', operator: 'In', values: ['A b!'] }),
    422,
    'requirements[0].values[0]: Invalid value: "A b!": a valid label',
  ],
  [
    'a local question with a name about another namespace',
    'POST',
    local,
    { metadata: { name: 'x' }, spec: { user: 'u', resourceAttributes: { namespace: 'y' } } },
    422,
    'must be empty except for namespace, spec.resourceAttributes.namespace: Invalid value: "y"',
  ],
  ['a token request without body', 'POST', token, '', 400, `${unread('TokenRequest')}unexpected end of JSON input (<empty>)`],
  ['a token request that is a list', 'POST', token, '[]', 400, `${unread('TokenRequest')}json: cannot unmarshal array`],
  [
    'a token request of another kind',
    'POST',
    token,
    { apiVersion: 'v1', kind: 'Other' },
    400,
    'no kind "Other" is registered for version "v1"',
  ],
  [
    'a token request of another version',
    'POST',
    token,
    { apiVersion: 'authentication.k8s.io/v2', kind: 'TokenRequest' },
    400,
    'TokenRequest in version "v2" cannot be handled',
  ],
  [
    'a token request of another name for an account that is not there',
    'POST',
    `${core}/serviceaccounts/z/token`,
    { metadata: { name: 'y' } },
    422,
    'must match the service account name if specified',
  ],
  [
    'a token request that is too short for an account that is not there',
    'POST',
    `${core}/serviceaccounts/z/token`,
    { spec: { expirationSeconds: 1 } },
    404,
    'serviceaccounts "z" not found',
  ],
  [
    'a token bound to a name with a slash',
    'POST',
    token,
    { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a/b/c' } } },
    400,
    `Name parameter invalid: "a/b/c": may not contain '/'`,
  ],
  [
    'a token bound to what is of no version',
    'POST',
    token,
    { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'a/b/c', name: 'p' } } },
    201,
    '',
  ],
  [
    'a binding of another pod',
    'POST',
    `${core}/pods/p/binding`,
    binding({ name: 'q' }),
    400,
    'name in URL does not match name in Binding object',
  ],
  [
    'a binding in another namespace',
    'POST',
    `${core}/pods/p/binding`,
    binding({ name: 'p', namespace: 'x' }),
    400,
    notOfNamespace,
  ],
  [
    'a binding without body',
    'POST',
    `${core}/pods/p/binding`,
    '',
    400,
    `${unread('Binding')}unexpected end of JSON input (<empty>)`,
  ],
  [
    'a binding whose target is a list',
    'POST',
    `${core}/pods/p/binding`,
    binding({ name: 'p' }, []),
    400,
    `${unhandled('Binding')}json: cannot unmarshal array into Go struct field Binding.target of type v1.ObjectReference`,
  ],
  [
    'a binding with a field that nobody knows',
    'POST',
    `${core}/pods/p/binding?fieldValidation=Strict`,
    binding({ name: 'p', odd: 1 }),
    400,
    `${unhandled('Binding')}strict decoding error: unknown field "metadata.odd"`,
  ],
  [
    'a binding of another uid',
    'POST',
    `${core}/pods/p/binding?dryRun=All`,
    binding({ name: 'p', uid: 'x' }),
    409,
    'Key: /pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: ',
  ],
  [
    'a binding of another revision',
    'POST',
    `${core}/bindings?dryRun=All`,
    binding({ name: 'p', resourceVersion: '1' }),
    409,
    'Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ',
  ],
  [
    'a binding that comes to the collection without a name',
    'POST',
    `${core}/bindings`,
    binding({}),
    400,
    'Name parameter required.',
  ],
  [
    'a binding that comes to the collection with a name of two parts',
    'POST',
    `${core}/bindings`,
    binding({ name: 'a/b' }),
    400,
    `Name parameter invalid: "a/b": may not contain '/'`,
  ],
  [
    'a binding that comes to the collection for no pod',
    'POST',
    `${core}/bindings`,
    binding({ name: 'q' }),
    404,
    'pods "q" not found',
  ],
  [
    'a binding that comes to the collection with a uid',
    'POST',
    `${core}/bindings?dryRun=All`,
    binding({ name: 'p', uid: 'x' }),
    201,
    '',
  ],
  [
    'an eviction with a field that nobody knows',
    'POST',
    `${core}/pods/p/eviction?fieldValidation=Strict`,
    { metadata: { name: 'p' }, odd: 1 },
    400,
    `${unhandled('Eviction')}strict decoding error: unknown field "odd"`,
  ],
  [
    'an eviction that passes over what cannot be read',
    'POST',
    `${core}/pods/z/eviction`,
    { metadata: { name: 'z' }, deleteOptions: { ignoreStoreReadErrorWithClusterBreakingPotential: true } },
    422,
    'Eviction.policy "z" is invalid: deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: can not be set for pod eviction, try after removing the option',
  ],
  [
    'an eviction of no pod with options that are wrong',
    'POST',
    `${core}/pods/q/eviction`,
    { metadata: { name: 'q' }, deleteOptions: { propagationPolicy: 'Odd' } },
    404,
    'pods "q" not found',
  ],
  [
    'an eviction that is two trials',
    'POST',
    `${core}/pods/p/eviction?dryRun=All`,
    { metadata: { name: 'p' }, deleteOptions: { dryRun: ['Odd'] } },
    500,
    'Non-matching dry-run options in request and content: [All] and [Odd]',
  ],
]

for (const [what, method, target, body, status, message] of rows)
  test(`${what} is answered as by a real server: ${status}`, async () => {
    const server = await world()
    const reply = await ask(server, method, target, body)
    assert.equal(reply.status, status, reply.text)
    if (status >= 400) assert.ok(reply.body.message.includes(message), reply.body.message)
    await server.close()
  })

test('a binding that comes to the collection binds the pod that it names', async () => {
  const server = await world()
  assert.equal((await ask(server, 'POST', `${core}/bindings`, binding({ name: 'p' }))).status, 201)
  const { body } = await ask<{ spec: { nodeName: string } }>(server, 'GET', `${core}/pods/p`)
  assert.equal(body.spec.nodeName, 'n')
  await server.close()
})

test('who asks for himself is answered without the name and the labels that he gave his question', async () => {
  const server = await world()
  const metadata = { name: 'x', labels: { a: 'b' } }
  const rules = await ask(server, 'POST', `${authorization}/selfsubjectrulesreviews`, {
    metadata,
    spec: { namespace: 'default' },
  })
  assert.deepEqual(rules.body.metadata, {})
  const self = await ask(server, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { metadata })
  assert.deepEqual(Object.keys(self.body.metadata), ['creationTimestamp'])
  await server.close()
})

test('a token comes with the labels of the request for it', async () => {
  const server = await world()
  const { body } = await ask(server, 'POST', token, { metadata: { labels: { a: 'b' } } })
  assert.deepEqual([body.metadata.name, body.metadata.labels], ['a', { a: 'b' }])
  await server.close()
})
