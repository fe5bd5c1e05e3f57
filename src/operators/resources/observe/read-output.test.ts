// The Secret that a claim writes to, as it is before anything is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamedObjects } from '#kube'
import type { Resource } from '../api.ts'
import type { SecretOutput } from '../kinds/deviation.ts'
import type { OutputSecret } from '../seen/seen.ts'
import { readOutput } from './read-output.ts'

const target = { namespace: 'team', name: 'out', key: 'k' }
const secretOf = (more: object = {}): OutputSecret => ({ metadata: { namespace: 'team', name: 'out' }, ...more }) as never

for (const [what, asked, secret, told, reads] of [
  ['asks for none', { target: undefined }, secretOf(), 'none', 0],
  ['goes', { metadata: { deletionTimestamp: 'x' } }, secretOf(), 'none', 0],
  ['may write it', {}, secretOf(), 'found', 1],
  ['may write it, of the type that servers of TLS read', {}, secretOf({ type: 'kubernetes.io/tls' }), 'found', 1],
  [
    'asks for one of another type',
    {},
    secretOf({ type: 'x' }),
    'the secret team/out is of type x, and only Opaque or kubernetes.io/tls is written: choose another target',
    1,
  ],
  ['asks for one that is missing', {}, undefined, 'kubernetes secret not found: team/out', 1],
  [
    'stands in another namespace',
    { metadata: { namespace: 'other' } },
    secretOf(),
    /^the secret team\/out is in another namespace than other/,
    0,
  ],
  ['asks for one that may not be written', { secrets: [] }, secretOf(), /^the secret team\/out is not among those/, 0],
] as const)
  test(`of a claim that ${what}, a Secret is ${reads === 0 ? 'not read' : 'read'}`, async () => {
    const { metadata, secrets = ['team/*'] } = asked as { readonly metadata?: object; readonly secrets?: readonly string[] }
    const claim = { metadata: { namespace: 'team', name: 'one', ...metadata } } as unknown as Resource
    let count = 0
    const found = await readOutput({ target: () => ('target' in asked ? undefined : target) } as unknown as SecretOutput, claim, {
      read: () => {
        count += 1
        return Promise.resolve(secret)
      },
      rules: { crossNamespace: false, secrets: parseNamedObjects(secrets), anySecretType: false },
    })
    assert.equal(count, reads)
    if (told === 'none') assert.deepEqual(found, { kind: 'none' })
    else if (told === 'found') assert.deepEqual(found, { kind: 'found', target, secret })
    else {
      assert.ok(found.kind === 'unusable')
      if (typeof told === 'string') assert.equal(found.message, told)
      else assert.match(found.message, told)
    }
  })
