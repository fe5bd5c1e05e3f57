// What a mutated pod of a hosted cluster can do: programs with unmodified SDKs, with the variables and files of the pod as a real
// kube-apiserver stored it and nothing else, sign in with its token and read what only they may read. A stranger who copied all of it is refused.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { type HttpExchange, type ProgramResult, silentLog, systemSeams } from '#base'
import { createAws } from '#emulator'
import type { Entra } from '#entra'
import { pods, serviceAccounts } from '#kube'
import { type Gateway, openGateway, type Pod } from '../../src/cli/dev/node/index.ts'
import { openStoryAzure, runPod, secretText } from '../../src/cli/testing/commands.ts'
import { comesAbout } from './eventually.ts'
import { appNamespace, type HostedRealWorld, hostedRealWorld } from './hosted/world.ts'
import { freePort } from './programs/free-port.ts'
import { goProgram } from './programs/go-program.ts'
import { pythonEnvironment } from './programs/python.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const top = join(import.meta.dirname, '..', '..')
const issuerHost = 'oidc.clusters.example.com'
const issuer = `https://${issuerHost}/blue`
const tenant = '11111111-2222-4333-8444-555555555555'
const account = '123456789012'
const awsName = 'aws-pod-identity-webhook'
const region = 'eu-west-1'
const subject = `system:serviceaccount:${appNamespace}:reader`
const use = { 'azure.workload.identity/use': 'true' }
const node = [process.execPath, '--disable-warning=ExperimentalWarning'] as const
const main = join(top, 'src', 'cli', 'main.ts')

/** A container's program by the name of its image; why it cannot run where it cannot. */
type Image = readonly [command: string, ...first: string[]] | { readonly skipped: string }

const python = skip === undefined ? await pythonEnvironment('azure') : { missing: skip }
const readers: Readonly<Record<string, Image>> = {
  JavaScript: [...node, join(top, 'examples', 'hosted', 'read-secret.mjs')],
  Python: inPython('read_secret.py'),
  MSAL: inPython('read_secret_msal.py'),
  Go: go('go-azure', 'azure-sdk-go'),
}
const awsReaders: Readonly<Record<string, Image>> = {
  JavaScript: [...node, main, 'aws-cli-stand-in', 's3', 'cp', 's3://orders-data/k', '-'],
  Go: go('go-aws', 'aws-sdk-go', 'pod', 'orders-data'),
}

function inPython(file: string): Image {
  if ('missing' in python) return { skipped: python.missing }
  return [python.program('python'), join(import.meta.dirname, 'python', file)]
}

function go(folder: string, what: string, ...first: readonly string[]): Image {
  const built = skip === undefined ? goProgram(folder, what) : { skipped: skip }
  return 'path' in built ? [built.path, ...first] : built
}

