// ARNs in other objects: written where a Cert says so, beside those of others, and taken out again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { openCrd } from '../../../runtime/testing/open-crd.ts'
import { type Cert, certKind } from '../api.ts'
import { type CertWorld, certWorld, told } from '../testing/cert-world.ts'
import { publishTypesDefault as types } from './kinds.ts'

const annotation = 'alb.ingress.kubernetes.io/certificate-arn'
const elb = 'service.beta.kubernetes.io/aws-load-balancer-ssl-cert'
const foreign = ['arn:aws:acm:eu-west-1:999999999999:certificate/a', 'arn:aws:acm:eu-west-1:999999999999:certificate/b']
const hourMs = 3_600_000

const publish = { types }

const extraKinds = [openCrd(types.Gateway), openCrd(types.LoadBalancerConfiguration)]

async function make(
  world: CertWorld,
  type: ResourceType,
  name: string,
  { metadata = {}, ...rest }: { readonly metadata?: object; readonly spec?: object; readonly data?: object } = {},
): Promise<void> {
  const object = {
    apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { namespace: 'default', name, ...metadata },
    ...rest,
  }
  await world.client.create(type, object)
}

const ingressSpec = { defaultBackend: { service: { name: 'api', port: { number: 80 } } } }
const ingress = (world: CertWorld, name: string, annotations: object = {}, labels: object = {}): Promise<void> =>
  make(world, types.Ingress, name, { metadata: { annotations, labels }, spec: ingressSpec })

function read(world: CertWorld, type: ResourceType, name: string): Promise<StoredObject | undefined> {
  return world.client.find(type, { namespace: 'default', name })
}

async function annotationOf(world: CertWorld, type: ResourceType, name: string, key: string): Promise<string | undefined> {
  return (await read(world, type, name))?.metadata.annotations?.[key]
}

const targets = (...publishTo: readonly object[]): Partial<Cert['spec']> => ({
  publish: publishTo as Cert['spec']['publish'] & [],
})

test('the ARN stands beside two foreign ones, is swapped in its place, and alone is taken out [16.5, #113]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await ingress(world, 'web', { [annotation]: foreign.join(',') })
  await world.apply('api', targets({ kind: 'Ingress', name: 'web' }))
  world.start({ publish })
  const first = (await world.until('api', 'Ready')).status?.certificateArn
  await world.settle()
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), [...foreign, first].join(','))
  assert.equal(told(await world.cert('api')).Published, 'True Published')
  // Another certificate takes its place; what others put behind it stays behind it.
  await world.client.patch(types.Ingress, { namespace: 'default', name: 'web' }, 'merge', {
    metadata: { annotations: { [annotation]: [foreign[0], first, foreign[1]].join(',') } },
  })
  await world.change('api', { spec: { subjectAlternativeNames: ['more.k8s.acme.dev'] } })
  await world.advance(1_000)
  await world.until('api', 'Ready')
  await world.settle()
  const second = (await world.cert('api'))?.status?.certificateArn
  assert.notEqual(second, first)
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), [foreign[0], second, foreign[1]].join(','))
  await world.remove('api')
  await world.settle()
  assert.equal(await world.cert('api'), undefined)
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), foreign.join(','))
})

test('nothing is written before the certificate is issued, and a primary one comes first [16.5]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await make(world, types.Service, 'lb', {
    metadata: { annotations: { [elb]: foreign[0] } },
    spec: { ports: [{ port: 443 }] },
  })
  await world.apply('api', targets({ kind: 'Service', name: 'lb', primary: true }))
  world.start({ publish })
  await world.until('api', 'Created')
  assert.equal(await annotationOf(world, types.Service, 'lb', elb), foreign[0])
  const arn = (await world.until('api', 'Ready')).status?.certificateArn
  await world.settle()
  assert.equal(await annotationOf(world, types.Service, 'lb', elb), `${arn},${foreign[0]}`)
})

test('a ConfigMap is made, and one that is somebody else’s is left as it is [16.5, #114]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await make(world, types.ConfigMap, 'theirs', { data: { certificateArn: 'mine' } })
  await world.apply('api', targets({ kind: 'ConfigMap', name: 'ours' }, { kind: 'ConfigMap', name: 'theirs' }))
  world.start({ publish })
  const { status } = await world.until('api', 'Ready')
  await world.settle()
  const dataOf = async (name: string): Promise<unknown> => Reflect.get((await read(world, types.ConfigMap, name)) ?? {}, 'data')
  assert.deepEqual(await dataOf('ours'), {
    certificateArn: status?.certificateArn,
    domainName: 'api-prod.k8s.acme.dev',
    expirationDate: status?.expirationDate,
  })
  assert.deepEqual(await dataOf('theirs'), { certificateArn: 'mine' })
  const cert = await world.cert('api')
  assert.equal(told(cert).Published, 'False Conflict')
  assert.equal(cert?.status?.state, 'Ready')
  assert.deepEqual(
    cert.status.published?.map(({ name, applied, reason }) => [name, applied, reason]),
    [
      ['ours', true, undefined],
      ['theirs', false, 'Conflict'],
    ],
  )
  await world.remove('api')
  await world.settle()
  assert.deepEqual([await dataOf('ours'), await dataOf('theirs')], [undefined, { certificateArn: 'mine' }])
})

