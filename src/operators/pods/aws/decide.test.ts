// Which method, with which values, by the order of authority of §2.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AwsWebhookOptions,
  type ConfigMapEntry,
  defaultAwsOptions,
  type IdentitySnapshot,
  type ServiceAccountIdentity,
} from './api.ts'
import { decideInjection, type Injection } from './decide.ts'

const account: ServiceAccountIdentity = { roleArn: 'sa', audience: 'sa-aud', regionalSts: false, expirationSeconds: 5_000n }
const entry: ConfigMapEntry = { roleArn: 'cm', audience: 'cm-aud', regionalSts: false, expirationSeconds: 6_000n }

interface Given {
  readonly account?: Partial<ServiceAccountIdentity>
  readonly exact?: Partial<ConfigMapEntry>
  readonly wildcard?: Partial<ConfigMapEntry>
  readonly isListed?: boolean
  readonly pod?: string
  readonly flags?: Partial<AwsWebhookOptions>
  /** What is drawn below the bound. */
  readonly draw?: (below: number) => number
}

function decided({ account: says, exact, wildcard, isListed = false, pod, flags, draw }: Given): Injection | undefined {
  const snapshot: IdentitySnapshot = {
    serviceAccount: says && { ...account, ...says },
    exactEntry: exact && { ...entry, ...exact },
    wildcardEntry: wildcard && { ...entry, ...wildcard },
    usesContainerCredentials: isListed,
  }
  return decideInjection({
    snapshot,
    podExpiration: pod,
    flags: { ...defaultAwsOptions, ...flags },
    randomBelow: draw ?? (() => assert.fail('something was drawn')),
    warn: () => {},
  })
}

const asDefault = { configMapDefaultAudience: true, tokenAudience: 'flag-aud' }

for (const [what, given, [roleArn, audience, expirationSeconds, regionalSts]] of [
  ['a ServiceAccount', { account: {} }, ['sa', 'sa-aud', 5_000n, false]],
  ['a ServiceAccount before both entries', { account: {}, exact: {}, wildcard: {} }, ['sa', 'sa-aud', 5_000n, false]],
  ['a ServiceAccount without an audience', { account: { audience: '' }, flags: asDefault }, ['sa', '', 5_000n, false]],
  ['a ServiceAccount with regional endpoints', { account: { regionalSts: true } }, ['sa', 'sa-aud', 5_000n, true]],
  ['the pod before its ServiceAccount', { account: {}, pod: '7000' }, ['sa', 'sa-aud', 7_000n, false]],
  ['an entry', { exact: {} }, ['cm', 'cm-aud', 6_000n, false]],
  ['an entry for any namespace', { wildcard: {} }, ['cm', 'cm-aud', 6_000n, false]],
  ['an entry, where the ServiceAccount has no role', { account: { roleArn: '' }, exact: {} }, ['cm', 'cm-aud', 6_000n, false]],
  ['an entry with regional endpoints', { exact: { regionalSts: true } }, ['cm', 'cm-aud', 6_000n, true]],
  ['the pod before its entry', { exact: {}, pod: '7000' }, ['cm', 'cm-aud', 7_000n, false]],
  ['an entry without an audience', { exact: { audience: '' }, flags: { tokenAudience: 'flag-aud' } }, ['cm', '', 6_000n, false]],
  [
    'an entry without an audience, with that of the flag',
    { exact: { audience: '' }, flags: asDefault },
    ['cm', 'flag-aud', 6_000n, false],
  ],
  ['an entry with an audience, beside that of the flag', { exact: {}, flags: asDefault }, ['cm', 'cm-aud', 6_000n, false]],
  [
    'an entry without a life',
    { exact: { expirationSeconds: 0n }, flags: { tokenExpirationSeconds: 8_000n } },
    ['cm', 'cm-aud', 8_000n, false],
  ],
] as const satisfies readonly (readonly [string, Given, readonly [string, string, bigint, boolean]])[])
  test(`the role by ${what}: ${roleArn} for ${audience || 'no audience'}, ${expirationSeconds} seconds [2.3]`, () => {
    assert.deepEqual(decided(given), { method: 'web-identity', roleArn, audience, expirationSeconds, regionalSts })
  })

for (const [what, given] of [
  ['nobody knows of', {}],
  ['has no role', { account: { roleArn: '' } }],
  ['has an entry without a role', { exact: { roleArn: '' } }],
  ['has an exact entry without a role beside one for any namespace', { exact: { roleArn: '' }, wildcard: {} }],
  ['nobody knows of, whatever the pod says of a life', { pod: '7000' }],
] as const satisfies readonly (readonly [string, Given])[])
  test(`one that ${what} is given nothing [2.3]`, () => assert.equal(decided(given), undefined))

for (const [what, given, [expirationSeconds, regionalSts]] of [
  ['an unknown one', { draw: () => 0 }, [79_200n, false]],
  ['a ServiceAccount', { account: {} }, [5_000n, false]],
  ['a ServiceAccount before its entry', { account: {}, exact: { regionalSts: true } }, [5_000n, false]],
  ['a ServiceAccount with regional endpoints', { account: { regionalSts: true } }, [5_000n, true]],
  ['an entry', { exact: {} }, [6_000n, false]],
  ['an entry with regional endpoints', { exact: { regionalSts: true } }, [6_000n, true]],
  ['an entry without a life', { exact: { expirationSeconds: 0n }, flags: { tokenExpirationSeconds: 8_000n } }, [8_000n, false]],
  ['an entry for any namespace alone', { wildcard: { regionalSts: true }, draw: () => 0 }, [79_200n, false]],
  ['the pod', { account: {}, exact: {}, pod: '7000' }, [7_000n, false]],
] as const satisfies readonly (readonly [string, Given, readonly [bigint, boolean]])[])
  test(`container credentials by ${what} last ${expirationSeconds} seconds [2.3, 2.9]`, () => {
    assert.deepEqual(decided({ ...given, isListed: true }), {
      method: 'container-credentials',
      roleArn: '',
      audience: 'pods.eks.amazonaws.com',
      expirationSeconds,
      regionalSts,
    })
  })

for (const [drawn, seconds] of [
  [0, 79_200n],
  [1, 79_201n],
  [7_200, 86_400n],
] as const)
  test(`where nothing says otherwise they last from 79,200 to 86,400 seconds, both possible: ${drawn} drawn gives ${seconds} [2.9]`, () => {
    const bounds: number[] = []
    const draw = (below: number): number => (bounds.push(below), drawn)
    assert.equal(decided({ isListed: true, draw })?.expirationSeconds, seconds)
    assert.deepEqual(bounds, [7_201])
  })
