// `vouch operator` with the kinds of sixteen services installed and no object of any: what it holds, beside the same with two, and how soon
// it serves after its start. Five are the ones that we ship, the others are inferred from their models when it starts. The program is bundled as
// it is published, since types that are stripped at the start are memory and time that nobody has who installed it.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { customResourceDefinitions } from '#kube'
import { createKubeClient } from '#kube/client'
import { freePort } from '../../test/real/programs/free-port.ts'
import { configsFolder, missingData, provenModelFile } from '../../test/real/proven/services.ts'
import { bundleFolder, bundleInto } from '../bundle.ts'

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
  const two = await idle({ main, services: ['iam', 's3'], models: [] })
  const sixteen = await idle({ main, services: shipped, models: inferred })
  return [
    `idle with 2 services (${two.crds} CRDs): serves after ${two.seconds.toFixed(1)} s, ${two.rssMb.toFixed(0)} MB`,
    `idle with 16 services (${sixteen.crds} CRDs): serves after ${sixteen.seconds.toFixed(1)} s, ${sixteen.rssMb.toFixed(0)} MB`,
  ]
}

async function bundled(): Promise<string> {
  const folder = bundleFolder('many-services')
  await bundleInto(folder, { main: '../src/cli/main.ts' }, { splitting: true })
  return join(folder, 'main.mjs')
}

interface Idle {
  readonly crds: number
  readonly seconds: number
  readonly rssMb: number
}

async function idle({
  main,
  services,
  models,
}: {
  readonly main: string
  readonly services: readonly string[]
  readonly models: readonly string[]
}): Promise<Idle> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-'))
  const server = createApiServer()
  await server.listen()
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig())
  for (const alias of models) {
    mkdirSync(join(folder, 'models', alias), { recursive: true })
    cpSync(provenModelFile(alias), join(folder, 'models', alias, 'service-2.json'))
    cpSync(join(configsFolder, alias, 'generator.yaml'), join(folder, 'models', alias, 'generator.yaml'))
  }
  const probes = await freePort()
  const flags = [
    '--controllers=resources',
    '--aws-account-id=111122223333',
    `--services=${services.join(',')}`,
    '--install-crds',
    '--aws-region=us-east-1',
    '--log-exporter=none',
    `--kubeconfig=${kubeconfig}`,
    `--health-probe-bind-address=127.0.0.1:${probes}`,
    '--metrics-bind-address=0',
    ...(models.length === 0 ? [] : [`--models=${join(folder, 'models')}`]),
  ]
  const startedMs = systemClock.monotonicMs()
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  }
  const child = spawn(process.execPath, [main, 'operator', ...flags], { stdio: ['ignore', 'ignore', 'inherit'], env })
  try {
    while (!(await isServing(probes))) {
      if (child.exitCode !== null) throw new Error(`the operator ended with ${child.exitCode}`)
      await systemClock.sleep(50)
    }
    const seconds = (systemClock.monotonicMs() - startedMs) / 1_000
    await systemClock.sleep(settleMs)
    const kube = createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() })
    const crds = (await kube.list(customResourceDefinitions, {})).items.length
    return { crds, seconds, rssMb: rssMbOf(child.pid ?? 0) }
  } finally {
    child.kill('SIGKILL')
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isServing(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

/** As Linux counts it. */
function rssMbOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1_024
}
