// Which Secret is copied to where, and when nothing is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import type { DnsSpec } from '../api/spec.ts'
import type { CredentialsSecret } from '../external-dns/seen.ts'
import { dnsSeen } from '../testing/dns-seen.fixture.ts'
import { type CredentialsSeen, decideCredentials } from './controller.ts'
import { wantedCredentialsRequest } from './request.ts'
import { sourceProblem, sourceSecretName, usesSecret } from './source.ts'

const named = { credentials: { name: 'mine' } }
const identity = (mode: string): object => ({ workloadIdentity: { mode, roleARN: 'r' } })
const spec = (type: string, aws: object = {}, more: object = {}): DnsSpec =>
  ({ provider: { type, aws, ...more }, source: { type: 'Service' } }) as unknown as DnsSpec

for (const [what, of, isOpenShift, name, mounts] of [
  ['that names a Secret', spec('AWS', named), false, 'mine', true],
  ['that names a Secret, on OpenShift', spec('AWS', named), true, 'mine', true],
  ['that names none', spec('AWS'), false, undefined, true],
  ['that names an empty one', spec('AWS', { credentials: { name: '' } }), false, undefined, true],
  ['that names none, on OpenShift', spec('AWS'), true, 'externaldns-cloud-credentials', true],
  ['that names none, of a provider that OpenShift does not manage', spec('Infoblox'), true, undefined, true],
  ['with a role of OpenShift', spec('AWS', identity('OpenShiftSTS')), true, 'externaldns-cloud-credentials-blue', true],
  ['with a role of its ServiceAccount', spec('AWS', { ...named, ...identity('IRSA') }), true, undefined, false],
  ['with an identity of AWS and another provider', spec('GCP', identity('IRSA'), { gcp: named }), false, 'mine', true],
] as const)
  test(`the credentials of an object ${what} come from ${name ?? 'nowhere'}${mounts ? '' : ', and its operand mounts none'}`, () =>
    assert.deepEqual([sourceSecretName('blue', of, isOpenShift), usesSecret(of)], [name, mounts]))

const openShift = { isOpenShift: true, type: 'AWS', awsRegion: 'us-east-1', gcpProject: '' }

for (const [what, of, platform, request] of [
  ['that names its Secret', spec('AWS', named), openShift, undefined],
  ['that names none', spec('AWS'), openShift, 'externaldns-credentials-request-aws'],
  ['that names none, elsewhere', spec('AWS'), { ...openShift, isOpenShift: false }, undefined],
  ['of a provider that OpenShift does not manage', spec('BlueCat'), openShift, undefined],
  ['with a role of OpenShift', spec('AWS', identity('OpenShiftSTS')), openShift, 'externaldns-credentials-request-aws-blue'],
  ['with another identity', spec('AWS', identity('IRSA')), openShift, undefined],
  [
    'with an identity of AWS and another provider',
    spec('GCP', identity('IRSA')),
    openShift,
    'externaldns-credentials-request-gcp',
  ],
] as const)
  test(`for an object ${what} ${request === undefined ? 'nothing is asked' : `it is asked by ${request}`} of the platform`, () => {
    const wanted = wantedCredentialsRequest({ name: 'blue', spec: of, platform, operatorNamespace: 'ours' })
    assert.equal(wanted?.metadata.name, request)
  })

const owner = (kind: string, uid: string, controller = true): object => ({
  metadata: { name: 's', ownerReferences: [{ apiVersion: 'v1', kind, name: 'n', uid, controller }] },
})

for (const [what, source, isStrange] of [
  ['that nobody owns', { metadata: { name: 's' } }, false],
  ['that was made for this object', owner('ExternalDNS', 'uid-1'), false],
  ['that was made for another', owner('ExternalDNS', 'uid-2'), true],
  ['that another object only mentions', owner('ExternalDNS', 'uid-2', false), false],
  ['that something else made', owner('SealedSecret', 'uid-2'), false],
] as const)
  test(`a Secret ${what} may ${isStrange ? 'not ' : ''}be named`, () =>
    assert.equal(sourceProblem(source as never, dnsSeen().dns) !== undefined, isStrange))

const data = (text: string): object => ({ credentials: Buffer.from(text).toString('base64') })
const source = (text: string, more: object = {}) =>
  ({ metadata: { name: 'mine', uid: 's', resourceVersion: '1' }, data: data(text), ...more }) as unknown as CredentialsSecret
const target = (text: string | undefined, uid = 'uid-1') =>
  ({
    metadata: {
      name: 'external-dns-credentials-blue',
      uid: 't',
      resourceVersion: '1',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ExternalDNS', name: uid === 'uid-1' ? 'blue' : 'red', uid, controller: true }],
    },
    ...(text === undefined ? {} : { data: data(text) }),
  }) as unknown as CredentialsSecret

function seen(more: Partial<CredentialsSeen> & { readonly settings?: object; readonly metadata?: object } = {}): CredentialsSeen {
  const { settings = {}, metadata = {}, ...rest } = more
  const { dns, surroundings } = dnsSeen({ settings, metadata, spec: { provider: spec('AWS', named).provider } })
  return { dns, surroundings, sourceName: 'mine', source: source('a'), target: undefined, ...rest }
}

const together = { operatorNamespace: 'external-dns' }
const itself = 'external-dns-credentials-blue'

for (const [what, of, expected] of [
  ['whose source is there', seen(), 'create'],
  ['that is gone', undefined, undefined],
  ['that goes', seen({ metadata: { deletionTimestamp: 'now' } }), undefined],
  ['whose source is not there', seen({ source: undefined, target: target('a') }), undefined],
  ['whose source is of no use', seen({ source: source('') }), undefined],
  [
    'whose source was made for another object',
    seen({ source: { ...source('a'), ...owner('ExternalDNS', 'uid-2') } as never }),
    undefined,
  ],
  ['whose copy is as its source', seen({ target: target('a') }), undefined],
  ['whose copy is not as its source', seen({ target: target('b') }), 'update'],
  ['whose copy is empty', seen({ target: target(undefined) }), 'update'],
  ['in whose place is another’s', seen({ target: target('b', 'uid-2') }), undefined],
  [
    'that names the very copy',
    seen({ settings: together, sourceName: itself, source: source('a'), target: target('b') }),
    undefined,
  ],
  ['that names a Secret beside its copy', seen({ settings: together }), 'create'],
  ['that names a Secret elsewhere, called as its copy', seen({ sourceName: itself }), 'create'],
] as const)
  test(`for an object ${what} ${expected === undefined ? 'nothing is copied' : `there is one ${expected}`}`, () => {
    const { actions } = decideCredentials(of)
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      expected === undefined ? [] : [expected],
    )
    const [action] = actions
    if (action?.kind === 'create' || action?.kind === 'update') assert.deepEqual(contentOf(action.object), data('a'))
  })

const contentOf = (object: KubeObject): unknown => Reflect.get(object, 'data')

test('an object in whose place is another’s Secret says so and waits for a change', () => {
  assert.deepEqual(decideCredentials(seen({ target: target('b', 'uid-2') })).next, {
    kind: 'stalled',
    reason: 'OwnedByAnother',
    message: 'the secret external-dns-credentials-blue exists and is not ours',
  })
})
