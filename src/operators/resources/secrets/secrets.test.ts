// Where a manifest names Secrets, and what becomes of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceField, ResourceKind, ResourceService } from '#aws'
import { type ObjectKey, parseNamedObjects, renderKey } from '#kube'
import type { Fields, Resource } from '../api.ts'
import { kindModel } from '../model/kind-model.ts'
import { type ResourcesOptions, settingsOf } from '../options.ts'
import { hearsOfSecrets, mayHoldSecret, mayNameSecrets, secretPaths, secretsNamed } from './named-secrets.ts'
import type { Holder } from './protected-objects.ts'
import { refusedSource } from './secret-access.ts'
import { readSecrets } from './secrets.ts'

const field = (camel: string, type: object): ResourceField =>
  ({ camel, json: camel.charAt(0).toLowerCase() + camel.slice(1), type }) as unknown as ResourceField
const plain = field('Plain', { kind: 'string' })
const spec = [
  plain,
  field('Password', { kind: 'secret' }),
  field('Keys', { kind: 'list', element: { kind: 'secret' } }),
  field('Login', { kind: 'structure', shape: 'Login' }),
  field('Logins', { kind: 'list', element: { kind: 'structure', shape: 'Login' } }),
  field('ExportTo', { kind: 'secret' }),
  field('Circle', { kind: 'structure', shape: 'Circle' }),
]
const structures = {
  Login: [plain, field('Token', { kind: 'secret' })],
  Circle: [field('Circle', { kind: 'structure', shape: 'Circle' })],
}
const service = {
  alias: 'x',
  group: 'x.services.k8s.aws',
  structures,
  model: { operations: {}, shapes: {} },
} as unknown as ResourceService
const kindOf = (fields: readonly ResourceField[]) =>
  kindModel(service, {
    kind: 'Thing',
    version: 'v1',
    plural: 'things',
    spec: fields,
    status: [],
    settings: {},
  } as unknown as ResourceKind)
const model = kindOf(spec)

const claimOf = (given: Fields): Resource =>
  ({ metadata: { namespace: 'apps', name: 'x', uid: 'u' }, spec: given }) as unknown as Resource
const at = (name: string, namespace?: string): object => ({ name, key: 'k', ...(namespace === undefined ? {} : { namespace }) })

test('fields are secret where they, their elements or what is within them is', () => {
  const held = spec.filter(each => mayHoldSecret(model, each)).map(({ camel }) => camel)
  assert.deepEqual(held, ['Password', 'Keys', 'Login', 'Logins', 'ExportTo'])
  assert.deepEqual([mayNameSecrets(model), mayNameSecrets(kindOf([plain])), mayNameSecrets(kindOf([]))], [true, false, false])
})

test('secrets are named wherever a manifest has a place for them, in the namespace of the object where none is said', () => {
  const claim = claimOf({
    plain: at('none'),
    password: at('a'),
    keys: [at('b', 'other'), at('c', '')],
    login: { plain: 'x', token: at('d') },
    logins: [{ token: at('e') }, 'text', { token: { key: 'k' } }],
    exportTo: at('f'),
  })
  assert.deepEqual(secretsNamed(model, claim).map(renderKey), ['apps/a', 'other/b', 'apps/c', 'apps/d', 'apps/e', 'apps/f'])
  assert.deepEqual(secretsNamed(model, claimOf({ password: 'text', keys: [at('')], login: null })), [])
  assert.deepEqual(secretsNamed(model, { metadata: { name: 'x' } } as Resource), [])
})

test('what is compared as a secret is what is given, but for what is written to', () => {
  assert.deepEqual(secretPaths(model, { plain: 'x', password: at('a'), logins: [], exportTo: at('f') }), [
    'Spec.Password',
    'Spec.Logins',
  ])
})

const two = claimOf({ keys: [at('a'), at('b', 'other')] })
for (const [what, options, claim, hears] of [
  ['they are not watched', { watchSecrets: false }, two, false],
  ['they are not watched, and there are none', { watchSecrets: false, secrets: ['*'] }, claimOf({}), false],
  ['those that may be used are named', { secrets: ['apps/a'], watchNamespaces: ['apps'] }, two, true],
  ['all may be used', { secrets: ['*'] }, two, true],
  ['all may be used, of all namespaces that are named', { secrets: ['*'], watchNamespaces: ['apps', 'other'] }, two, true],
  ['all may be used, of one namespace of two', { secrets: ['*'], watchNamespaces: ['apps'] }, two, false],
] as const)
  test(`where ${what}, a change of a Secret ${hears ? 'is told' : 'has to be looked for'}`, () => {
    const given: ResourcesOptions = {
      services: [],
      aws: undefined as never,
      home: undefined as never,
      nowMs: () => 0,
      ...options,
    }
    assert.equal(hearsOfSecrets(model, claim, settingsOf(given)), hears)
  })

const held = (value: string, more: object = {}): Holder =>
  ({ metadata: { name: 'x', uid: 'secret' }, data: { k: Buffer.from(value).toString('base64') }, ...more }) as unknown as Holder

async function read(
  given: Fields,
  { secrets = ['*'] as readonly string[], crossNamespace = false, found = held('open') as Holder | 'missing', uid = 'u' } = {},
) {
  const asked: string[] = []
  const claim = claimOf(given)
  const result = await readSecrets(model, { ...claim, metadata: { ...claim.metadata, uid } }, given, {
    read: (key: ObjectKey) => {
      asked.push(renderKey(key))
      return Promise.resolve(found === 'missing' ? undefined : found)
    },
    crossNamespace,
    access: { secrets: parseNamedObjects(secrets), anySecretType: false },
  })
  return { asked, result }
}

