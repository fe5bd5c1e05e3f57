// The AWS emulator beside moto, in one run, by one load generator sending the same bytes over eight kept-alive connections, both
// servers in processes of their own; and the emulator in process. `npm run bench -- emulator [SECONDS] [ROLES]`.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createAws } from '#emulator'
import { startMoto } from '../test/real/moto.ts'
import { pythonEnvironment } from '../test/real/python.ts'

interface Call {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Ask = (call: Call) => Promise<{ readonly status: number; readonly text: string }>

const connections = 8
const account = 'arn:aws:iam::123456789012'
const issuer = 'https://s3.us-east-1.amazonaws.com/issuer'

export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 2)
  const roles = Number(args[1] ?? 10_000)
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const world: World = {
    token: tokenOf(privateKey),
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' },
  }

  const inProcess = await emulatorInProcess(world, seconds)
  const served = await emulatorServed(world, { seconds, roles })
  const moto = await motoServed(world, { seconds, roles })
  printTable(inProcess, served, moto)
}

interface World {
  readonly token: string
  readonly jwk: object
}

interface Figures {
  readonly perSecond: ReadonlyMap<string, number>
  /** Processor time of the server per step: what other programs on the machine cannot blur. */
  readonly cpuMs: ReadonlyMap<string, number>
  readonly readyMs: number
  readonly rssMb?: number
}

async function emulatorInProcess(world: World, seconds: number): Promise<Figures> {
  const begun = performance.now()
  const aws = createAws({ seed: 'bench' })
  const ask: Ask = async call => {
    const body = call.body === '' ? null : Buffer.from(call.body)
    const answer = await aws.handle({
      method: call.method,
      target: call.target,
      headers: { host: '127.0.0.1', ...call.headers },
      body,
    })
    return {
      status: answer.status,
      text: answer.status < 300 ? '' : Buffer.from((answer.body as Uint8Array | null) ?? []).toString(),
    }
  }
  await ask(query('sts', 'GetCallerIdentity'))
  const readyMs = performance.now() - begun
  const zone = await prepare(ask, world, async call => {
    const answer = await aws.handle({ ...call, headers: { host: '127.0.0.1', ...call.headers }, body: Buffer.from(call.body) })
    return Buffer.from(answer.body as Uint8Array).toString()
  })
  const cpu = (): number => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000
  return { ...(await measure(ask, world, { zone, seconds, workers: 1, cpu })), readyMs }
}

async function emulatorServed(world: World, size: { seconds: number; roles: number }): Promise<Figures> {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'emulator-serve.ts')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    return await measureServed({ url, pid: child.pid ?? 0, begun }, world, size)
  } finally {
    child.stdin.end()
    await once(child, 'exit')
  }
}

async function motoServed(world: World, size: { seconds: number; roles: number }): Promise<Figures | undefined> {
  const python = await pythonEnvironment()
  if ('missing' in python) {
    console.log(`moto ${python.missing}`)
    return undefined
  }
  const begun = performance.now()
  const moto = await startMoto(python)
  try {
    return await measureServed({ url: moto.url, pid: moto.pid, begun }, world, size)
  } finally {
    await moto.stop()
  }
}

async function measureServed(
  server: { readonly url: string; readonly pid: number; readonly begun: number },
  world: World,
  size: { readonly seconds: number; readonly roles: number },
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ask: Ask = call => overHttp(agent, server.url, call)
  await ask(query('sts', 'GetCallerIdentity'))
  const readyMs = performance.now() - server.begun
  const zone = await prepare(ask, world, async call => (await ask(call)).text)
  const cpu = (): number => processorMs(server.pid)
  const measured = await measure(ask, world, { zone, seconds: size.seconds, workers: connections, cpu })
  await fill(ask, size.roles)
  const rssMb = residentMb(server.pid)
  agent.destroy()
  return { ...measured, readyMs, rssMb }
}

function overHttp(agent: Agent, url: string, call: Call): ReturnType<Ask> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(call.body)) }
    const options = { agent, hostname, port, method: call.method, path: call.target, headers: { ...call.headers, ...length } }
    const sent = httpRequest(options, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(call.body)
  })
}

