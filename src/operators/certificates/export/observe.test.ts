// What is seen of the Secret of a Cert: its marks, and whether it may be looked at.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KubeError } from '#kube/client'
import type { Reads } from '#runtime'
import { arn, certSeen } from '../testing/cert-seen.fixture.ts'
import { observeExport } from './observe.ts'

const ready = { certificateArn: arn, certReady: true }
const marks = { 'acm.ops.example.dev/certificate-arn': arn, 'acm.ops.example.dev/serial': 's1' }
const labels = { 'app.kubernetes.io/managed-by': 'cert-operator' }
const ownerReferences = [{ uid: 'uid-0' }, { uid: 'uid-1' }]
const refusal = (code: 'refused' | 'unreachable', reason: string): KubeError =>
  new KubeError(code, reason, { status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason } })

interface World {
  readonly secret?: object | Error
  readonly status?: object
  readonly exports?: boolean
  readonly namespaces?: readonly string[]
  readonly isGone?: boolean
}

async function seen({ secret, status = ready, exports = true, namespaces = ['team'], isGone = false }: World) {
  const { claim } = certSeen({ status, ...(exports && { spec: { export: { secretName: 'tls' } } }) })
  let asked: unknown
  const world = {
    find: () => (isGone ? undefined : claim),
    read: (_: unknown, key: unknown) => {
      asked = key
      return secret instanceof Error ? Promise.reject(secret) : Promise.resolve(secret && { metadata: secret })
    },
  } as unknown as Reads
  const signal = new AbortController().signal
  const found = await observeExport({ namespace: 'team', name: 'api' }, { world, namespaces, signal })
  if (asked !== undefined) assert.deepEqual(asked, { namespace: 'team', name: 'tls' })
  return [found.isListed, found.target, asked !== undefined]
}

const missing = { kind: 'missing' }
for (const [what, world, expected] of [
  ['that is not there', {}, [true, missing, true]],
  [
    'that is ours',
    { secret: { labels, annotations: marks, ownerReferences } },
    [true, { kind: 'ours', serial: 's1', arn }, true],
  ],
  [
    'that is ours and lost its marks',
    { secret: { labels, ownerReferences } },
    [true, { kind: 'ours', serial: undefined, arn: undefined }, true],
  ],
  [
    'of another Cert',
    { secret: { labels, annotations: marks, ownerReferences: [{ uid: 'uid-0' }] } },
    [true, { kind: 'foreign' }, true],
  ],
  ['of nobody', { secret: { labels, annotations: marks } }, [true, { kind: 'foreign' }, true]],
  ['without our label', { secret: { annotations: marks, ownerReferences } }, [true, { kind: 'foreign' }, true]],
  ['that may not be looked at', { secret: refusal('refused', 'Forbidden') }, [true, { kind: 'forbidden' }, true]],
  ['in a namespace that is not listed', { namespaces: ['other'] }, [false, missing, false]],
  ['of a Cert that does not serve', { status: { certReady: false } }, [true, missing, false]],
  ['of a Cert that asks for none', { exports: false }, [true, missing, false]],
  ['of a Cert that is gone', { isGone: true }, [true, missing, false]],
] satisfies readonly (readonly [string, World, readonly unknown[]])[])
  test(`a Secret ${what} is ${expected[2] ? '' : 'not '}looked at [16.6]`, async () =>
    assert.deepEqual(await seen(world), expected))

test('a look at a Secret that fails otherwise fails the pass', async () => {
  for (const error of [refusal('refused', 'Conflict'), refusal('unreachable', 'Forbidden'), new TypeError('x')])
    await assert.rejects(seen({ secret: error }), error)
})
