// `vouch operator` with the kinds of sixteen services installed and no object of any: what it holds, beside the same with two, and how soon
// it serves after its start. Five are the ones that we ship, the others are inferred from their models when it starts. Then a start where 200
// CRDs are installed already and all of them are its own. The program is bundled as it is published, since types that are stripped at the
// start are memory and time that nobody has who installed it.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { customResourceDefinitions } from '#kube'
import { createKubeClient } from '#kube/client'
import { freePort } from '../../test/real/programs/free-port.ts'
import { configsFolder, missingData, provenModelFile } from '../../test/real/proven/services.ts'
import { bundleFolder, bundleInto } from '../bundle.ts'
import { imageEnvironment } from '../image-environment.ts'

const shipped = ['acm', 'eks', 'iam', 'route53', 's3']
const inferred = [
  'apigatewayv2',
  'dynamodb',
  'ecr',
  'elasticache',
  'kms',
  'lambda',
  'memorydb',
  'rds',
  'secretsmanager',
  'sns',
  'sqs',
]

/** Time after its first word in which it settles. */
const settleMs = 15_000

export async function withManyServices(): Promise<readonly string[]> {
  if (missingData !== undefined) return [`sixteen services: ${missingData}`]
  const main = await bundled()
  const two = await inWorld(world => idle(main, world, { services: ['iam', 's3'], models: 0, installs: true }))
  const sixteen = await inWorld(world => idle(main, world, { services: shipped, models: inferred.length, installs: true }))
  const crowded = await inWorld(async world => {
    await idle(main, world, { ...crowd, installs: true })
    return idle(main, world, { ...crowd, installs: false })
  })
  return [
    `idle with 2 services (${two.crds} CRDs): ${told(two)}`,
    `idle with 16 services (${sixteen.crds} CRDs): ${told(sixteen)}`,
    `start where ${crowded.crds} CRDs are installed, all of them its own: ${told(crowded)}`,
  ]
}

async function bundled(): Promise<string> {
  const folder = bundleFolder('many-services')
  await bundleInto(folder, { main: '../src/cli/main.ts' }, { splitting: true })
  return join(folder, 'main.mjs')
}

interface Kinds {
  /** Of those that are shipped. */
  readonly services: readonly string[]
  /** How many others: each under its own name first, then all again under further ones. */
  readonly models: number
  readonly installs: boolean
}

/** Two hundred CRDs. */
const crowd = { services: shipped, models: 35 }

interface Idle {
  readonly crds: number
  readonly seconds: number
  readonly rssMb: number
  readonly peakRssMb: number
}

function told({ seconds, rssMb, peakRssMb }: Idle): string {
  return `follows all after ${seconds.toFixed(1)} s, ${rssMb.toFixed(0)} MB, at most ${peakRssMb.toFixed(0)}`
}

interface World {
  readonly folder: string
  readonly server: ApiServer
}

async function inWorld(use: (world: World) => Promise<Idle>): Promise<Idle> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-'))
  const server = createApiServer()
  try {
    await server.listen()
    writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig())
    return await use({ folder, server })
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function idle(main: string, { folder, server }: World, kinds: Kinds): Promise<Idle> {
  copyModels(folder, kinds.models)
  const probes = await freePort()
  const startedMs = systemClock.monotonicMs()
  const child = start([main, 'operator', ...flagsOf(folder, probes, kinds)])
  try {
    while (!(await isReady(probes))) {
      if (child.exitCode !== null) throw new Error(`the operator ended with ${child.exitCode}`)
      await systemClock.sleep(50)
    }
    const seconds = (systemClock.monotonicMs() - startedMs) / 1_000
    await systemClock.sleep(settleMs)
    const kube = createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() })
    const crds = (await kube.list(customResourceDefinitions, {})).items.length
    return { crds, seconds, ...memoryOf(child.pid ?? 0) }
  } finally {
    child.kill('SIGKILL')
  }
}

function copyModels(folder: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const alias = inferred[index % inferred.length] ?? ''
    const copy = Math.floor(index / inferred.length)
    const own = join(folder, 'models', copy === 0 ? alias : `${alias}${copy}`)
    mkdirSync(own, { recursive: true })
    cpSync(provenModelFile(alias), join(own, 'service-2.json'))
    cpSync(join(configsFolder, alias, 'generator.yaml'), join(own, 'generator.yaml'))
  }
}

function flagsOf(folder: string, probes: number, { services, models, installs }: Kinds): readonly string[] {
  return [
    '--controllers=resources',
    '--aws-account-id=111122223333',
    `--services=${services.join(',')}`,
    '--aws-region=us-east-1',
    '--log-exporter=none',
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    `--health-probe-bind-address=127.0.0.1:${probes}`,
    '--metrics-bind-address=0',
    ...(installs ? ['--install-crds'] : []),
    ...(models === 0 ? [] : [`--models=${join(folder, 'models')}`]),
  ]
}

function start(args: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    ...imageEnvironment(),
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  }
  return spawn(process.execPath, [...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

/** Its caches follow every kind that is served. */
async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

/** As Linux counts it. */
function memoryOf(pid: number): Pick<Idle, 'rssMb' | 'peakRssMb'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
  return { rssMb: mb('VmRSS'), peakRssMb: mb('VmHWM') }
}
