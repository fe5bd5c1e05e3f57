// What `vouch rights` prints for certificates, lived with: in AWS on an emulator that evaluates permissions, on the API server request by
// request. With it a whole life is lived, and nothing of it is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { permissionOf, serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom, systemClock } from '#base'
import { type KubeObject, type Right, renderCrd } from '#kube'
import { createKubeClient } from '#kube/client'
import { certKind, publishTypesDefault as types } from '#operators/certificates'
import { hubDefaults, renderHub, rightsOf, rightsOfHub } from '../../src/cli/testing/commands.ts'
import { certPolicyKind } from '../../src/operators/certificates/api.ts'
import { type CertWorld, certWorld, region } from '../../src/operators/certificates/testing/cert-world.ts'
import { type Asked, covers, type Recorder, recorder } from '../../src/operators/identity/testing/recorder.ts'

const base = ['--controllers=certificates', `--aws-region=${region}`]
const hourMs = 3_600_000

/** Permissions that this life has no use for, each with what has. */
const neededBesides: Readonly<Record<string, string>> = {
  'acm:RenewCertificate': 'asked for a certificate that was exported, when a person wants it renewed',
  'route53:GetHostedZone': 'asked beside the passes, once an hour for each zone',
  'acm-pca:DescribeCertificateAuthority': 'asked by ACM for a certificate of a private authority',
  'acm-pca:IssueCertificate': 'asked by ACM in the name of the operator: the test below',
  'acm-pca:GetCertificate': 'asked by ACM for a certificate of a private authority',
}

test('the AWS permissions of certificates are those that a whole life takes [12.3]', async () => {
  await using world = certWorld({ enforce: 'full' })
  const zone = await world.zone('k8s.acme.dev')
  const { aws } = await rightsOf([...base, `--dns-zones=${zone.name}:${zone.id}`], {
    of: 'aws',
    name: 'vouch',
    namespace: 'vouch-system',
  })
  const policy = aws?.['certificates']
  assert.ok(policy !== undefined)
  world.start({ credentials: await userWith(world, JSON.stringify(policy)) })
  await live(world)
  const calls = world.aws.calls.all().filter(({ caller }) => caller.endsWith(':user/operator'))
  assert.deepEqual(
    calls
      .filter(({ result }) => /denied|forbidden|unauthorized/i.test(result))
      .map(({ service, operation }) => `${service}:${operation}`),
    [],
  )
  const used = new Set(calls.map(({ service, operation }) => permissionOf(service, operation)))
  const granted = (policy.Statement as readonly { readonly Action: readonly string[] }[]).flatMap(({ Action }) => Action)
  assert.ok(used.size > 8, [...used].join())
  assert.deepEqual(
    granted.filter(action => !used.has(action) && !(action in neededBesides)),
    [],
  )
})

test('without one of those permissions something is denied [12.3]', async () => {
  await using world = certWorld({ enforce: 'full' })
  const zone = await world.zone('k8s.acme.dev')
  const { aws } = await rightsOf([...base, `--dns-zones=${zone.name}:${zone.id}`], {
    of: 'aws',
    name: 'vouch',
    namespace: 'vouch-system',
  })
  const policy = JSON.stringify(aws?.['certificates']).replace('"route53:ChangeResourceRecordSets"', '"route53:GetGeoLocation"')
  world.start({ credentials: await userWith(world, policy) })
  await world.apply('api')
  await world.advance(10 * 60_000)
  const cert = await world.cert('api')
  assert.deepEqual([cert?.status?.state, cert?.status?.lastFailure?.reason], ['Failed', 'AccessDenied'])
  assert.doesNotMatch(JSON.stringify([cert?.status?.message, cert?.status?.conditions]), /arn:|\d{12}/)
})