describe('pods of a hosted cluster with unmodified SDKs', skip === undefined ? {} : { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-hosted-sdks-'))
  const seams = systemSeams({}, { log: silentLog })
  const aws = createAws({ accounts: [account], region, enforce: 'full', signatures: 'verify', profile: 'instant' })
  let world: HostedRealWorld
  let entra: Entra | undefined
  const gateways: Gateway[] = []

  before(async () => {
    world = await hostedRealWorld({ issuer })
  })

  after(async () => {
    for (const gateway of gateways) await gateway.close()
    await entra?.close()
    await aws.close()
    await world?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('on Azure', () => {
    let network: Readonly<Record<string, string>> = {}

    before(async () => {
      const azure = await openStoryAzure({ tenant, issuer, subject }, made => made.registerHost(issuerHost, publishedBy(world)))
      entra = azure.entra
      network = await networkTo((await entra.listen()).port, entra.ca)
      await world.want({ type: 'Azure', azure: { tenantID: tenant, cloud: 'AzurePublicCloud' } })
      await world.saysInPlace()
      await world.account('reader', { 'azure.workload.identity/client-id': azure.clientId })
      await world.account('stranger', {})
      await world.runner.start('azure-workload-identity-webhook')
      await world.mutated('reader', use)
    })

    for (const [language, image] of Object.entries(readers))
      it(`the SDK of ${language} reads the secret of its identity, and a stranger is told the subject that did not match [E-03, S-02, S-10, S-41]`, async t => {
        if ('skipped' in image) return t.skip(image.skipped)
        const vault = [{ name: 'VAULT_URL', value: 'https://orders-vault.vault.azure.net' }]
        const reader = await pod('reader', `azure-${language}`, { env: vault, labels: use })
        const read = await run(reader, image, network)
        assert.deepEqual([read.code, text(read.stdout)], [0, secretText], text(read.stderr))
        const stranger = await pod('stranger', `azure-stranger-${language}`, { labels: use })
        const refused = await run(dressedAs(stranger, reader), image, network)
        assert.notEqual(refused.code, 0)
        assert.doesNotMatch(text(refused.stdout), new RegExp(secretText))
        assert.match(text(refused.stderr), /AADSTS700213: .*'system:serviceaccount:shop:stranger'/s)
      })
  })

  describe('on AWS, to which the same control plane is switched over', () => {
    let network: Readonly<Record<string, string>> = {}
    let told: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

    before(async () => {
      const { roleArn } = await trustGuest()
      const [listener, plain] = [await aws.listen({ tls: true }), await aws.listen()]
      network = { ...(await networkTo(listener.port, aws.ca)), AWS_EC2_METADATA_DISABLED: 'true' }
      // Our own client, which reads for the stand-in, knows no proxy.
      told = { JavaScript: { AWS_ENDPOINT_URL: `http://127.0.0.1:${plain.port}` } }
      await world.want({ type: 'AWS', azure: null, aws: { region } })
      await comesAbout(
        async () => (await world.runner.containers()).join() === awsName,
        () => 'the sidecar of AWS took the place of the other',
      )
      await world.saysInPlace()
      const key = { namespace: appNamespace, name: 'reader' }
      const annotations = { 'eks.amazonaws.com/role-arn': roleArn }
      await world.client.patch(serviceAccounts, key, 'merge', { metadata: { annotations } })
      await world.runner.start(awsName, [`--metrics-port=${await freePort()}`])
      await world.mutated('reader')
    })

    it('an annotated account is enough, and no label, for variables with the region of the control plane [E-06, S-21, H-01, 4.6]', async () => {
      const { spec } = await world.pod('reader')
      assert.deepEqual(Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value])), {
        AWS_DEFAULT_REGION: region,
        AWS_REGION: region,
        AWS_ROLE_ARN: `arn:aws:iam::${account}:role/reader`,
        AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/eks.amazonaws.com/serviceaccount/token',
      })
      assert.equal((await world.pod('stranger')).spec.containers[0]?.env, undefined)
    })

    for (const [language, image] of Object.entries(awsReaders))
      it(`the SDK of ${language} reads by its role with a token for the audience openshift, and a stranger is refused [E-06, 4.6.2]`, async t => {
        if ('skipped' in image) return t.skip(image.skipped)
        const reader = await pod('reader', `aws-${language}`)
        const audiences = reader.spec.volumes?.flatMap(({ projected }) =>
          (projected?.sources ?? []).map(source => source.serviceAccountToken?.audience),
        )
        assert.deepEqual(audiences, ['openshift'])
        const read = await run(reader, image, { ...network, ...told[language] })
        assert.equal(read.code, 0, text(read.stderr))
        assert.match(text(read.stdout), language === 'Go' ? /assumed-role\/reader\/[^]*all done\n$/ : /^v$/)
        const stranger = await pod('stranger', `aws-stranger-${language}`)
        const refused = await run(dressedAs(stranger, reader), image, { ...network, ...told[language] })
        assert.notEqual(refused.code, 0)
        const said = `${text(refused.stdout)}${text(refused.stderr)}`
        assert.match(said, /AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity/)
      })

    it('a token for another audience is worth nothing there', async () => {
      const image = awsReaders['JavaScript']
      assert.ok(Array.isArray(image))
      const key = { namespace: appNamespace, name: 'reader' }
      const annotations = { 'eks.amazonaws.com/audience': 'sts.amazonaws.com' }
      await world.client.patch(serviceAccounts, key, 'merge', { metadata: { annotations } })
      const reader = await podWith('sts.amazonaws.com')
      const refused = await run(reader, image as readonly [string, ...string[]], { ...network, ...told['JavaScript'] })
      assert.notEqual(refused.code, 0)
      assert.match(text(refused.stderr), /InvalidIdentityTokenException: Incorrect token audience/)
    })

    /** The change reaches the sidecar by its watch. */
    async function podWith(audience: string): Promise<Pod> {
      for (let number = 0; ; number++) {
        const made = await pod('reader', `audience-${number}`)
        if (JSON.stringify(made.spec.volumes).includes(audience)) return made
        assert.ok(number < 600, 'the annotation never reached a pod')
      }
    }

    async function trustGuest(): Promise<{ readonly roleArn: string }> {
      aws.registerHost(issuerHost, publishedBy(world))
      const credentials = staticCredentials(aws.adminCredentials())
      const { clock, random } = seams
      const clients = new AwsClients({ credentials, transport: inProcessTransport(aws.handle), clock, random })
      const iam = clients.for({ model: serviceModel('iam'), region })
      const s3 = clients.for({ model: serviceModel('s3'), region })
      await s3.call('CreateBucket', { Bucket: 'orders-data', CreateBucketConfiguration: { LocationConstraint: region } })
      await s3.call('PutObject', { Bucket: 'orders-data', Key: 'k', Body: new TextEncoder().encode('v') })
      // The one audience of hosted clusters.
      await iam.call('CreateOpenIDConnectProvider', {
        Url: issuer,
        ClientIDList: ['openshift'],
        ThumbprintList: ['a'.repeat(40)],
      })
      const name = issuer.slice('https://'.length)
      const statement = {
        Effect: 'Allow',
        Principal: { Federated: `arn:aws:iam::${account}:oidc-provider/${name}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: { [`${name}:aud`]: 'openshift', [`${name}:sub`]: subject } },
      }
      const trust = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
      await iam.call('CreateRole', { RoleName: 'reader', AssumeRolePolicyDocument: trust })
      const PolicyDocument = JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::orders-data/*' }],
      })
      await iam.call('PutRolePolicy', { RoleName: 'reader', PolicyName: 'read', PolicyDocument })
      return { roleArn: `arn:aws:iam::${account}:role/reader` }
    }
  })

  /** The way out of the node leads names of a cloud to this machine, and its programs trust whoever answers there. Nothing else is told. */
  async function networkTo(port: number, authority: string): Promise<Readonly<Record<string, string>>> {
    const gateway = await openGateway(() => port)
    gateways.push(gateway)
    const file = join(folder, `${port}.pem`)
    writeFileSync(file, authority)
    const trust = ['NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE', 'AWS_CA_BUNDLE']
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      HTTPS_PROXY: gateway.url,
      ...Object.fromEntries(trust.map(name => [name, file])),
    }
  }

  /** As it was stored; without the API server's own token, since no controller here publishes the authority that would lie beside it. */
  async function pod(
    of: string,
    name: string,
    { env = [], labels = {} }: { readonly env?: readonly object[]; readonly labels?: Readonly<Record<string, string>> } = {},
  ): Promise<Pod> {
    const metadata = { namespace: appNamespace, name: name.toLowerCase(), labels }
    const containers = [{ name: 'app', image: 'app:1', env }]
    const spec = { serviceAccountName: of, automountServiceAccountToken: false, containers }
    const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
    await world.client.create(pods, object)
    return world.client.get<Pod>(pods, metadata)
  }

  function run(
    of: Pod,
    image: readonly [string, ...string[]],
    network: Readonly<Record<string, string>>,
  ): Promise<ProgramResult> {
    const { programs } = seams
    return runPod({ kube: world.client, programs, folder: join(folder, 'node'), images: { 'app:1': image }, network }, of)
  }
})

/** With nothing of its own but its ServiceAccount. */
function dressedAs(stranger: Pod, { spec: { containers, volumes = [] } }: Pod): Pod {
  return { ...stranger, spec: { ...stranger.spec, containers, volumes } }
}

/** What the platform publishes of the guest's issuer: its API server's own documents, at the issuer's address. */
function publishedBy({ guest }: HostedRealWorld): HttpExchange {
  const discovery = { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ['id_token'] }
  return async request => {
    if (request.target.endsWith('/keys'))
      return guest.exchange({ method: 'GET', target: '/openid/v1/jwks', headers: {}, body: null })
    const headers = { 'content-type': 'application/json' }
    if (request.target.endsWith('/openid-configuration'))
      return { status: 200, headers, body: Buffer.from(JSON.stringify(discovery)) }
    return { status: 404, headers: {}, body: null }
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