test('values stand where secrets were named, and everything else stays as it is', async () => {
  const { asked, result } = await read({
    plain: 'x',
    password: at('a', ''),
    keys: [at('b'), 'text'],
    login: { plain: 'y', token: at('c') },
    logins: [{ token: at('d') }, 'text', null],
    exportTo: at('f'),
  })
  assert.ok(result.kind === 'read')
  assert.deepEqual(asked, ['apps/a', 'apps/b', 'apps/c', 'apps/d'])
  assert.deepEqual(result.spec, {
    plain: 'x',
    password: 'open',
    keys: ['open', 'text'],
    login: { plain: 'y', token: 'open' },
    logins: [{ token: 'open' }, 'text', null],
    exportTo: at('f'),
  })
})

test('what is no reference to a secret is none: nothing is sent in its place', async () => {
  const { asked, result } = await read({ password: 'text', keys: 'text', login: 'text', logins: { token: at('a') } })
  assert.ok(result.kind === 'read')
  assert.deepEqual([asked, result.hash], [[], undefined])
  assert.deepEqual(result.spec, { password: undefined, keys: 'text', login: 'text', logins: { token: at('a') } })
})

test('what is said to be nothing stays nothing', async () => {
  const { result } = await read({ password: null, keys: undefined })
  assert.ok(result.kind === 'read')
  assert.deepEqual(result.spec, { password: null, keys: undefined })
})

test('the hash of secrets tells that a value changed, and neither which nor that two objects have the same', async () => {
  const hashOf = async (...args: Parameters<typeof read>): Promise<string> => {
    const { result } = await read(...args)
    assert.ok(result.kind === 'read')
    return result.hash ?? ''
  }
  const given = { password: at('a') }
  const first = await hashOf(given)
  assert.match(first, /^[0-9a-f]{32}$/)
  assert.equal(await hashOf(given), first)
  assert.notEqual(await hashOf(given, { found: held('sesame') }), first)
  assert.notEqual(await hashOf(given, { uid: 'v' }), first)
  assert.notEqual(await hashOf(given, { found: held('open', { metadata: { name: 'x', uid: 'made anew' } }) }), first)
})

type Unusable = readonly [what: string, given: Fields, options: Parameters<typeof read>[1], message: RegExp, isRead: boolean]

const of = (more: object): Fields => ({ password: { ...at('a'), ...more } })

for (const [what, given, options, message, isRead] of [
  ['no name', of({ name: undefined }), {}, /^a secret reference needs name and key$/, false],
  ['an empty name', of({ name: '' }), {}, /^a secret reference needs name and key$/, false],
  ['no key', of({ key: undefined }), {}, /^a secret reference needs name and key$/, false],
  [
    'another namespace',
    of({ namespace: 'other' }),
    {},
    /^the secret other\/a is in another namespace than apps, which is not allowed/,
    false,
  ],
  ['a Secret that is not listed', of({}), { secrets: ['apps/b'] }, /^the secret apps\/a is not among those/, false],
  ['a signing key', of({ name: 'awi-signing-key-1' }), {}, /is an operator's own, whose values go nowhere/, false],
  ['what is missing', of({}), { found: 'missing' }, /^kubernetes secret not found: apps\/a$/, true],
  ['a key that it has not', of({ key: 'toString' }), {}, /^the secret apps\/a has no key toString$/, true],
  ['a Secret that holds nothing', of({}), { found: held('', { data: undefined }) }, /^the secret apps\/a has no key k$/, true],
  [
    'another type',
    of({}),
    { found: held('x', { type: 'kubernetes.io/tls' }) },
    /^only opaque secrets can be used: apps\/a is /,
    true,
  ],
] as readonly Unusable[])
  test(`a secret reference to ${what} is told, and ${isRead ? 'the Secret is looked at' : 'nothing is read'}`, async () => {
    const { asked, result } = await read(given, options)
    assert.ok(result.kind === 'unusable')
    assert.match(result.message, message)
    assert.equal(asked.length, isRead ? 1 : 0)
  })

test('a Secret of another namespace is read where the settings let it', async () => {
  const { asked, result } = await read(of({ namespace: 'other' }), { crossNamespace: true })
  assert.deepEqual([asked, result.kind], [['other/a'], 'read'])
})

const key = { namespace: 'apps', name: 'a' }
const labelled = (name: string, value: string): Holder => held('x', { metadata: { name: 'a', labels: { [name]: value } } })
const tls = held('x', { type: 'kubernetes.io/tls' })

for (const [what, found, anySecretType, refused] of [
  ['without a type', held('x'), false, undefined],
  ['of type Opaque', held('x', { type: 'Opaque' }), false, undefined],
  ['of another type', tls, false, /^only opaque secrets/],
  ['of another type, where any may be used', tls, true, undefined],
  ['that was made by us', labelled('app.kubernetes.io/part-of', 'vouch'), true, /operator's own/],
  ['that was made by others', labelled('app.kubernetes.io/part-of', 'shop'), false, undefined],
] as const)
  test(`values of a Secret ${what} are ${refused === undefined ? 'used' : 'not used'}`, () => {
    const message = refusedSource(key, found, { secrets: parseNamedObjects(['*']), anySecretType })
    if (refused === undefined) assert.equal(message, undefined)
    else assert.match(message ?? '', refused)
  })