function query(service: string, action: string, more: Readonly<Record<string, string>> = {}): Call {
  const Version = service === 'iam' ? '2010-05-08' : '2011-06-15'
  const body = new URLSearchParams({ Action: action, Version, ...more }).toString()
  return {
    method: 'POST',
    target: '/',
    headers: { ...signed(service), 'content-type': 'application/x-www-form-urlencoded' },
    body,
  }
}

/** Neither side verifies signatures here: the emulator's default mode only reads the key, and moto never looks. */
function signed(service: string): Record<string, string> {
  const scope = `AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/${service}/aws4_request`
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    'x-amz-date': '20260101T000000Z',
  }
}

const object = (key: string, body: string): Call => ({ method: 'PUT', target: `/issuer/${key}`, headers: signed('s3'), body })

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Federated: `${account}:oidc-provider/s3.us-east-1.amazonaws.com/issuer` },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals: { 's3.us-east-1.amazonaws.com/issuer:sub': 'system:serviceaccount:default:app' } },
    },
  ],
})

/** The issuer's documents in a public bucket, provider, role and zone: what a verified web identity needs. Answers the zone's id. */
async function prepare(ask: Ask, world: World, read: (call: Call) => Promise<string>): Promise<string> {
  const must = async (call: Call): Promise<void> => {
    const { status, text } = await ask(call)
    if (status >= 300) throw new Error(`${call.method} ${call.target} ${call.body.slice(0, 60)}: ${status} ${text}`)
  }
  await must({ method: 'PUT', target: '/issuer', headers: signed('s3'), body: '' })
  const block =
    '<PublicAccessBlockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><BlockPublicPolicy>false</BlockPublicPolicy></PublicAccessBlockConfiguration>'
  await must({ method: 'PUT', target: '/issuer?publicAccessBlock', headers: signed('s3'), body: block })
  const Resource = ['arn:aws:s3:::issuer/.well-known/openid-configuration', 'arn:aws:s3:::issuer/keys.json']
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource }] }
  await must({ method: 'PUT', target: '/issuer?policy', headers: signed('s3'), body: JSON.stringify(policy) })
  await must(object('.well-known/openid-configuration', JSON.stringify({ issuer, jwks_uri: `${issuer}/keys.json` })))
  await must(object('keys.json', JSON.stringify({ keys: [world.jwk] })))
  await must(
    query('iam', 'CreateOpenIDConnectProvider', {
      Url: issuer,
      'ClientIDList.member.1': 'sts.amazonaws.com',
      'ThumbprintList.member.1': 'a'.repeat(40),
    }),
  )
  await must(query('iam', 'CreateRole', { RoleName: 'bench', AssumeRolePolicyDocument: trust }))
  const created = await read({
    method: 'POST',
    target: '/2013-04-01/hostedzone',
    headers: signed('route53'),
    body: '<CreateHostedZoneRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Name>bench.com</Name><CallerReference>bench</CallerReference></CreateHostedZoneRequest>',
  })
  const zone = /<Id>\/hostedzone\/([A-Z0-9]+)</.exec(created)?.[1]
  if (zone === undefined) throw new Error(`no hosted zone: ${created}`)
  return zone
}

const rows: Readonly<Record<string, (world: World, zone: string, number: number) => readonly Call[]>> = {
  GetRole: () => [query('iam', 'GetRole', { RoleName: 'bench' })],
  'CreateRole + DeleteRole': (_, __, number) => [
    query('iam', 'CreateRole', { RoleName: `r${number}`, AssumeRolePolicyDocument: trust }),
    query('iam', 'DeleteRole', { RoleName: `r${number}` }),
  ],
  'PutObject (1 kB)': (_, __, number) => [object(`k${number % 1_000}`, 'x'.repeat(1_024))],
  AssumeRoleWithWebIdentity: ({ token }) => [
    query('sts', 'AssumeRoleWithWebIdentity', {
      RoleArn: `${account}:role/bench`,
      RoleSessionName: 'bench',
      WebIdentityToken: token,
    }),
  ],
  ChangeResourceRecordSets: (_, zone, number) => [
    {
      method: 'POST',
      target: `/2013-04-01/hostedzone/${zone}/rrset/`,
      headers: signed('route53'),
      body: `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>UPSERT</Action><ResourceRecordSet><Name>n${number % 1_000}.bench.com</Name><Type>A</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>1.2.3.4</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`,
    },
  ],
}

