// Which volume holds the token: one that is there, or one that is made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PatchObject } from '../patch.ts'
import { tokenVolume } from './layout.ts'

const sources = [{ serviceAccountToken: { path: 'p' } }]
const classic = { layout: 'classic', sources, audience: 'a' } as const
const reserved = { layout: 'reserved', sources, audience: 'a' } as const
const podOf = (volumes: readonly PatchObject[], metadata: PatchObject = { name: 'p' }): PatchObject => ({
  metadata,
  spec: { volumes },
})
const tokens = (name: string, ...held: readonly PatchObject[]): PatchObject => ({
  name,
  projected: { sources: held.map(serviceAccountToken => ({ serviceAccountToken })) },
})

for (const [what, names, expected] of [
  ['nobody has our name', ['v'], 'azure-identity-token'],
  ['somebody has our name', ['azure-identity-token'], 'azure-identity-token-2'],
  ['somebody has the second one too', ['azure-identity-token', 'azure-identity-token-2'], 'azure-identity-token-3'],
  ['somebody has the second one alone', ['azure-identity-token-2'], 'azure-identity-token'],
] as const)
  test(`where ${what}, the volume that is made is called ${expected} [F-15]`, () => {
    const volumes = names.map(name => ({ name, emptyDir: {} }))
    assert.deepEqual(tokenVolume(podOf(volumes), [], classic), {
      name: expected,
      operations: [{ op: 'add', path: '/spec/volumes/-', value: { name: expected, projected: { sources } } }],
    })
  })

test('a pod without volumes is given the list, and one without a spec as well', () => {
  const value = [{ name: 'azure-identity-token', projected: { sources } }]
  for (const pod of [{ spec: {} }, { spec: null }, {}])
    assert.deepEqual(tokenVolume(pod, [], classic).operations, [{ op: 'add', path: '/spec/volumes', value }])
})

const atPath = { path: 'azure-identity-token' }

for (const [what, volumes, name, count] of [
  ['one token of two lies where ours would', [tokens('v', { path: 'x' }, atPath)], 'v', 0],
  ['our volume holds the token', [{ name: 'v' }, tokens('azure-identity-token', atPath)], 'azure-identity-token', 0],
  [
    'another volume holds the token and somebody has our name',
    [tokens('v', atPath), { name: 'azure-identity-token' }],
    'azure-identity-token',
    0,
  ],
  ['a token lies elsewhere', [tokens('v', { path: 'x' })], 'azure-identity-token', 1],
  ['a projected volume is empty', [tokens('v')], 'azure-identity-token', 1],
  ['something else is projected', [{ name: 'v', projected: { sources: [{ secret: {} }, null] } }], 'azure-identity-token', 1],
] as const satisfies readonly (readonly [string, readonly PatchObject[], string, number])[])
  test(`where ${what}, ${name} is mounted, and ${count === 0 ? 'no volume' : 'one'} is made [F-16]`, () => {
    const made = tokenVolume(podOf(volumes), [], classic)
    assert.deepEqual([made.name, made.operations.length], [name, count])
  })

/** Of pod p. */
const ownName = 'azure-workload-identity-reserved-148de9c5a7a44d19e56cd9ae1a554b'
const wanted = { name: ownName, projected: { sources } }

test('what stands under the name of the reserved volume is replaced where it is anything else, and only there [§3.6]', () => {
  const at = (volumes: readonly PatchObject[]): unknown => tokenVolume(podOf(volumes), [], reserved)
  const replace = (index: number) => [{ op: 'replace', path: `/spec/volumes/${index}`, value: wanted }]
  assert.deepEqual(at([wanted]), { name: ownName, operations: [] })
  assert.deepEqual(at([{ name: 'v' }, wanted]), { name: ownName, operations: [] })
  assert.deepEqual(at([{ name: ownName, emptyDir: {} }]), { name: ownName, operations: replace(0) })
  assert.deepEqual(at([{ name: 'v' }, { ...wanted, emptyDir: {} }]), { name: ownName, operations: replace(1) })
})

const earlier = 'azure-workload-identity-reserved-0'
const token = { path: 'token/azure-identity-token', audience: 'a' }
const mounted = (mounts: readonly PatchObject[]): PatchObject => ({ name: 'c', volumeMounts: mounts })
const usual = { name: earlier, mountPath: '/var/run/secrets/azure/wi' }
const other = { name: 'v', mountPath: '/v' }

for (const [what, volume, containers, isFound] of [
  ['that a container mounts', tokens(earlier, token), [mounted([usual])], true],
  ['that one container of two mounts', tokens(earlier, token), [mounted([]), mounted([usual])], true],
  ['that a container mounts beside another', tokens(earlier, token), [mounted([other, usual])], true],
  ['with another token beside ours', tokens(earlier, { path: 'x' }, token), [mounted([usual])], true],
  ['that no container mounts', tokens(earlier, token), [mounted([other])], false],
  ['that is mounted at another path', tokens(earlier, token), [mounted([{ ...usual, mountPath: '/x' }])], false],
  ['at whose path another volume is mounted', tokens(earlier, token), [mounted([{ ...usual, name: 'v' }])], false],
  ['whose token is for somebody else', tokens(earlier, { ...token, audience: 'b' }), [mounted([usual])], false],
  ['whose token lies elsewhere', tokens(earlier, { ...token, path: 'x' }), [mounted([usual])], false],
  ['that holds no token', tokens(earlier), [mounted([usual])], false],
  ['that has a name of its own', tokens('own', token), [mounted([{ ...usual, name: 'own' }])], false],
] as const satisfies readonly (readonly [string, PatchObject, readonly PatchObject[], boolean])[])
  test(`a reserved volume ${what} is ${isFound ? 'gone on with' : 'not taken for ours'} [F-24]`, () => {
    const { name, operations } = tokenVolume(podOf([{ name: 'v' }, volume]), containers, reserved)
    assert.deepEqual([name, operations.length], isFound ? [earlier, 0] : [ownName, 1])
  })
