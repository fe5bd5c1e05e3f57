// What is written into one object, by what stands there: each row a place, what it has of others, and what it has afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import type { OwnArns } from './arn-list.ts'
import { publishTypesDefault as types } from './kinds.ts'
import type { FoundObject, PlaceSeen } from './seen.ts'
import { type PlaceWrite, writeInto } from './write.ts'

const claim =
  certSeen({ status: { certificateArn: 'new', certReady: true, domainName: 'a.dev', expirationDate: '2027-01-01T00:00:00Z' } })
    .claim ?? assert.fail()

interface About {
  readonly isLeft?: boolean
  readonly isPrimary?: boolean
  /** What is ours to take the place of. */
  readonly former?: readonly string[]
  readonly current?: string | undefined
  readonly place?: Partial<PlaceSeen>
}

function written(kind: PlaceSeen['kind'], found: FoundObject, about: About = {}): PlaceWrite {
  const { isLeft = false, isPrimary = false, former = ['old'], place = {} } = about
  const current = 'current' in about ? about.current : isLeft ? undefined : 'new'
  const arns: OwnArns = { current, former: new Set(former), isPrimary }
  return writeInto({ claim, place: { kind, name: 'x', isPrimary, isLeft, found, ...place }, arns, types })
}

const object = (rest: object, metadata: object = {}): FoundObject => ({
  kind: 'present',
  object: {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { namespace: 'team', name: 'x', uid: 'uid-x', resourceVersion: '7', ...metadata },
    ...rest,
  } as StoredObject,
})

const [nothing, conflict, missing, forbidden] = ['nothing', 'not: Conflict', 'not: TargetMissing', 'not: Forbidden'] as const

/** The word for what is not written, or what the action has of this. */
function said(write: PlaceWrite, of: (action: never) => unknown): unknown {
  if (write.kind === 'write') return of(write.action as never)
  return write.kind === 'not' ? `not: ${write.reason}` : nothing
}

const annotation = 'alb.ingress.kubernetes.io/certificate-arn'
const ingress = (text: string | undefined): FoundObject =>
  object({}, text === undefined ? {} : { annotations: { [annotation]: text } })

for (const [what, text, about, expected] of [
  ['of an Ingress without any', undefined, {}, 'new'],
  ['behind those of others', 'a,b', {}, 'a,b,new'],
  ['that stands there', 'a,new', {}, nothing],
  ['that stands there, written with blanks', 'a, new', {}, nothing],
  ['that is taken out, as the only one', 'old', { isLeft: true }, null],
  ['that is taken out beside others', 'a,old', { isLeft: true }, 'a'],
  ['that is taken out and stands nowhere', 'a', { isLeft: true }, nothing],
] satisfies readonly (readonly [string, string | undefined, About, unknown])[])
  test(`the ARN ${what} makes ${JSON.stringify(expected)} of the annotation [16.5]`, () => {
    const write = written('Ingress', ingress(text), about)
    const valueOf = ({
      body,
    }: {
      readonly body: { readonly metadata: { readonly annotations: Record<string, unknown> } }
    }): unknown => body.metadata.annotations[annotation]
    assert.deepEqual(said(write, valueOf), expected)
  })

