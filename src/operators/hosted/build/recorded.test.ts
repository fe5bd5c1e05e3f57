// Everything that is built here, held against what the platform's own builders gave for the same input.
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { parseCertificate, seededRandom } from '#base'
import { parseKubeconfig } from '#kube/client'
import { type ControlPlane, controlPlaneKind } from '../api/kinds.ts'
import { authoritySecret, testAuthority, testKeys } from '../testing/authorities.fixture.ts'
import { type GoldenVector, noVectors, readVectors, type SecretVector, type SidecarVector } from '../testing/vectors.fixture.ts'
import { type Authority, type PlatformSecret, readAuthority, textIn } from './authority.ts'
import { ourChoices, upstreamChoices } from './choices.ts'
import { type KubeApiserver, withSidecar } from './deployment.ts'
import { desiredStateAnnotation, desiredStateHash } from './desired-state.ts'
import { buildGuestObjects } from './guest-objects.ts'
import { placeSidecar } from './placed-sidecar.ts'
import { platformOf, type SidecarInput } from './platform.ts'
import { providers, type SidecarCloud } from './provider.ts'
import { issueSecret, judgeSecret, kubeconfigSecret, renderSecret, type SecretPlan, servingSecret } from './secrets.ts'
import { buildSidecar } from './sidecar.ts'

const now = Date.parse('2026-06-01T00:00:00Z')
const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

function inputOf({ input }: SidecarVector): SidecarInput {
  const { platform: type, region = '', tenantID = '', cloud = '', apiServerPort, tlsProfile } = input
  const answer = platformOf(
    {
      platform: { type, aws: { region }, azure: { tenantID, cloud } },
      networking: { apiServer: apiServerPort === undefined ? {} : { port: apiServerPort } },
      configuration: { apiServer: tlsProfile === null ? {} : { tlsSecurityProfile: tlsProfile } },
    },
    ['AWS', 'Azure'],
  )
  assert.ok(answer.kind === 'sidecar')
  return answer.input
}

for (const vector of vectors?.sidecars ?? []) {
  test(`the sidecar of ${vector.id} is the platform's own, with the flags that give its form [S-03, S-18, S-19, S-20, S-27, 4.6, 9.3 #2]`, () => {
    const input = inputOf(vector)
    const { container, volumes } = buildSidecar(input, providers[input.cloud].name, upstreamChoices)
    assert.deepEqual({ container, volumes }, { container: vector.container, volumes: vector.volumes })
  })

  test(`the program of ${vector.id} is started without a shell, and otherwise the same [4.6.1]`, () => {
    const input = inputOf(vector)
    const theirs = buildSidecar(input, 'image', upstreamChoices).container
    const { command, args, ...rest } = buildSidecar(input, 'image', ourChoices).container
    const { command: theirCommand, args: theirArgs, ...theirRest } = theirs
    assert.deepEqual(rest, theirRest)
    assert.equal(args, undefined)
    const script = theirArgs?.[0]?.slice(theirArgs[0].indexOf('exec ') + 5).split(/\s+\\?\s*/)
    assert.deepEqual(command, script?.filter(word => word !== '') ?? theirCommand)
  })
}

test('there are recorded sidecars for both clouds and eleven profiles', { skip }, () => {
  assert.equal(vectors?.sidecars.length, 24)
})

const goldenOf: Readonly<Record<string, SidecarCloud | undefined>> = {
  'default (AWS)': 'AWS',
  'ModernTLS (AWS)': 'AWS',
  'TechPreviewNoUpgrade (AWS)': 'AWS',
  'AROSwift (Azure)': 'Azure',
}

for (const [name, golden] of Object.entries(vectors?.golden ?? {})) {
  test(`in the whole Deployment of ${name} the sidecar has its place and its form [S-16, S-21, H-01, H-02, H-04]`, () => {
    const cloud = goldenOf[name]
    if (cloud === undefined) {
      assert.deepEqual([golden.sidecar, golden.volumes], [null, []])
      return
    }
    const tlsSecurityProfile = name.startsWith('Modern') ? { type: 'Modern' } : {}
    const spec = { platform: { type: cloud, aws: {}, azure: {} }, configuration: { apiServer: { tlsSecurityProfile } } }
    const answer = platformOf(spec, ['AWS', 'Azure'])
    assert.ok(answer.kind === 'sidecar')
    const sidecar = buildSidecar(answer.input, providers[cloud].name, upstreamChoices)
    const { container, volumes } = placeSidecar(sidecar, true)
    assert.deepEqual([container, volumes], [golden.sidecar, golden.volumes.slice(0, 2)])
    const { containers, volumes: placed = [] } = withSidecar(withoutOurs(golden, cloud), sidecar).spec.template.spec
    // What the platform adds afterwards comes after the sidecar's there, and stands before it where the sidecar comes into a whole Deployment.
    const ours = [providers[cloud].servingVolume, providers[cloud].kubeconfigVolume]
    const others = (names: readonly string[]): readonly string[] =>
      names.filter(one => one !== providers[cloud].name && !ours.includes(one))
    assert.deepEqual(others(containers.map(one => one.name)), others(golden.containerOrder))
    assert.deepEqual(
      placed.map(one => one.name),
      [...others(golden.volumeOrder), ...ours],
    )
    assert.equal(containers.at(-1)?.name, providers[cloud].name)
  })
}