test('with those permissions a private authority that lets nobody else in signs; without the one for it, it refuses [12.3, 16.3]', async () => {
  const { aws } = await rightsOf([...base, '--dns-zones=k8s.acme.dev:Z1'], {
    of: 'aws',
    name: 'vouch',
    namespace: 'vouch-system',
  })
  const policy = JSON.stringify(aws?.['certificates'])
  const outcome = async (text: string): Promise<readonly unknown[]> => {
    await using world = certWorld({ enforce: 'full' })
    const zone = await world.zone('k8s.acme.dev')
    const certificateAuthorityArn = world.aws.control('acm-pca', 'activeRoot', { letsAcmIn: 'no' }) as string
    world.start({ credentials: await userWith(world, text.replaceAll('Z1', zone.id)) })
    await world.apply('api', { issuer: { type: 'PrivateCA', certificateAuthorityArn } })
    await world.advance(10 * 60_000)
    const { status } = (await world.cert('api')) ?? {}
    return [status?.state, status?.lastFailure?.message.split(';')[0]]
  }
  assert.deepEqual(await outcome(policy), ['Ready', undefined])
  const denied = ['Failed', 'ACM failed to issue the certificate: PCA_ACCESS_DENIED']
  assert.deepEqual(await outcome(policy.replace('acm-pca:IssueCertificate', 'acm-pca:GetPolicy')), denied)
})

/** Asked only at an election, by the metrics, or when an event is told a second time. */
const implied = new Set([
  'leases',
  'tokenreviews',
  'subjectaccessreviews',
  'secrets',
  'validatingwebhookconfigurations',
  'customresourcedefinitions',
])

for (const [what, more] of Object.entries({
  'nothing more': [],
  'publishing and policies': ['--enable-publishing', '--enable-cert-policy'],
}))
  test(`the rights on the API server are those that a whole life takes: ${what} [12.2]`, async () => {
    await using world = certWorld({ objects: [renderCrd(certPolicyKind)] })
    const zone = await world.zone('k8s.acme.dev')
    const options = { ...hubDefaults, args: [...base, `--dns-zones=${zone.name}:${zone.id}`, ...more] }
    const rights = (await rightsOfHub(options)).flatMap(each => each.rights).filter(({ resource }) => !implied.has(resource))
    const asked = recorder()
    const hasAll = more.length > 0
    world.start({
      through: asked.through,
      ...(hasAll ? { publish: { types } } : {}),
      settings: { hasPolicies: hasAll },
    })
    await live(world, hasAll)
    assert.deepEqual(uncovered(rights, asked), [])
    assert.deepEqual(unused(rights, asked), [])
  })

async function userWith(world: CertWorld, policy: string): Promise<Parameters<typeof staticCredentials>[0]> {
  const iam = createAwsClient({
    model: serviceModel('iam'),
    region,
    credentials: staticCredentials(world.aws.adminCredentials()),
    transport: inProcessTransport(world.aws.handle),
    clock: world.clock,
    random: seededRandom(9),
  })
  await iam.call('CreateUser', { UserName: 'operator' })
  await iam.call('PutUserPolicy', { UserName: 'operator', PolicyName: 'rights', PolicyDocument: policy })
  const made = await iam.call('CreateAccessKey', { UserName: 'operator' })
  const { AccessKeyId, SecretAccessKey } = made['AccessKey'] as { readonly AccessKeyId: string; readonly SecretAccessKey: string }
  // IAM knows new users and keys late.
  await world.advance(60_000)
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
}

/** Asked for, changed, replaced, published and removed. */
async function live(world: CertWorld, publishes = false): Promise<void> {
  const targets = publishes ? await makeTargets(world) : []
  await world.apply('api', {
    deleteOnRemoval: true,
    rotation: { deleteSuperseded: true, retain: '1h' },
    tags: { a: 'b', c: 'd' },
    ...(publishes ? { publish: targets as never } : {}),
  })
  await world.until('api', 'Ready')
  await world.advance(60_000)
  await world.change('api', { spec: { tags: { a: 'x', c: null }, transparencyLogging: 'Disabled' } })
  await world.advance(60_000)
  await world.change('api', { spec: { subjectAlternativeNames: ['more.k8s.acme.dev'] } })
  await world.advance(2_000)
  await world.until('api', 'Ready')
  await world.advance(3 * hourMs)
  await world.remove('api')
  await world.advance(hourMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
}

async function makeTargets(world: CertWorld): Promise<readonly object[]> {
  const metadata = { namespace: 'default', name: 'web' }
  await world.client.create(types.Ingress, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  } as never)
  await world.client.create(types.Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ port: 443 }] },
  } as never)
  return [
    { kind: 'Ingress', selector: { 'a/b': 'c' } },
    { kind: 'Ingress', name: 'web' },
    { kind: 'Service', name: 'web' },
    { kind: 'ConfigMap', name: 'arn' },
  ]
}

