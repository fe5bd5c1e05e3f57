// How to reach the world from another terminal: one kubeconfig with a context for each cluster, what AWS clients need, and a file of shell
// exports with both.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { clientEnvironment } from '#emulator'
import { controlVariable } from '../worlds/aws-questions.ts'
import type { WorldAccess } from './screen.ts'
import { type DevCluster, type DevWorld, namesAccount, region } from './world.ts'

/** The variable that holds the port of the DNS server, for `dig @127.0.0.1 -p`. */
const dnsPortVariable = 'VOUCH_DNS_PORT'

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
    AWS_SHARED_CREDENTIALS_FILE: await otherAccount(world),
  }
  const ours = { KUBECONFIG: kubeconfig, [controlVariable]: world.controlAddress, [dnsPortVariable]: String(world.dnsPort) }
  const lines = Object.entries({ ...ours, ...environment }).map(([name, value]) => `export ${name}='${value}'\n`)
  // Keys of this world's own AWS, and of its clusters: for the user who started it.
  await writeFile(kubeconfig, mergedKubeconfig(clusters), { mode: 0o600 })
  // A session or a profile of somebody's real account would go before the keys.
  await writeFile(exports, `unset AWS_PROFILE AWS_SESSION_TOKEN\n${lines.join('')}${await ownCommand(folder)}`, { mode: 0o600 })
  return { kubeconfig, contexts: clusters.map(({ name }) => name), environment, control: world.controlAddress, exports }
}

/** `aws --profile names` is the administrator of the account that has the zone of names. */
async function otherAccount({ aws, folder }: DevWorld): Promise<string> {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials(namesAccount)
  const file = join(folder, 'aws-credentials')
  const text = `[names]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** `vouch` in any folder, whether this runs from a checkout or from an installed package: a command that starts this very program. */
async function ownCommand(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', process.argv[1] ?? '']
  const quoted = words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  await writeFile(join(bin, 'vouch'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o700 })
  return `export PATH='${bin}':"$PATH"\n`
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