async function measure(
  ask: Ask,
  world: World,
  how: { readonly zone: string; readonly seconds: number; readonly workers: number; readonly cpu: () => number },
): Promise<Pick<Figures, 'perSecond' | 'cpuMs'>> {
  const perSecond = new Map<string, number>()
  const cpuMs = new Map<string, number>()
  for (const [name, callsOf] of Object.entries(rows)) {
    let number = 0
    const until = (ms: number): Promise<number> => {
      const end = performance.now() + ms
      return load(how.workers, async () => {
        for (const call of callsOf(world, how.zone, number++)) {
          const { status, text } = await ask(call)
          if (status >= 300) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`)
        }
        return performance.now() < end
      })
    }
    await until(200)
    const begun = performance.now()
    const cpuBegun = how.cpu()
    const done = await until(how.seconds * 1_000)
    perSecond.set(name, (done / (performance.now() - begun)) * 1_000)
    cpuMs.set(name, (how.cpu() - cpuBegun) / done)
  }
  return { perSecond, cpuMs }
}

/** So many workers, each one call after another until the step says false. Answers the number of steps. */
async function load(workers: number, step: () => Promise<boolean>): Promise<number> {
  let done = 0
  const worker = async (): Promise<void> => {
    for (let more = true; more; ) {
      more = await step()
      done++
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return done
}

async function fill(ask: Ask, roles: number): Promise<void> {
  let next = 0
  await load(connections, async () => {
    const number = next++
    if (number < roles) await ask(query('iam', 'CreateRole', { RoleName: `fill${number}`, AssumeRolePolicyDocument: trust }))
    return next < roles
  })
}

/** User and system time so far; the kernel counts in ticks of 10 ms. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_024
}

function tokenOf(key: KeyObject): string {
  const nowS = Math.floor(Date.now() / 1_000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: issuer,
    aud: ['sts.amazonaws.com'],
    sub: 'system:serviceaccount:default:app',
    iat: nowS,
    nbf: nowS,
    exp: nowS + 86_400,
  }
  const input = `${part({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${part(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

function printTable(inProcess: Figures, served: Figures, moto: Figures | undefined): void {
  const line = (...cells: readonly string[]): void => {
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(30) : cell.padStart(14))).join(''))
  }
  const number = (value: number | undefined, digits = 0): string => (value === undefined ? '-' : value.toFixed(digits))
  line('calls per second', 'in process', 'over HTTP', 'moto', 'HTTP / moto')
  for (const name of Object.keys(rows)) {
    const [own, http, other] = [inProcess, served, moto].map(figures => figures?.perSecond.get(name))
    const ratio = http === undefined || other === undefined ? '-' : `${(http / other).toFixed(1)}x`
    line(name, number(own), number(http), number(other), ratio)
  }
  line('processor ms per call', 'in process', 'over HTTP', 'moto', 'moto / HTTP')
  for (const name of Object.keys(rows)) {
    const [own, http, other] = [inProcess, served, moto].map(figures => figures?.cpuMs.get(name))
    const ratio = http === undefined || other === undefined ? '-' : `${(other / http).toFixed(1)}x`
    line(name, number(own, 3), number(http, 3), number(other, 3), ratio)
  }
  line('start to ready, ms', number(inProcess.readyMs), number(served.readyMs), number(moto?.readyMs), '')
  line('RSS with the roles, MB', '-', number(served.rssMb), number(moto?.rssMb), '')
  const web = inProcess.perSecond.get('AssumeRoleWithWebIdentity')
  const busy = inProcess.cpuMs.get('AssumeRoleWithWebIdentity')
  const elapsed = number(web === undefined ? undefined : 1_000 / web, 3)
  console.log(`one verified web identity in process: ${elapsed} ms elapsed, ${number(busy, 3)} ms of processor`)
}