test('a target that is not there is waited for, and gets the ARN when it comes [16.5, #115]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.apply('api', targets({ kind: 'Ingress', name: 'web' }, { kind: 'Ingress', selector: { app: 'api' } }))
  world.start({ publish })
  const arn = (await world.until('api', 'Ready')).status?.certificateArn
  await world.settle()
  assert.equal(told(await world.cert('api')).Published, 'False TargetMissing')
  await ingress(world, 'web')
  await ingress(world, 'other', {}, { app: 'api' })
  await world.settle()
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), arn)
  assert.equal(await annotationOf(world, types.Ingress, 'other', annotation), arn)
  assert.equal(told(await world.cert('api')).Published, 'True Published')
  // Whoever took it out gets it again within the hour.
  await world.client.patch(types.Ingress, { namespace: 'default', name: 'web' }, 'merge', {
    metadata: { annotations: { [annotation]: null } },
  })
  await world.advance(hourMs + 60_000)
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), arn)
})

test('without the right to write targets that is said, and the certificate does not suffer [16.5, #116]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await ingress(world, 'web')
  await world.apply('api', targets({ kind: 'Ingress', name: 'web' }))
  world.start({ publish, through: denying(/\/ingresses/) })
  const cert = await world.until('api', 'Ready')
  await world.advance(10_000)
  assert.equal(told(await world.cert('api')).Published, 'False Forbidden')
  assert.equal(told(await world.cert('api')).Ready, 'True Issued')
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), undefined)
  assert.equal(cert.status?.state, 'Ready')
})

test('listeners of Gateways and of load balancer configurations get it, and one that another certificate has is not taken [16.5]', async () => {
  await using world = certWorld({ objects: extraKinds })
  await world.zone('k8s.acme.dev')
  const option = 'application-networking.k8s.aws/certificate-arn'
  await make(world, types.Gateway, 'mesh', {
    spec: {
      listeners: [
        { name: 'http', port: 80, protocol: 'HTTP' },
        { name: 'https', port: 443, protocol: 'HTTPS', tls: { mode: 'Terminate' } },
        { name: 'taken', port: 444, protocol: 'HTTPS', tls: { options: { [option]: foreign[0] } } },
      ],
    },
  })
  await make(world, types.LoadBalancerConfiguration, 'alb', {
    spec: { listenerConfigurations: [{ protocolPort: 'HTTPS:443', certificates: [foreign[0]] }, { protocolPort: 'HTTPS:444' }] },
  })
  await world.apply(
    'api',
    targets(
      { kind: 'Gateway', name: 'mesh', listener: 'https' },
      { kind: 'Gateway', name: 'mesh', listener: 'taken' },
      { kind: 'LoadBalancerConfiguration', name: 'alb', protocolPort: 'HTTPS:443' },
      { kind: 'LoadBalancerConfiguration', name: 'alb', protocolPort: 'HTTPS:444', primary: true },
    ),
  )
  world.start({ publish })
  const arn = (await world.until('api', 'Ready')).status?.certificateArn
  await world.advance(10_000)
  const specOf = async (type: ResourceType, name: string): Promise<unknown> =>
    Reflect.get((await read(world, type, name)) ?? {}, 'spec')
  assert.deepEqual(await specOf(types.Gateway, 'mesh'), {
    listeners: [
      { name: 'http', port: 80, protocol: 'HTTP' },
      { name: 'https', port: 443, protocol: 'HTTPS', tls: { mode: 'Terminate', options: { [option]: arn } } },
      { name: 'taken', port: 444, protocol: 'HTTPS', tls: { options: { [option]: foreign[0] } } },
    ],
  })
  assert.deepEqual(await specOf(types.LoadBalancerConfiguration, 'alb'), {
    listenerConfigurations: [
      { protocolPort: 'HTTPS:443', certificates: [foreign[0], arn] },
      { protocolPort: 'HTTPS:444', defaultCertificate: arn },
    ],
  })
  assert.equal(told(await world.cert('api')).Published, 'False Conflict')
  await world.change('api', { spec: { publish: null } })
  await world.advance(10_000)
  assert.deepEqual(await specOf(types.LoadBalancerConfiguration, 'alb'), {
    listenerConfigurations: [{ protocolPort: 'HTTPS:443', certificates: [foreign[0]] }, { protocolPort: 'HTTPS:444' }],
  })
  const left = await world.cert('api')
  assert.deepEqual([left?.status?.published, left?.metadata.finalizers], [undefined, ['acm.ops.example.dev/finalizer']])
})

