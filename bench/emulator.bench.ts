// `npm run bench -- emulator [MOTO_URL]`: calls per second of the AWS emulator, in process and over HTTP with every signature and
// token verified, beside moto, which is started from the cached Python environment unless its address is given. Over HTTP both are
// asked by the same replaying client, eight connections at once. The processor time of the server per call is printed too: other
// programs on the machine cannot blur it.
import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  CreateOpenIDConnectProviderCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  GetRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { type Change, ChangeResourceRecordSetsCommand, CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53'
import {
  CreateBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { AssumeRoleWithWebIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import type { HttpExchange, HttpRequest } from '#base'
import { createAws, sdkRequestHandler } from '#emulator'
import { startMoto } from '../test/real/moto.ts'
import { pythonEnvironment } from '../test/real/python.ts'

const workers = 8
const account = '123456789012'
const bucket = 'bench-issuer'
const issuer = `https://s3.us-east-1.amazonaws.com/${bucket}`
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' }],
})

interface Target {
  readonly exchange: HttpExchange
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Of the server, so far; absent where its process is not known. */
  readonly processorMs?: () => number
  /** moto breaks now and then when asked by eight at once; such rounds do not count. */
  readonly mayBreak?: true
}

export async function run(args: readonly string[]): Promise<void> {
  const moto = await motoAt(args[0])
  const inProcess = createAws({ signatures: 'verify', knobs: { quotas: { roles: 100_000 } } })
  const rows = new Map<string, Record<string, number>>()
  await measure(
    'in process',
    { exchange: inProcess.handle, credentials: inProcess.adminCredentials(), processorMs: () => processorMs(process.pid) },
    rows,
    2_000,
  )
  const child = await startServer()
  await measure(
    'over HTTP',
    {
      exchange: exchangeOver(child.address),
      credentials: child.credentials,
      processorMs: () => processorMs(child.process.pid ?? 0),
    },
    rows,
    2_000,
  )
  child.process.kill()
  if (moto !== undefined)
    await measure(
      'moto',
      {
        exchange: exchangeOver(moto.url),
        mayBreak: true,
        credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'x' },
        ...(moto.pid !== undefined && { processorMs: () => processorMs(moto.pid ?? 0) }),
      },
      rows,
      4_000,
    )
  await moto?.stop()
  print(rows, moto !== undefined)
  console.log(
    `start of the process to an answered call: ${child.readyMs.toFixed(0)} ms; createAws and its first call in a warm process: ${(await warmStartMs()).toFixed(1)} ms`,
  )
  await printMemory()
}

interface Beside {
  readonly url: string
  readonly pid?: number
  stop(): Promise<void>
}

async function motoAt(url: string | undefined): Promise<Beside | undefined> {
  if (url !== undefined) return { url, stop: () => Promise.resolve() }
  const python = await pythonEnvironment()
  if (!('missing' in python)) return startMoto(python)
  console.log(`moto ${python.missing}`)
  return undefined
}

/** User and system time of a process; the kernel counts in ticks of 10 ms. Not a number where there is no /proc. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** What each operation is, as requests to replay; made once per target, because they are signed. */
async function recorded(target: Target): Promise<Readonly<Record<string, readonly (readonly HttpRequest[])[]>>> {
  const seen: HttpRequest[] = []
  const handler = sdkRequestHandler(request => {
    seen.push(request)
    return target.exchange(request)
  })
  const common = {
    region: 'us-east-1',
    credentials: target.credentials,
    requestHandler: handler,
    maxAttempts: 1,
    forcePathStyle: true,
  }
  const [iam, s3, sts, route53] = [new IAMClient(common), new S3Client(common), new STSClient(common), new Route53Client(common)]
  const record = async (...calls: readonly (() => Promise<unknown>)[]): Promise<readonly HttpRequest[]> => {
    seen.length = 0
    for (const call of calls) await call()
    return [...seen]
  }
  const token = await federation({ iam, s3 })
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: String(Math.random()) }),
  )
  const change: Change = {
    Action: 'UPSERT',
    ResourceRecordSet: { Name: 'a.example.com', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '1.2.3.4' }] },
  }
  await iam.send(new CreateRoleCommand({ RoleName: 'read', AssumeRolePolicyDocument: trust }))
  const pairs: (readonly HttpRequest[])[] = []
  for (let index = 0; index < workers; index++) {
    const RoleName = `pair-${index}`
    const create = (): Promise<unknown> => iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }))
    pairs.push(await record(create, () => iam.send(new DeleteRoleCommand({ RoleName }))))
  }
  const puts: (readonly HttpRequest[])[] = []
  for (let index = 0; index < workers; index++) {
    puts.push(await record(() => s3.send(new PutObjectCommand({ Bucket: bucket, Key: `k-${index}`, Body: 'x'.repeat(1_000) }))))
  }
  return {
    GetRole: [await record(() => iam.send(new GetRoleCommand({ RoleName: 'read' })))],
    'CreateRole + DeleteRole': pairs,
    'PutObject (1 kB)': puts,
    AssumeRoleWithWebIdentity: [
      await record(() =>
        sts.send(
          new AssumeRoleWithWebIdentityCommand({
            RoleArn: `arn:aws:iam::${account}:role/app`,
            RoleSessionName: 's-1',
            WebIdentityToken: token,
          }),
        ),
      ),
    ],
    ChangeResourceRecordSets: [
      await record(() =>
        route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: HostedZone?.Id, ChangeBatch: { Changes: [change] } })),
      ),
    ],
  }
}