function withoutOurs({ containerOrder, volumeOrder }: GoldenVector, cloud: SidecarCloud): KubeApiserver {
  const { name, servingVolume, kubeconfigVolume } = providers[cloud]
  const containers = containerOrder.filter(one => one !== name).map(one => ({ name: one }))
  const volumes = volumeOrder
    .filter(one => one !== servingVolume && one !== kubeconfigVolume)
    .map(one => ({ name: one, ...(one === 'tmp-dir' ? { emptyDir: {} } : {}) }))
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { template: { spec: { containers, volumes } } } }
}

for (const cloud of ['AWS', 'Azure'] as const) {
  test(`the guest of ${cloud} gets the platform's own objects, with the flags that give their form [S-08, S-24, S-25, 4.7, 4.8]`, {
    skip,
  }, () => {
    const { role, binding, configuration } = buildGuestObjects(cloud, 'ROOT-CA-PEM', upstreamChoices)
    assert.deepEqual([role, binding, configuration], vectors?.guestObjects[cloud])
  })
}

test('by default only the path on Azure and the versions of reviews on AWS are other than the platform’s [S-25, F-14, 4.8]', {
  skip,
}, () => {
  const webhook = (cloud: SidecarCloud): Readonly<Record<string, unknown>> =>
    buildGuestObjects(cloud, 'ROOT-CA-PEM', ourChoices).configuration.webhooks[0] as Readonly<Record<string, unknown>>
  const theirs = (cloud: SidecarCloud): object => vectors?.guestObjects[cloud][2]?.webhooks?.[0] ?? {}
  const caBundle = 'Uk9PVC1DQS1QRU0='
  assert.deepEqual(webhook('AWS'), { ...theirs('AWS'), admissionReviewVersions: ['v1', 'v1beta1'] })
  assert.deepEqual(webhook('Azure'), { ...theirs('Azure'), clientConfig: { url: 'https://127.0.0.1:9443/mutate', caBundle } })
})

const owner = {
  ...controlPlaneKind.make({ namespace: 'hcp-namespace', name: 'hcp' }, { platform: { type: 'AWS' } }),
  metadata: { namespace: 'hcp-namespace', name: 'hcp', uid: 'u-1', resourceVersion: '1' },
} as ControlPlane

const authority = (name: string, which: number): Authority => {
  const read = readAuthority(authoritySecret('', name, testAuthority(name, which)) as PlatformSecret, now)
  assert.ok(typeof read !== 'string')
  return read
}

const plansOf = (cloud: SidecarCloud, rootCa: Authority, choices = ourChoices): readonly [SecretPlan, SecretPlan] => {
  const answer = platformOf({ platform: { type: cloud, aws: { region: 'r' }, azure: { tenantID: 't' } } }, ['AWS', 'Azure'])
  assert.ok(answer.kind === 'sidecar')
  const needs = { input: answer.input, owner, rootCa, clusterSigner: authority('cluster-signer', 1), choices }
  return [servingSecret(needs), kubeconfigSecret(needs)]
}

for (const [place, vector] of (vectors?.secrets ?? []).entries()) {
  test(`the Secret ${vector.name} has the platform's shape [S-22, S-23, H-10, H-13, 4.4, 4.5]`, async () => {
    const rootCa = authority('root-ca', 0)
    const plan = plansOf(place % 2 === 0 ? 'AWS' : 'Azure', rootCa)[place < 2 ? 0 : 1]
    const drawn = { key: await testKeys().generateRsa(2_048), serial: seededRandom(1).bytes(16) }
    const secret = issueSecret(plan, undefined, owner, { drawn, now })
    assert.deepEqual(shapeOf(secret, vector), { ...vector, ...(vector.afterCAChange === undefined ? {} : ours(vector)) })
    const held = { ...secret, metadata: { ...secret.metadata, name: plan.name, uid: 'u', resourceVersion: '1' } }
    assert.deepEqual(judgeSecret(plan, held, owner, now), { kind: 'good' })
  })
}

