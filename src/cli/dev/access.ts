// How to reach the world from another terminal: one kubeconfig with a context for each cluster, what AWS clients need, and a file of shell
// exports with both.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { clientEnvironment } from '#emulator'
import type { WorldAccess } from './screen.ts'
import { type DevCluster, type DevWorld, region } from './world.ts'

/** Writes the files into the world's folder. */
export async function writeAccess(world: DevWorld): Promise<WorldAccess & { readonly exports: string }> {
  const { hub, edge, prod, stage, aws, awsAddress, folder } = world
  const clusters = [hub, edge, prod, stage]
  const kubeconfig = join(folder, 'kubeconfig')
  const exports = join(folder, 'env')
  const environment = {
    ...clientEnvironment(aws, { address: awsAddress, region }),
    // A tool that pages its output waits for a key; nobody who tries a command expects that.
    AWS_PAGER: '',
  }
  const lines = Object.entries({ KUBECONFIG: kubeconfig, ...environment }).map(([name, value]) => `export ${name}='${value}'\n`)
  // Keys of this world's own AWS, and of its clusters: for the user who started it.
  await writeFile(kubeconfig, mergedKubeconfig(clusters), { mode: 0o600 })
  // A session or a profile of somebody's real account would go before the keys.
  await writeFile(exports, `unset AWS_PROFILE AWS_SESSION_TOKEN\n${lines.join('')}`, { mode: 0o600 })
  return { kubeconfig, contexts: clusters.map(({ name }) => name), environment, control: world.controlAddress, exports }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[]
  readonly users: readonly { readonly user: object }[]
}

/** A context for each, by its name; the first is the current one. */
export function mergedKubeconfig(clusters: readonly DevCluster[]): string {
  const read = clusters.map(({ name, server }) => ({ name, config: load(server.kubeconfig()) as Kubeconfig }))
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': clusters[0]?.name,
    clusters: read.map(({ name, config }) => ({ ...config.clusters[0], name })),
    users: read.map(({ name, config }) => ({ ...config.users[0], name })),
    contexts: read.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  })
}