async function federation({ iam, s3 }: { readonly iam: IAMClient; readonly s3: S3Client }): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = {
    ...createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' }),
    kid: 'k',
    use: 'sig',
    alg: 'RS256',
  }
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  await s3.send(
    new PutPublicAccessBlockCommand({
      Bucket: bucket,
      PublicAccessBlockConfiguration: { BlockPublicPolicy: false, RestrictPublicBuckets: false },
    }),
  )
  const open = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/*` }],
  }
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(open) }))
  const put = (Key: string, document: object): Promise<unknown> =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: JSON.stringify(document) }))
  await put('.well-known/openid-configuration', { issuer, jwks_uri: `${issuer}/keys.json` })
  await put('keys.json', { keys: [jwk] })
  await iam.send(
    new CreateOpenIDConnectProviderCommand({
      Url: issuer,
      ClientIDList: ['sts.amazonaws.com'],
      ThumbprintList: ['a'.repeat(40)],
    }),
  )
  const host = issuer.slice('https://'.length)
  const Principal = { Federated: `arn:aws:iam::${account}:oidc-provider/${host}` }
  const statement = {
    Effect: 'Allow',
    Principal,
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${host}:sub`]: 'pod' } },
  }
  await iam.send(
    new CreateRoleCommand({
      RoleName: 'app',
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
    }),
  )
  const now = Math.floor(Date.now() / 1_000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: issuer, aud: 'sts.amazonaws.com', sub: 'pod', iat: now, exp: now + 3600 })}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

async function measure(name: string, target: Target, rows: Map<string, Record<string, number>>, forMs: number): Promise<void> {
  for (const [operation, scripts] of Object.entries(await recorded(target))) {
    await replay(target, scripts, 300)
    const before = target.processorMs?.() ?? Number.NaN
    const startedMs = performance.now()
    const perSecond = await replay(target, scripts, forMs)
    const calls = (perSecond * (performance.now() - startedMs)) / 1_000
    const busy = ((target.processorMs?.() ?? Number.NaN) - before) / calls
    rows.set(operation, { ...rows.get(operation), [name]: perSecond, [`${name}, processor ms`]: busy })
  }
}

/** Rounds of the scripts per second; a script of two calls counts once. */
async function replay(
  { exchange, mayBreak }: Target,
  scripts: readonly (readonly HttpRequest[])[],
  forMs: number,
): Promise<number> {
  let rounds = 0
  const startedMs = performance.now()
  const work = async (index: number): Promise<void> => {
    const script = scripts[index % scripts.length] as readonly HttpRequest[]
    while (performance.now() - startedMs < forMs) {
      let good = true
      for (const request of script) {
        const { status } = await exchange(request)
        good &&= status < 300
        if (status >= 300 && mayBreak !== true) throw new Error(`${request.method} ${request.target} was answered ${status}`)
      }
      if (good) rounds++
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index)))
  return rounds / ((performance.now() - startedMs) / 1_000)
}