/** Named difference: a certificate of an authority that is not in use any more is signed anew. */
function ours({ afterCAChange }: SecretVector): object {
  return { afterCAChange: { ...afterCAChange, certificateReissued: true } }
}

function shapeOf(secret: PlatformSecret, { afterCAChange, kubeconfig }: SecretVector): object {
  const { metadata, data = {}, type } = secret
  const pem = textIn(secret, 'tls.crt')
  const parsed = new X509Certificate(pem)
  const { subject, validFrom, validUntil } = parseCertificate(pem)
  const client = kubeconfig === undefined
  const purposes = parsed.keyUsage ?? []
  return {
    name: metadata.name,
    type,
    keys: Object.keys(data).sort(),
    labels: metadata.labels ?? null,
    annotationKeys: Object.keys(metadata.annotations ?? {}),
    caHashLength: metadata.annotations?.['hypershiftlite.openshift.io/ca-hash']?.length,
    'ca.crt': textIn(secret, 'ca.crt') === authority('root-ca', 0).certificate ? 'root CA' : 'cluster signer CA',
    certificate: {
      authorityKeyIdIsSignersSubjectKeyId: parsed.checkIssued(new X509Certificate(textIn(secret, 'ca.crt'))),
      basicConstraintsValid: true,
      certPemType: /BEGIN ([A-Z ]+)/.exec(pem)?.[1],
      commonName: subject.commonName,
      dnsNames: parsed.subjectAltName?.includes('DNS:') === true ? 'some' : null,
      ipAddresses: parsed.subjectAltName?.replace('IP Address:', '').split(',') ?? null,
      isCA: parsed.ca,
      issuedBy: /CN=(.*)/.exec(parsed.issuer)?.[1],
      keyPemType: /BEGIN ([A-Z ]+)/.exec(textIn(secret, 'tls.key'))?.[1],
      organizations: subject.organizations.length === 0 ? null : subject.organizations,
      rsaBits: createPrivateKey(textIn(secret, 'tls.key')).asymmetricKeyDetails?.modulusLength,
      signatureAlgorithm: 'SHA256-RSA',
      subjectKeyIdPresent: true,
      validitySeconds: (validUntil - validFrom) / 1_000,
      extendedKeyUsages: [
        ...(purposes.includes('1.3.6.1.5.5.7.3.2') ? ['clientAuth'] : []),
        ...(purposes.includes('1.3.6.1.5.5.7.3.1') ? ['serverAuth'] : []),
      ],
      keyUsages: ['digitalSignature', 'keyEncipherment'],
    },
    ...(afterCAChange === undefined ? {} : { afterCAChange: afterAnotherCa(secret), secondPassUnchanged: true }),
    ...(client ? {} : { kubeconfig: kubeconfigShape(secret) }),
  }
}

function afterAnotherCa(secret: PlatformSecret): object {
  const next = authority('root-ca', 2)
  const [plan] = plansOf('AWS', next)
  const held = { ...secret, metadata: { ...secret.metadata, name: secret.metadata.name ?? '', uid: 'u', resourceVersion: '1' } }
  return {
    caCrtReplaced: plan.data({ certificate: '', key: '' })['ca.crt'] === next.certificate,
    caHashReplaced: plan.issuer.hash !== secret.metadata.annotations?.['hypershiftlite.openshift.io/ca-hash'],
    certificateReissued: judgeSecret(plan, held, owner, now).kind === 'issue',
  }
}

function kubeconfigShape(secret: PlatformSecret): object {
  const config = parseKubeconfig(textIn(secret, 'kubeconfig'), 'sidecar')
  const [[contextName, { entry: context }] = nothing] = config.contexts
  const [[clusterName, { entry: cluster }] = nothing] = config.clusters
  const [[userName, { entry: user }] = nothing] = config.users
  return {
    certificateAuthorityData: cluster.caData === authority('root-ca', 0).certificate ? 'root CA' : 'another',
    clientCertificateDataIsTlsCrt: user.certificateData === textIn(secret, 'tls.crt'),
    clientKeyDataIsTlsKey: user.keyData === textIn(secret, 'tls.key'),
    clusterName,
    context: { cluster: context.cluster, name: contextName, namespace: context.namespace, user: context.user },
    currentContext: config.currentContext,
    server: cluster.server,
    userName,
  }
}

