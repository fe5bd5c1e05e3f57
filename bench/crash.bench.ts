// How long nobody leads after the leader is killed: two `vouch operator` processes over sockets, SIGKILL to the one that leads, until
// the other holds the lease. `npm run bench -- crash [KILLS]`; each kill once with nothing to do and once while Roles are being made.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { clientEnvironment, createAws } from '#emulator'
import { type KubeObject, leases, type ResourceType, type StoredObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import type { Lease } from '#runtime'

const main = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts')
const lease = { namespace: 'default', name: 'vouch-resources' }
const roles: ResourceType = {
  group: 'iam.services.k8s.aws',
  version: 'v1alpha1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

export async function run([kills = '5']: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-crash-'))
  const server = createApiServer({ seed: 'crash' })
  const aws = createAws({ signatures: 'verify' })
  const listener = await aws.listen()
  await server.listen()
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig())
  const client = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const address = `http://127.0.0.1:${listener.port}`
  const env = { ...process.env, ...clientEnvironment(aws, { address, region: 'us-east-1' }) }
  const flags = ['--controllers=resources', '--services=iam', '--install-crds', '--leader-elect', `--kubeconfig=${kubeconfig}`]
  const quiet = ['--leader-election-namespace=default', '--health-probe-bind-address=0', '--webhook-bind-address=0']
  const start = (): ChildProcess => {
    const args = ['--disable-warning=ExperimentalWarning', main, 'operator', ...flags, ...quiet]
    return spawn(process.execPath, args, { env, stdio: 'ignore' })
  }
  const replicas = [start()]
  try {
    await holderOtherThan(client, '')
    for (const atWork of [false, true]) {
      const waitsMs: number[] = []
      for (let kill = 0; kill < Number(kills); kill++) waitsMs.push(await killLeader({ client, replicas, start, atWork }))
      const sorted = waitsMs.toSorted((a, b) => a - b).map(ms => (ms / 1_000).toFixed(1))
      console.log(`${atWork ? 'at work' : 'at rest'}: nobody led for ${sorted.join(', ')} s (goal: at most 15)`)
    }
  } finally {
    for (const replica of replicas) replica.kill('SIGKILL')
    await listener.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

interface Kill {
  readonly client: KubeClient
  readonly replicas: ChildProcess[]
  readonly start: () => ChildProcess
  readonly atWork: boolean
}

/** The one that leads is always the oldest: a second one is started, given time to stand by, and the first one killed. */
async function killLeader({ client, replicas, start, atWork }: Kill): Promise<number> {
  const standby = start()
  replicas.push(standby)
  const stop = new AbortController()
  const work = atWork ? keepMaking(client, stop.signal) : Promise.resolve()
  // At any moment of the interval between two renewals.
  await systemClock.sleep(8_000 + 10_000 * Math.random())
  const holder = await holderOtherThan(client, '')
  const leader = replicas.shift() as ChildProcess
  const fromMs = performance.now()
  leader.kill('SIGKILL')
  await once(leader, 'exit')
  await holderOtherThan(client, holder)
  const tookMs = performance.now() - fromMs
  stop.abort()
  await work
  return tookMs
}

async function holderOtherThan(client: KubeClient, former: string): Promise<string> {
  for (;;) {
    const held = await client.find<Lease & StoredObject>(leases, lease)
    const holder = held?.spec.holderIdentity ?? ''
    if (holder !== '' && holder !== former) return holder
    await systemClock.sleep(50)
  }
}

async function keepMaking(client: KubeClient, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const name = `r-${performance.now().toFixed(0)}-${n}`
    const spec = { name, assumeRolePolicyDocument: trust }
    const role: KubeObject & { readonly spec: object } = {
      apiVersion: 'iam.services.k8s.aws/v1alpha1',
      kind: 'Role',
      metadata: { namespace: 'default', name },
      spec,
    }
    await client.create(roles, role)
    await systemClock.sleep(200)
  }
}