test('an annotation is written on the very version that was read [16.5]', () => {
  const write = written('Service', object({}))
  assert.ok(write.kind === 'write')
  assert.deepEqual(write.action, {
    kind: 'patch',
    type: types.Service,
    key: { namespace: 'team', name: 'x' },
    patch: 'merge',
    body: { metadata: { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-ssl-cert': 'new' } } },
    uid: 'uid-x',
    resourceVersion: '7',
  })
})

for (const kind of ['Ingress', 'Service', 'Gateway', 'LoadBalancerConfiguration'] as const)
  test(`${kind}: what is not there, or may not be looked at, is told while it is wanted, and no more when it is left [16.5]`, () => {
    const told = (found: FoundObject, isLeft: boolean): unknown => said(written(kind, found, { isLeft }), () => 'written')
    const [gone, hidden] = [{ kind: 'missing' }, { kind: 'forbidden' }] as const
    assert.deepEqual([told(gone, false), told(gone, true)], [missing, nothing])
    assert.deepEqual([told(hidden, false), told(hidden, true)], [forbidden, nothing])
  })

const option = 'application-networking.k8s.aws/certificate-arn'
const gateway = (options: object | undefined): FoundObject =>
  object({
    spec: {
      class: 'c',
      listeners: [
        { name: 'first', tls: { options: { [option]: 'a' } } },
        { name: 'https', port: 443, ...(options === undefined ? {} : { tls: { mode: 'Terminate', options } }) },
      ],
    },
  })
const https = { place: { listener: 'https' } }

interface Listener {
  readonly tls?: { readonly options: object }
}

for (const [what, options, about, expected] of [
  ['a listener without any', {}, https, { [option]: 'new' }],
  ['a listener without TLS', undefined, https, { [option]: 'new' }],
  ['a listener with other options', { x: '1' }, https, { x: '1', [option]: 'new' }],
  ['a listener that has our former one', { [option]: 'old' }, https, { [option]: 'new' }],
  ['a listener that has it', { [option]: 'new' }, https, nothing],
  ['a listener that has another’s', { [option]: 'a' }, https, conflict],
  ['a listener that has another’s, and is left', { [option]: 'a' }, { ...https, isLeft: true }, nothing],
  ['a listener that has what is no text', { [option]: 7 }, https, conflict],
  ['a listener that is left', { x: '1', [option]: 'old' }, { ...https, isLeft: true }, { x: '1' }],
  ['a listener that is left, and has nothing', { x: '1' }, { ...https, isLeft: true }, nothing],
  ['a listener that is not there', {}, { place: { listener: 'other' } }, missing],
  ['a listener that is not there, and is left', {}, { place: { listener: 'other' }, isLeft: true }, nothing],
] satisfies readonly (readonly [string, object | undefined, About, unknown])[])
  test(`${what} of a Gateway has ${JSON.stringify(expected)} afterwards [16.5]`, () => {
    const optionsOf = ({ object: after }: { readonly object: { readonly spec: { readonly listeners: readonly Listener[] } } }) =>
      after.spec.listeners[1]?.tls?.options
    assert.deepEqual(said(written('Gateway', gateway(options), about), optionsOf), expected)
  })

test('the first listener of several is found as well [16.5]', () => {
  const first = gateway({})
  assert.equal(
    said(written('Gateway', first, { place: { listener: 'first' } }), () => 'written'),
    conflict,
  )
  assert.equal(
    said(written('Gateway', first, { place: { listener: 'first' }, former: ['a'] }), () => 'written'),
    'written',
  )
  const at80 = { place: { protocolPort: 'HTTP:80' } }
  assert.equal(
    said(written('LoadBalancerConfiguration', configuration({}), at80), () => 'written'),
    'written',
  )
})

test('of a Gateway nothing but the one option is changed, on the version that was read [16.5]', () => {
  const write = written('Gateway', gateway({}), https)
  assert.ok(write.kind === 'write' && write.action.kind === 'update')
  assert.deepEqual([write.action.type, write.action.object.metadata.resourceVersion], [types.Gateway, '7'])
  assert.deepEqual(Reflect.get(write.action.object, 'spec'), {
    class: 'c',
    listeners: [
      { name: 'first', tls: { options: { [option]: 'a' } } },
      { name: 'https', port: 443, tls: { mode: 'Terminate', options: { [option]: 'new' } } },
    ],
  })
  assert.deepEqual(
    said(written('Gateway', object({}), https), () => 'written'),
    missing,
  )
})

const configuration = (listener: object): FoundObject =>
  object({
    spec: { scheme: 's', listenerConfigurations: [{ protocolPort: 'HTTP:80' }, { protocolPort: 'HTTPS:443', ...listener }] },
  })
const at443 = { place: { protocolPort: 'HTTPS:443' } }

for (const [what, listener, about, expected] of [
  ['without any', {}, at443, { certificates: ['new'] }],
  ['without any, as the primary one', {}, { ...at443, isPrimary: true }, { defaultCertificate: 'new' }],
  ['with others', { certificates: ['a'] }, at443, { certificates: ['a', 'new'] }],
  ['with our former one', { certificates: ['old', 'a'] }, at443, { certificates: ['new', 'a'] }],
  ['with ours', { certificates: ['a', 'new'] }, at443, nothing],
  ['with ours as its default, as the primary one', { defaultCertificate: 'new' }, { ...at443, isPrimary: true }, nothing],
  [
    'with our former one as its default, as the primary one',
    { defaultCertificate: 'old', certificates: ['a'] },
    { ...at443, isPrimary: true },
    { defaultCertificate: 'new', certificates: ['a'] },
  ],
  ['with another’s default, as the primary one', { defaultCertificate: 'a' }, { ...at443, isPrimary: true }, conflict],
  ['with another’s default', { defaultCertificate: 'a' }, at443, { defaultCertificate: 'a', certificates: ['new'] }],
  ['with our former one as its default', { defaultCertificate: 'old' }, at443, { certificates: ['new'] }],
  [
    'with ours in its list, as the primary one',
    { certificates: ['old'] },
    { ...at443, isPrimary: true },
    { defaultCertificate: 'new' },
  ],
  [
    'with ours, which is left',
    { defaultCertificate: 'old', certificates: ['a', 'old'] },
    { ...at443, isLeft: true },
    { certificates: ['a'] },
  ],
  [
    'with another’s default, which the primary one leaves',
    { defaultCertificate: 'a', certificates: ['old'] },
    { ...at443, isLeft: true, isPrimary: true },
    { defaultCertificate: 'a' },
  ],
  [
    'with our former one as its default, while there is none, as the primary one',
    { defaultCertificate: 'old' },
    { ...at443, isPrimary: true, current: undefined },
    {},
  ],
  ['that is not there', {}, { place: { protocolPort: 'TLS:443' } }, missing],
  ['that is not there, which is left', {}, { place: { protocolPort: 'TLS:443' }, isLeft: true }, nothing],
] satisfies readonly (readonly [string, object, About, unknown])[])
  test(`a listener of a load balancer ${what} has ${JSON.stringify(expected)} afterwards [16.5]`, () => {
    const listenerOf = ({ object: after }: { readonly object: { readonly spec: object } }): unknown => {
      const { scheme, listenerConfigurations } = after.spec as { scheme: string; listenerConfigurations: readonly object[] }
      const [first, { protocolPort, ...rest }] = listenerConfigurations as [object, { protocolPort: string }]
      assert.deepEqual([scheme, first, protocolPort], ['s', { protocolPort: 'HTTP:80' }, 'HTTPS:443'])
      return rest
    }
    assert.deepEqual(said(written('LoadBalancerConfiguration', configuration(listener), about), listenerOf), expected)
  })

const ownLabels = { labels: { 'app.kubernetes.io/managed-by': 'cert-operator' } }
const ownerReferences = [{ apiVersion: 'v1', kind: 'Cert', name: 'api', uid: 'uid-1' }]
const mine = { ...ownLabels, ownerReferences }
const data = { certificateArn: 'new', domainName: 'a.dev', expirationDate: '2027-01-01T00:00:00Z' }

for (const [what, found, about, expected] of [
  ['that is not there', { kind: 'missing' }, {}, 'apply'],
  ['that is not there, and is left', { kind: 'missing' }, { isLeft: true }, nothing],
  ['that may not be looked at', { kind: 'forbidden' }, {}, forbidden],
  ['that says it', object({ data }, mine), {}, nothing],
  ['that says something else', object({ data: { ...data, domainName: 'b' } }, mine), {}, 'apply'],
  ['that says nothing', object({}, mine), {}, 'apply'],
  ['that is left', object({ data }, mine), { isLeft: true }, 'delete'],
  ['that is left while there is an ARN', object({ data }, mine), { isLeft: true, current: 'new' }, 'delete'],
  ['that is wanted while there is no ARN', object({ data }, mine), { current: undefined }, 'delete'],
  ['of somebody else', object({ data }), {}, conflict],
  ['of another Cert', object({ data }, { ...mine, ownerReferences: [{ uid: 'uid-2' }] }), {}, conflict],
  ['that lost our label', object({ data }, { ownerReferences }), {}, conflict],
  ['of somebody else that is left', object({ data }), { isLeft: true }, nothing],
  ['of another Cert that is left', object({ data }, { ...mine, ownerReferences: [{ uid: 'uid-2' }] }), { isLeft: true }, nothing],
  ['without our label that is left', object({ data }, { ownerReferences }), { isLeft: true }, nothing],
] satisfies readonly (readonly [string, FoundObject, About, string])[])
  test(`a ConfigMap ${what}: ${expected} [16.5, #114]`, () => {
    assert.equal(
      said(written('ConfigMap', found, about), ({ kind }: { readonly kind: string }) => kind),
      expected,
    )
  })

test('a ConfigMap that is made says what the certificate is, and whose it is [16.5]', () => {
  const write = written('ConfigMap', { kind: 'missing' })
  assert.ok(write.kind === 'write' && write.action.kind === 'apply')
  const { apiVersion, kind, name, uid } = { ...claim, ...claim.metadata }
  assert.deepEqual(write.action.object, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'team', name: 'x', ...ownLabels, ownerReferences: [{ apiVersion, kind, name, uid }] },
    data,
  })
  assert.deepEqual(write.action.mark, ownLabels)
})
