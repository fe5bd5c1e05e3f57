import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOptions, type RemoteProviderOptions } from './options.ts'
import { remoteReasonOf } from './remote-error.ts'
import { createRemoteProvider } from './remote-provider.ts'

const minute = 60_000

function never(): never {
  throw new Error('a call was made')
}

const good: RemoteProviderOptions = {
  hub: never,
  namespace: 'edge',
  serviceAccount: { namespace: 'apps', name: 'reader' },
  sessionName: 's',
  stsOf: never,
}

const wrong: readonly (readonly [what: string, change: Readonly<Record<string, unknown>>])[] = [
  ['no hub', { hub: undefined }],
  ['no namespace', { namespace: '' }],
  ['no ServiceAccount', { serviceAccount: undefined }],
  ['a ServiceAccount without a namespace', { serviceAccount: { namespace: '', name: 'reader' } }],
  ['a ServiceAccount without a name', { serviceAccount: { namespace: 'apps', name: '' } }],
  ['no session name', { sessionName: '' }],
  ['no STS', { stsOf: undefined }],
  ['a token of no time', { tokenExpirationMs: 0 }],
  ['a token of less than a second', { tokenExpirationMs: 999 }],
  ['a token of no number', { tokenExpirationMs: Number.NaN }],
  ['a session of less than no time', { sessionDurationMs: -1 }],
  ['a session a millisecond too short', { sessionDurationMs: 15 * minute - 1 }],
  ['a session a millisecond too long', { sessionDurationMs: 720 * minute + 1 }],
]

for (const [what, change] of wrong)
  test(`${what} is told before any call is made [11.2]`, () => {
    const trouble = (): unknown => createRemoteProvider({ ...good, ...change } as RemoteProviderOptions)
    assert.throws(trouble, (error: unknown) => remoteReasonOf(error) === 'InvalidOptions')
  })

test('what is at the limits is taken, and nothing is called [11.2]', () => {
  for (const change of [
    {},
    { tokenExpirationMs: 1_000 },
    { sessionDurationMs: 0 },
    { sessionDurationMs: 15 * minute },
    { sessionDurationMs: 720 * minute },
  ])
    createRemoteProvider({ ...good, ...change })
})

test('defaults, and namespaces trimmed, each once, in order; a star is all [11.2]', () => {
  const { tokenExpirationMs, sessionDurationMs, roleName, region } = checkOptions(good)
  assert.deepEqual([tokenExpirationMs, sessionDurationMs, roleName, region], [15 * minute, 0, '', ''])
  const namespacesOf = (profileNamespaces: readonly string[]): unknown =>
    checkOptions({ ...good, profileNamespaces }).profileNamespaces
  assert.deepEqual(namespacesOf([' b', 'a', '', 'b ']), ['a', 'b'])
  assert.equal(namespacesOf([]), undefined)
  assert.equal(namespacesOf([' ']), undefined)
  assert.equal(namespacesOf(['a', '*']), undefined)
})