function uncovered(rights: readonly Right[], { asked }: Recorder): readonly string[] {
  return [...asked.values()]
    .filter(request => request.group !== 'discovery' && !rights.some(right => covers(right, request)))
    .map(({ verb, resource, namespace }) => `${verb} ${resource} ${namespace}`)
}

/** Kinds that this life has no objects of: their verbs are those of the others. */
const notHere = new Set(['gateways', 'loadbalancerconfigurations'])

function unused(rights: readonly Right[], { asked }: Recorder): readonly string[] {
  return rights.flatMap(right =>
    right.verbs
      .filter(verb => {
        if (notHere.has(right.resource) || (right.resource === 'events' && verb === 'patch')) return false
        // A server that streams lists is asked to watch only; of what is read through watches no single object is asked for.
        const as = (request: Asked): Asked =>
          request.verb === 'watch' && (verb === 'list' || verb === 'get') ? { ...request, verb } : request
        return ![...asked.values()].some(request => covers({ ...right, verbs: [verb] }, as(request)))
      })
      .map(verb => `${verb} ${right.resource}`),
  )
}

test('whoever may change a namespace may change its Certs, whoever may read it may read them, and policies are changed by neither [12.2]', async () => {
  const all = await renderHub({ ...hubDefaults, args: [...base, '--dns-zones=k8s.acme.dev:Z1', '--enable-cert-policy'] })
  const roles = all.filter(({ kind, metadata }) => kind === 'ClusterRole' && /-certs-(?:view|edit)$/.test(metadata.name ?? ''))
  assert.equal(roles.length, 2)
  const objects = [renderCrd(certKind), renderCrd(certPolicyKind), ...roles.map(role => role as KubeObject)]
  const server = createApiServer({ objects: [...objects, ...['view', 'edit'].map(bindingOf)] })
  await server.settle()
  const may = async (who: string, verb: string, resource: string): Promise<boolean | undefined> => {
    const kube = createKubeClient({ clock: systemClock, address: 'hub', exchange: server.as() })
    const attributes = { namespace: 'default', verb, group: certKind.type.group, resource }
    const asked = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} }
    const review = { ...asked, spec: { user: who, resourceAttributes: attributes } }
    const { status } = await kube.create<KubeObject & { status?: { allowed: boolean } }>(reviews, review as KubeObject)
    return status?.allowed
  }
  const told = async (who: string): Promise<readonly (boolean | undefined)[]> =>
    await Promise.all([
      may(who, 'list', 'certs'),
      may(who, 'create', 'certs'),
      may(who, 'delete', 'certs'),
      may(who, 'update', 'certs/status'),
      may(who, 'get', 'certpolicies'),
      may(who, 'update', 'certpolicies'),
    ])
  assert.deepEqual(await told('view'), [true, false, false, false, true, false])
  assert.deepEqual(await told('edit'), [true, true, true, false, true, false])
  assert.deepEqual(await told('nobody'), [false, false, false, false, false, false])
  await server.close()
})

const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
} as const

/** Of the user of that name to Kubernetes' own role of that name. */
function bindingOf(name: string): KubeObject {
  const apiGroup = 'rbac.authorization.k8s.io'
  const metadata = { name }
  const subjects = [{ kind: 'User', apiGroup, name }]
  const made = { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata, subjects }
  return { ...made, roleRef: { apiGroup, kind: 'ClusterRole', name } } as KubeObject
}

test('what is left over is noticed [12.2]', () => {
  const right: Right = { group: '', resource: 'pods', verbs: ['delete'], why: 'nobody needs it' }
  assert.deepEqual(unused([right], recorder()), ['delete pods'])
})