const nothing: readonly [string, { readonly entry: Readonly<Record<string, undefined>> }] = ['', { entry: {} }]

test('with the flag for upstream’s form a certificate outlives its authority, and only what stands beside it changes [4.13 #1]', async () => {
  const before = plansOf('AWS', authority('root-ca', 0), upstreamChoices)[0]
  const after = plansOf('AWS', authority('root-ca', 2), upstreamChoices)[0]
  const drawn = { key: await testKeys().generateRsa(2_048), serial: seededRandom(1).bytes(16) }
  const secret = issueSecret(before, undefined, owner, { drawn, now })
  const held = { ...secret, metadata: { ...secret.metadata, name: before.name, uid: 'u', resourceVersion: '1' } }
  const standing = judgeSecret(after, held, owner, now)
  assert.ok(standing.kind === 'rewrite', standing.kind)
  const written = renderSecret(after, held, owner, standing.pair)
  assert.deepEqual(
    ['tls.crt', 'tls.key', 'ca.crt'].map(key => textIn(written, key) === textIn(secret, key)),
    [true, true, false],
  )
})

for (const [name, golden] of Object.entries(vectors?.golden ?? {})) {
  const cloud = goldenOf[name]
  const recorded = golden.kubeconfigSecret
  if (cloud === undefined || recorded === undefined) continue
  test(`the kubeconfig Secret of ${name} is owned and named as the platform's [S-26, 4.13 #2]`, async () => {
    const plan = plansOf(cloud, authority('root-ca', 0), upstreamChoices)[1]
    const drawn = { key: await testKeys().generateRsa(2_048), serial: seededRandom(1).bytes(16) }
    const { metadata, data, type } = issueSecret(plan, undefined, owner, { drawn, now })
    const {
      annotations,
      ownerReferences,
      resourceVersion: _version,
      ...theirs
    } = recorded.metadata as {
      readonly annotations: Readonly<Record<string, string>>
      readonly ownerReferences: readonly object[]
      readonly resourceVersion: string
    }
    assert.deepEqual(
      {
        ...metadata,
        annotations: Object.keys(metadata.annotations ?? {}).sort(),
        ownerReferences: metadata.ownerReferences?.map(one => ({ ...one, uid: '' })),
        keys: Object.keys(data ?? {}).sort(),
        type,
      },
      {
        ...theirs,
        annotations: Object.keys(annotations).sort(),
        ownerReferences,
        keys: Object.keys(recorded.data),
        type: recorded.type,
      },
    )
  })
  test(`the hash of the kubeconfig Secret of ${name} is the platform's, byte for byte [4.13 #2]`, () => {
    const stored = recorded as unknown as PlatformSecret
    const { annotations, resourceVersion: _version, ...metadata } = stored.metadata
    const { [desiredStateAnnotation]: hash, ...others } = annotations ?? {}
    const wanted = { ...stored, metadata: { ...metadata, annotations: others } }
    assert.equal(desiredStateHash(wanted), hash)
  })
}

test('ours has no such hash, and in upstream’s form a Secret is good as long as its hash is that of what is wanted [4.13 #2]', async () => {
  const drawn = { key: await testKeys().generateRsa(2_048), serial: seededRandom(1).bytes(16) }
  const [, ours] = plansOf('Azure', authority('root-ca', 0))
  assert.equal(issueSecret(ours, undefined, owner, { drawn, now }).metadata.annotations?.[desiredStateAnnotation], undefined)
  const [, plan] = plansOf('Azure', authority('root-ca', 0), upstreamChoices)
  const secret = issueSecret(plan, undefined, owner, { drawn, now })
  const held = { ...secret, metadata: { ...secret.metadata, name: plan.name, uid: 'u', resourceVersion: '1' } }
  assert.deepEqual(judgeSecret(plan, held, owner, now), { kind: 'good' })
  const labelled = { ...held, metadata: { ...held.metadata, labels: { ...held.metadata.labels, theirs: 'yes' } } }
  assert.deepEqual(judgeSecret(plan, labelled, owner, now), { kind: 'good' })
  const annotations = { ...held.metadata.annotations, [desiredStateAnnotation]: 'another' }
  const edited = judgeSecret(plan, { ...held, metadata: { ...held.metadata, annotations } }, owner, now)
  assert.ok(edited.kind === 'rewrite' && edited.why === 'its hash is another')
})
