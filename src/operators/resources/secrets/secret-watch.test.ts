// Which Secrets are followed, and whom a change of one wakes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamedObjects } from '#kube'
import type { Watch } from '#runtime'
import { deviationOf } from '../kinds/deviations.ts'
import { modelOf } from '../testing/parts.ts'
import { namesSecrets, secretWatches } from './secret-watch.ts'

const { type } = modelOf('acm', 'Certificate')
const watches = (secrets: readonly string[], watchNamespaces?: readonly string[]): readonly Watch[] =>
  secretWatches({ access: parseNamedObjects(secrets), claims: type, index: 'secrets', watchNamespaces })

const types = 'type!=helm.sh/release.v1,type!=kubernetes.io/service-account-token'

for (const [what, found, expected] of [
  ['no Secret', watches([]), []],
  ['all Secrets', watches(['*']), [[types, undefined, 'named by claims']]],
  ['all Secrets of what is watched', watches(['*'], ['a']), [[types, ['a'], 'named by claims']]],
  ['the Secrets of a namespace', watches(['team/*']), [[types, ['team'], 'named by claims: team']]],
  [
    'two Secrets',
    watches(['team/web', 'team/db']),
    [
      ['metadata.name=web', ['team'], 'named by claims: team/web'],
      ['metadata.name=db', ['team'], 'named by claims: team/db'],
    ],
  ],
] as const)
  test(`where ${what} may be used, ${expected.length} watches follow their names, and nothing that they hold`, () => {
    assert.deepEqual(
      found.map(({ fieldSelector, namespaces, apart }) => [fieldSelector, namespaces, apart]),
      expected,
    )
    assert.ok(found.every(({ metadataOnly, type: followed }) => metadataOnly === true && followed.kind === 'Secret'))
  })

test('a Secret wakes those that name it', () => {
  const asked: unknown[] = []
  const byIndex = (...about: readonly unknown[]): readonly object[] => {
    asked.push(about)
    return [{ metadata: { namespace: 'apps', name: 'one' } }]
  }
  const [watch] = watches(['*'])
  assert.ok(watch !== undefined)
  const woken = watch.toClaims(
    { metadata: { namespace: 'team', name: 'web' } } as never,
    { byIndex } as never,
    undefined as never,
  )
  assert.deepEqual([asked, woken], [[[type, 'secrets', 'team/web']], [{ namespace: 'apps', name: 'one' }]])
})

test('a kind names Secrets where its manifests have a place for one, or where AWS makes what belongs into one', () => {
  const deviation = deviationOf('iam/Role')
  const role = modelOf('iam', 'Role')
  assert.equal(namesSecrets({ model: role, deviation }), false)
  assert.equal(namesSecrets({ model: role, deviation: { ...deviation, output: {} as never } }), true)
  assert.equal(namesSecrets({ model: modelOf('acm', 'Certificate'), deviation }), true)
})