function exchangeOver(address: string): HttpExchange {
  const { hostname, port } = new URL(address)
  const agent = new Agent({ keepAlive: true, maxSockets: workers })
  return ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        { agent, hostname, port, method, path: target, headers: headers as Record<string, string> },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body instanceof Uint8Array ? body : undefined)
    })
}

async function startServer(): Promise<{
  readonly process: ChildProcess
  readonly address: string
  readonly credentials: Target['credentials']
  readonly readyMs: number
}> {
  const startedMs = performance.now()
  const main = join(dirname(import.meta.dirname), 'src/cli/main.ts')
  const args = [
    '--disable-warning=ExperimentalWarning',
    main,
    'aws',
    '--port',
    '0',
    '--control-port',
    '0',
    '--signatures',
    'verify',
    '--profile',
    'instant',
  ]
  const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>(resolve => process_.stdout?.once('data', (data: Buffer) => resolve(data.toString())))
  const value = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(line)?.[1] ?? ''
  const address = value('AWS_ENDPOINT_URL')
  await fetch(address)
  return {
    process: process_,
    address,
    credentials: { accessKeyId: value('AWS_ACCESS_KEY_ID'), secretAccessKey: value('AWS_SECRET_ACCESS_KEY') },
    readyMs: performance.now() - startedMs,
  }
}

async function warmStartMs(): Promise<number> {
  const startedMs = performance.now()
  const aws = createAws()
  await aws.handle({ method: 'GET', target: '/', headers: { host: '127.0.0.1' }, body: null })
  return performance.now() - startedMs
}

async function printMemory(): Promise<void> {
  const aws = createAws({ knobs: { quotas: { roles: 100_000 } } })
  const iam = new IAMClient({
    region: 'us-east-1',
    credentials: aws.adminCredentials(),
    requestHandler: sdkRequestHandler(aws.handle),
  })
  const before = heapMb()
  for (let index = 0; index < 10_000; index++)
    await iam.send(new CreateRoleCommand({ RoleName: `role-${index}`, AssumeRolePolicyDocument: trust }))
  const more = heapMb() - before
  const startedMs = performance.now()
  await iam.send(new GetRoleCommand({ RoleName: 'role-5000' }))
  console.log(
    `10,000 roles: ${more.toFixed(0)} MB of heap more, RSS ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB; one GetRole among them through the SDK ${(performance.now() - startedMs).toFixed(1)} ms`,
  )
}

/** After a collection: what is garbage is not counted. */
function heapMb(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed / 1e6
}

function print(rows: ReadonlyMap<string, Readonly<Record<string, number>>>, withMoto: boolean): void {
  const cell = (value: number | undefined): string => (value === undefined ? '-' : Math.round(value).toLocaleString('en'))
  const line = (...cells: readonly string[]): void =>
    console.log(
      `${(cells[0] ?? '').padEnd(28)}${cells
        .slice(1)
        .map(text => text.padStart(14))
        .join('')}`,
    )
  line('per second', 'in process', 'CPU ms a call', 'over HTTP', 'moto', 'ratio')
  for (const [operation, row] of rows) {
    const ratio = withMoto ? `${((row['over HTTP'] ?? 0) / (row['moto'] ?? 1)).toFixed(1)}x` : '-'
    line(
      operation,
      cell(row['in process']),
      (row['in process, processor ms'] ?? Number.NaN).toFixed(3),
      cell(row['over HTTP']),
      cell(row['moto']),
      ratio,
    )
  }
  console.log('processor ms per call of the server')
  const fine = (value: number | undefined): string =>
    (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(3)).padStart(12)
  for (const [operation, row] of rows) {
    const [own, http, moto] = ['in process', 'over HTTP', 'moto'].map(name => row[`${name}, processor ms`])
    const ratio = http === undefined || moto === undefined || Number.isNaN(moto) ? '-' : `${(moto / http).toFixed(1)}x`
    console.log(`${operation.padEnd(28)}${fine(own)}${fine(http)}${fine(moto)}${ratio.padStart(9)}`)
  }
  const web = rows.get('AssumeRoleWithWebIdentity')
  if (web === undefined) return
  console.log(
    `one web identity verified in process: ${(1_000 / (web['in process'] ?? Number.NaN)).toFixed(2)} ms, of processor ${fine(web['in process, processor ms']).trim()} ms`,
  )
}