test('what was published stays while a deletion waits for the certificate, and goes after it [8.6, 16.5]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await ingress(world, 'web')
  await world.apply('api', { ...targets({ kind: 'Ingress', name: 'web' }), deleteOnRemoval: true })
  const process = world.start({ publish })
  const arn = (await world.until('api', 'Ready')).status?.certificateArn ?? ''
  await world.settle()
  const use = { certificateArn: arn, consumerArn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/web/1' }
  world.aws.control('acm', 'attach', use)
  await world.remove('api')
  await world.advance(120_000)
  assert.equal(told(await world.cert('api')).DeletionBlocked, 'True CertificateInUse')
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), arn)
  world.aws.control('acm', 'detach', use)
  await world.advance(3 * hourMs)
  assert.equal(await world.cert('api'), undefined)
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), undefined)
  assert.ok(process.passes.some(({ controller }) => controller === 'cert-publish'))
})

for (const [what, deed] of [
  ['goes', world => world.remove('api')],
  ['names it no more', world => world.change('api', { spec: { publish: null } })],
] satisfies readonly (readonly [string, (world: CertWorld) => Promise<void>])[])
  test(`an ARN written right before the process died is taken out by the next one where the Cert then ${what} [16.5, P3]`, async () => {
    await using world = certWorld()
    await world.zone('k8s.acme.dev')
    await ingress(world, 'web', { [annotation]: foreign.join(',') })
    await world.apply('api', targets({ kind: 'Ingress', name: 'web' }))
    const cut = new CutAfter('PATCH', /\/ingresses\/web/)
    const dead = world.start({ publish, through: cut.through })
    const arn = (await world.until('api', 'Ready')).status?.certificateArn
    await world.settle()
    assert.ok(cut.isCut)
    await dead.stop()
    assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), [...foreign, arn].join(','))
    assert.deepEqual((await world.cert('api'))?.status?.published, [
      { kind: 'Ingress', name: 'web', applied: false, mayHold: [arn] },
    ])
    await deed(world)
    world.start({ publish })
    await world.advance(10_000)
    assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), foreign.join(','))
    assert.equal((await world.cert('api'))?.status?.published, undefined)
  })

test('a Cert that goes takes its ARN out of what it names, also where its status was wiped [16.5, S6]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await ingress(world, 'web', { [annotation]: foreign.join(',') })
  await world.apply('api', targets({ kind: 'Ingress', name: 'web', primary: true }))
  const process = world.start({ publish })
  await world.until('api', 'Ready')
  await world.settle()
  await process.stop()
  await world.client.patch(
    certKind.type,
    { namespace: 'default', name: 'api' },
    'merge',
    { status: { published: null } },
    {
      subresource: 'status',
    },
  )
  await world.remove('api')
  world.start({ publish })
  await world.advance(10_000)
  assert.equal(await world.cert('api'), undefined)
  assert.equal(await annotationOf(world, types.Ingress, 'web', annotation), foreign.join(','))
})

test('where publishing is switched off again, a Cert that goes does not wait for it [16.5]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await ingress(world, 'web')
  await world.apply('api', targets({ kind: 'Ingress', name: 'web' }))
  const before = world.start({ publish })
  await world.until('api', 'Ready')
  await world.settle()
  assert.deepEqual((await world.cert('api'))?.metadata.finalizers?.length, 2)
  await before.stop()
  world.start()
  await world.remove('api')
  await world.advance(10_000)
  assert.equal(await world.cert('api'), undefined)
})

test('the schema refuses targets that say too much or too little [3.7, 16.5]', async () => {
  await using world = certWorld()
  const refusals: readonly (readonly [target: object, why: RegExp])[] = [
    [{ kind: 'Ingress' }, /a target has a name or a selector, and not both/],
    [{ kind: 'Ingress', name: 'a', selector: { a: 'b' } }, /a target has a name or a selector, and not both/],
    [{ kind: 'Gateway', name: 'a' }, /listener is there exactly for the kind Gateway/],
    [{ kind: 'Ingress', name: 'a', listener: 'x' }, /listener is there exactly for the kind Gateway/],
    [{ kind: 'LoadBalancerConfiguration', name: 'a' }, /protocolPort is there exactly for/],
    [{ kind: 'ConfigMap', selector: { a: 'b' } }, /a ConfigMap has a name/],
    [{ kind: 'Secret', name: 'a' }, /Unsupported value: "Secret"/],
  ]
  for (const [target, why] of refusals) await assert.rejects(world.apply('api', targets(target)), why, JSON.stringify(target))
  await assert.rejects(
    world.apply('api', targets(...Array.from({ length: 21 }, () => ({ kind: 'Ingress', name: 'a' })))),
    /20 items/,
  )
  assert.equal(await world.client.find(certKind.type, { namespace: 'default', name: 'api' }), undefined)
})

/** A wire on which nothing arrives any more after the first call of its kind was carried out. */
class CutAfter {
  isCut = false
  readonly #method: string
  readonly #path: RegExp

  constructor(method: string, path: RegExp) {
    this.#method = method
    this.#path = path
  }

  readonly through =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      if (this.isCut) throw new HttpFailure('reset', 'cut')
      if (request.method !== this.#method || !this.#path.test(request.target)) return exchange(request)
      this.isCut = true
      await exchange(request)
      throw new HttpFailure('reset', 'cut')
    }
}

function denying(path: RegExp): (exchange: HttpExchange) => HttpExchange {
  return exchange => async request => {
    if (!path.test(request.target)) return exchange(request)
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 }
    return {
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(status)),
    }
  }
}
