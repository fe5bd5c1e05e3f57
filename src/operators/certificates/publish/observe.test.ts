// Which places are looked at for a Cert, and what is seen there, without a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import type { Reads } from '#runtime'
import { finalizer } from '../api/labels.ts'
import type { CertStatus } from '../api/status.ts'
import type { CertSpec } from '../api.ts'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { publishTypesDefault as types } from './kinds.ts'
import { observePublishing } from './observe.ts'

type Target = NonNullable<CertSpec['publish']>[number]

interface World {
  readonly targets?: readonly Partial<Target>[]
  readonly status?: CertStatus
  readonly metadata?: object
  /** What a look answers, by kind and name or labels. */
  readonly answers?: Readonly<Record<string, unknown>>
}

const object = (name: string): StoredObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { namespace: 'team', name, uid: `u-${name}`, resourceVersion: '1' },
})
const failure = (code: 'refused' | 'unreachable', reason: string): KubeError =>
  new KubeError(code, reason, { status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason } })
const [forbidden, missing, other] = ['Forbidden', 'NotFound', 'Conflict'].map(reason => failure('refused', reason))
const issued = { certificateArn: 'arn', certReady: true } as const

async function seen({ targets = [], status = issued, metadata = {}, answers = {} }: World) {
  const publish = targets.map(target => ({ kind: 'Ingress', primary: false, ...target })) as unknown as readonly Target[]
  const { claim } = certSeen({ spec: { publish }, status, metadata: metadata as never })
  const answer = (key: string): Promise<unknown> => {
    const held = answers[key]
    return held instanceof Error ? Promise.reject(held) : Promise.resolve(held)
  }
  const world = {
    find: () => claim,
    read: ({ kind }: { readonly kind: string }, { namespace, name }: { readonly namespace: string; readonly name: string }) => {
      assert.equal(namespace, 'team')
      return answer(`${kind}/${name}`)
    },
    readAll: (
      { kind }: { readonly kind: string },
      { namespace, labelSelector }: { readonly namespace: string; readonly labelSelector: string },
    ) => {
      assert.equal(namespace, 'team')
      return answer(`${kind}?${labelSelector}`)
    },
  } as unknown as Reads
  const { places } = await observePublishing(
    { namespace: 'team', name: 'api' },
    { world, types, signal: new AbortController().signal },
  )
  return places.map(({ kind, name, isPrimary, isLeft, found, listener, protocolPort }) => {
    const of = found.kind === 'present' ? found.object.metadata.name : found.kind
    return [kind, name, listener ?? protocolPort ?? '', isPrimary ? 'primary' : isLeft ? 'left' : 'wanted', of].join(' ')
  })
}

const web = { name: 'web' }
const held = (more: object = {}) => ({ kind: 'Ingress', name: 'web', applied: true, arn: 'old', ...more })

for (const [what, world, expected] of [
  ['that is there', { targets: [web], answers: { 'Ingress/web': object('web') } }, ['Ingress web  wanted web']],
  ['that is not there', { targets: [web] }, ['Ingress web  wanted missing']],
  ['of a kind that is not installed', { targets: [web], answers: { 'Ingress/web': missing } }, ['Ingress web  wanted missing']],
  ['that nobody may look at', { targets: [web], answers: { 'Ingress/web': forbidden } }, ['Ingress web  wanted forbidden']],
  [
    'that is the primary one of its listener',
    { targets: [{ kind: 'Gateway', name: 'g', listener: 'https', primary: true }] },
    ['Gateway g https primary missing'],
  ],
  [
    'of labels that several have',
    { targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': [object('y'), object('x')] } },
    ['Ingress x  wanted x', 'Ingress y  wanted y'],
  ],
  [
    'of labels that none has',
    { targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': [] } },
    ['Ingress app=a  wanted missing'],
  ],
  [
    'of labels that nobody may look at',
    { targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': forbidden } },
    ['Ingress app=a  wanted forbidden'],
  ],
  [
    'of labels, of a kind that is not installed',
    { targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': missing } },
    ['Ingress app=a  wanted missing'],
  ],
  [
    'that is not named any more',
    { status: { ...issued, published: [held()] }, answers: { 'Ingress/web': object('web') } },
    ['Ingress web  left web'],
  ],
  ['that is named still', { targets: [web], status: { ...issued, published: [held()] } }, ['Ingress web  wanted missing']],
  [
    'that is not named any more, and never had one',
    { status: { ...issued, published: [held({ arn: undefined, applied: false })] } },
    [],
  ],
  [
    'that may have one, and is not named any more',
    { status: { ...issued, published: [held({ arn: undefined, mayHold: ['x'] })] } },
    ['Ingress web  left missing'],
  ],
  ['of a kind that no version knows', { status: { ...issued, published: [held({ kind: 'Odd' })] } }, []],
  [
    'whose listener is another one by now',
    {
      targets: [{ kind: 'Gateway', name: 'g', listener: 'b' }],
      status: { ...issued, published: [held({ kind: 'Gateway', name: 'g', listener: 'a' })] },
    },
    ['Gateway g b wanted missing', 'Gateway g a left missing'],
  ],
  ['before there is a certificate', { targets: [web], status: {} }, []],
  [
    'that has an ARN, while there is no certificate',
    { targets: [web], status: { published: [held()] } },
    ['Ingress web  wanted missing'],
  ],
  [
    'of a Cert that goes',
    { targets: [{ ...web, primary: true }], metadata: { deletionTimestamp: '2026-06-01T00:00:00Z', finalizers: [] } },
    ['Ingress web  left missing'],
  ],
  [
    'of a Cert that goes, and has lost its status',
    { targets: [web], status: {}, metadata: { deletionTimestamp: '2026-06-01T00:00:00Z', finalizers: [] } },
    ['Ingress web  left missing'],
  ],
  [
    'of a Cert that goes, while its certificate is still there',
    { targets: [web], metadata: { deletionTimestamp: '2026-06-01T00:00:00Z', finalizers: [finalizer] } },
    [],
  ],
] satisfies readonly (readonly [string, World, readonly string[]])[])
  test(`a place ${what} is seen so: ${expected.join(', ') || 'not at all'} [16.5]`, async () =>
    assert.deepEqual(await seen(world), expected))

test('of many that have the labels the first fifty by name are looked at [16.5]', async () => {
  const many = Array.from({ length: 51 }, (_, index) => object(`n${100 - index}`))
  const found = await seen({ targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': many } })
  assert.deepEqual([found.length, found[0], found[49]], [50, 'Ingress n100  wanted n100', 'Ingress n98  wanted n98'])
})

test('what is neither there nor forbidden fails the look', async () => {
  await assert.rejects(seen({ targets: [web], answers: { 'Ingress/web': other } }), other)
  await assert.rejects(seen({ targets: [{ selector: { app: 'a' } }], answers: { 'Ingress?app=a': other } }), other)
  const cut = failure('unreachable', 'Forbidden')
  await assert.rejects(seen({ targets: [web], answers: { 'Ingress/web': cut } }), cut)
})
