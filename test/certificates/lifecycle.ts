// The certificate operator end to end, on whatever API server: two replicas as processes run them, admission over TLS by their own webhook,
// ACM and Route 53 of the emulator over a socket, the record asked by DNS, and at the end a listener that serves TLS by the ARN that was
// published. Time is the machine's own; the emulator takes seconds where AWS takes minutes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { loadAll } from 'js-yaml'
import { serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type Files, memoryFiles, type Seams, silentLog, systemClock, systemRandom, systemSeams } from '#base'
import { type Aws, createAws } from '#emulator'
import { type KubeObject, leases, renderCrd, type StoredObject, validatingWebhookConfigurations } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { type Cert, certKind, certValidatingConfiguration } from '#operators/certificates'
import { certificatesOperator } from '#operators/certificates/operator'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { readOperatorFlags, runOperator } from '../../src/cli/testing/commands.ts'
import { eventually } from '../real/eventually.ts'

const account = '111122223333'
const region = 'eu-west-1'
const zoneName = 'k8s.example.com'
const ingresses = { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses', namespaced: true } as const
const arnAnnotation = 'alb.ingress.kubernetes.io/certificate-arn'

export interface Hub {
  readonly kubeconfig: string
  readonly exchange: Parameters<typeof createKubeClient>[0]['exchange']
  readonly address: string
  /** The CRDs of the operator, as a person applies them. */
  apply(objects: readonly KubeObject[]): Promise<void>
}

interface Replica {
  readonly webhookPort: number
  stop(): Promise<void>
}

export interface LifecycleOptions {
  readonly skip?: string | false
  /** Further looks at the listener, by other clients. */
  readonly clients?: (listener: { readonly port: number; readonly name: string; readonly root: string }) => Promise<void>
}

/** Registers the suite. */
export function certificateLifecycle(
  where: string,
  hubOf: () => Promise<Hub>,
  { skip = false, clients }: LifecycleOptions = {},
): void {
  describe(`certificates end to end on ${where}`, { skip }, () => {
    let admin: KubeClient
    let aws: Aws
    let acm: AwsClient
    let zoneId = ''
    let files: Files
    let awsPort = 0
    const pair = servingPair({ usage: 'ca' })
    const replicas: Replica[] = []
    const listeners: Server[] = []

    const cert = async (name: string): Promise<Cert | undefined> =>
      admin.find<Cert & StoredObject>(certKind.type, { namespace: 'default', name })
    const until = (name: string, is: (cert: Cert) => boolean): Promise<Cert> =>
      eventually(
        async () => {
          const found = await cert(name)
          return found !== undefined && is(found) ? found : undefined
        },
        async () => JSON.stringify((await cert(name))?.status),
        60_000,
      )
    const create = (name: string, spec: object = {}): Promise<unknown> =>
      admin.create(certKind.type, {
        apiVersion: certKind.apiVersion,
        kind: 'Cert',
        metadata: { namespace: 'default', name },
        spec: { serviceName: name, environment: 'prod', ...spec },
      } as KubeObject)
    const clientOf = (service: 'acm' | 'route53'): AwsClient =>
      createAwsClient({
        model: serviceModel(service),
        region,
        credentials: staticCredentials(aws.adminCredentials()),
        transport: inProcessTransport(aws.handle),
        clock: systemClock,
        random: systemRandom,
      })
    const control = (what: 'attach' | 'detach', certificateArn: string): unknown =>
      aws.control(
        'acm',
        what,
        { certificateArn, consumerArn: `arn:aws:elasticloadbalancing:${region}:${account}:loadbalancer/app/web/1` },
        { region },
      )
    const requests = (): number => aws.calls.count({ service: 'acm', operation: 'RequestCertificate', result: 'ok' })

    before(async () => {
      const hub = await hubOf()
      admin = createKubeClient({ clock: systemClock, address: hub.address, exchange: hub.exchange })
      aws = createAws({ seed: 'certificates', accounts: [account], region, profile: 'demo' })
      const listener = await aws.listen()
      awsPort = listener.port
      const { HostedZone } = await clientOf('route53').call('CreateHostedZone', { Name: zoneName, CallerReference: 'one' })
      zoneId = (HostedZone as { readonly Id: string }).Id.replace('/hostedzone/', '')
      acm = clientOf('acm')
      files = memoryFiles({ '/kubeconfig': hub.kubeconfig, '/certs/tls.crt': pair.certificate, '/certs/tls.key': pair.key })
      await hub.apply([renderCrd(certKind)])
      for (let replica = 0; replica < 2; replica++) replicas.push(await startReplica())
      await admin.create(validatingWebhookConfigurations, webhookOf(replicas[1]?.webhookPort ?? 0, pair.certificate))
    })

    after(async () => {
      for (const replica of replicas) await replica.stop()
      for (const listener of listeners) listener.close()
      await aws?.close()
    })

    async function startReplica(): Promise<Replica> {
      const stop = new AbortController()
      const { accessKeyId, secretAccessKey } = aws.adminCredentials()
      const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
      const seams: Seams = { ...systemSeams(env, { log: silentLog }), files }
      const settings = readOperatorFlags(flagsOf(zoneId, awsPort), {})
      let ended: Promise<unknown> = Promise.resolve()
      const webhookPort = await new Promise<number>((resolve, reject) => {
        ended = runOperator(
          { settings, seams, version: 'test', onListening: ({ webhook }) => resolve(webhook ?? 0) },
          stop.signal,
        )
        ended.catch(reject)
      })
      return {
        webhookPort,
        stop: async () => {
          stop.abort(new Error('enough'))
          await ended.catch(() => undefined)
        },
      }
    }

    it('admission refuses by its own webhook over TLS what no certificate can be made of', async () => {
      const refusal = await eventually(
        async () => {
          const message = await create('bad', { domainName: 'api.elsewhere.org' }).then(
            () => 'created',
            (error: unknown) => (error instanceof KubeError ? error.message : String(error)),
          )
          // Until the API server has heard of the webhook.
          if (message === 'created') await admin.delete(certKind.type, { namespace: 'default', name: 'bad' })
          return message.includes('denied the request') ? message : undefined
        },
        () => 'no refusal',
      )
      assert.match(refusal, /no configured zone matches "api\.elsewhere\.org"/)
    })

    it('two words become a certificate, its record answers in the DNS, and the ARN arrives in the Ingress', async () => {
      for (const object of exampleObjects()) await admin.create(object.kind === 'Cert' ? certKind.type : ingresses, object)
      const { status } = await until('shop', each => each.status?.state === 'Ready')
      const arn = status?.certificateArn ?? ''
      const detail = (await acm.call('DescribeCertificate', { CertificateArn: arn })) as { Certificate: { Status: string } }
      assert.equal(detail.Certificate.Status, 'ISSUED')
      for (const { name, value } of status?.validationRecords ?? [])
        assert.deepEqual(
          aws.dns.resolve(name, 'CNAME').records.map(record => record.value),
          [value],
        )
      assert.equal(status?.validationRecords?.length, 2)
      const published = await eventually(publishedArn, async () => JSON.stringify((await cert('shop'))?.status?.conditions))
      assert.equal(published, arn)
      assert.equal(requests(), 1)
    })

    it('a listener that takes the ARN from the annotation serves TLS by that certificate', async () => {
      const arn = (await publishedArn()) ?? ''
      const made = aws.control('acm', 'servingPair', { certificateArn: arn }, { region }) as Readonly<Record<string, string>>
      const server = createServer(
        { cert: `${made['certificate']}${made['chain']}`, key: made['key'] ?? '' },
        (_request, response) => response.end('hello'),
      )
      listeners.push(server)
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const root = (made['chain'] ?? '').split(/(?=-----BEGIN)/).at(-1) ?? ''
      await clients?.({ port, name: `www.${zoneName}`, root })
      const { request } = await import('node:https')
      const body = await new Promise<string>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, servername: `shop-prod.${zoneName}`, ca: root, agent: false }
        request(options, response => response.on('data', (piece: Buffer) => resolve(piece.toString())))
          .on('error', reject)
          .end()
      })
      assert.equal(body, 'hello')
    })

    it('when the leader goes the other replica goes on, and nothing is asked for twice [#118]', async () => {
      const first = await cert('shop')
      const leader = await leaderOf()
      await replicas[0]?.stop()
      await eventually(
        async () => (await leaderOf()) !== leader || undefined,
        () => `${leader} still leads`,
      )
      const patch = { spec: { subjectAlternativeNames: [`www.${zoneName}`, `api.${zoneName}`] } }
      await admin.patch(certKind.type, { namespace: 'default', name: 'shop' }, 'merge', patch)
      const arn = first?.status?.certificateArn
      const replaced = await until('shop', ({ status }) => status?.state === 'Ready' && status.certificateArn !== arn)
      assert.deepEqual(
        replaced.status?.supersededCertificates?.map(each => each.arn),
        [arn],
      )
      assert.equal(requests(), 2)
      await eventually(
        async () => (await publishedArn()) === replaced.status?.certificateArn || undefined,
        async () => `the Ingress names ${await publishedArn()}`,
      )
    })

    it('a certificate in use keeps its object; let go, it goes with its records', async () => {
      const { status } = (await cert('shop')) as Cert
      control('attach', status?.certificateArn ?? '')
      await admin.delete(certKind.type, { namespace: 'default', name: 'shop' })
      await until(
        'shop',
        ({ status: now }) =>
          now?.conditions?.some(({ type, reason }) => type === 'DeletionBlocked' && reason === 'CertificateInUse') === true,
      )
      control('detach', status?.certificateArn ?? '')
      // A word of a person is looked at at once; without it the next look is half a minute away.
      const word = { metadata: { annotations: { 'acm.ops.example.dev/retry': 'now' } } }
      await admin.patch(certKind.type, { namespace: 'default', name: 'shop' }, 'merge', word)
      await eventually(
        async () => ((await cert('shop')) === undefined ? true : undefined),
        async () => JSON.stringify((await cert('shop'))?.status?.conditions),
      )
      const { CertificateSummaryList } = await acm.call('ListCertificates', {})
      assert.deepEqual(CertificateSummaryList, [])
      const { ResourceRecordSets } = await clientOf('route53').call('ListResourceRecordSets', { HostedZoneId: zoneId })
      assert.deepEqual(
        (ResourceRecordSets as readonly { readonly Type: string }[]).map(({ Type }) => Type),
        ['NS', 'SOA'],
      )
    })

    async function publishedArn(): Promise<string | undefined> {
      const found = await admin.find<StoredObject>(ingresses, { namespace: 'default', name: 'shop' })
      return found?.metadata.annotations?.[arnAnnotation]
    }

    async function leaderOf(): Promise<string | undefined> {
      const found = await admin.find<StoredObject & { spec?: { holderIdentity?: string } }>(leases, {
        namespace: 'default',
        name: certificatesOperator.lease,
      })
      return found?.spec?.holderIdentity
    }
  })
}

function flagsOf(zoneId: string, awsPort: number): readonly string[] {
  return [
    '--controllers=certificates',
    '--kubeconfig=/kubeconfig',
    '--aws-region=eu-west-1',
    `--aws-endpoint-url=http://127.0.0.1:${awsPort}`,
    `--dns-zones=${zoneName}:${zoneId}`,
    '--allow-unsafe-aws-endpoint-urls',
    '--enable-publishing',
    '--leader-elect',
    '--leader-election-namespace=default',
    '--webhook-cert-dir=/certs',
    '--webhook-bind-address=127.0.0.1:0',
    '--health-probe-bind-address=0',
    '--metrics-bind-address=0',
    '--acm-rate-limit=100',
    '--acm-burst=100',
    '--route53-rate-limit=100',
    '--route53-burst=100',
    '--created-base-interval=300ms',
    '--created-max-interval=1s',
    '--validated-interval=500ms',
    '--ready-interval=2s',
    '--cache-ttl=0',
  ]
}

/** What the guide applies. */
function exampleObjects(): readonly KubeObject[] {
  const text = readFileSync(join(import.meta.dirname, '../../examples/certificates/shop.yaml'), 'utf8')
  return loadAll(text) as KubeObject[]
}

/** As the manifests have it, but by address: there is no Service here. */
function webhookOf(port: number, caBundle: string): KubeObject {
  const rendered = certValidatingConfiguration(
    { name: 'certs', service: { namespace: 'default', name: 'certs' }, caBundle },
    true,
  )
  const webhooks = rendered.webhooks.map(each => {
    const webhook = each as { readonly clientConfig: { readonly caBundle?: string; readonly service: { readonly path: string } } }
    const { caBundle: bundle, service } = webhook.clientConfig
    return { ...webhook, clientConfig: { caBundle: bundle, url: `https://127.0.0.1:${port}${service.path}` } }
  })
  return { ...rendered, webhooks } as KubeObject
}
