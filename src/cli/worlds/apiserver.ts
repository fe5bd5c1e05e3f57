// `vouch apiserver`: the embedded API server alone, for people who test operators.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ApiServer, ApiServerOptions, EmulatedVersion } from '#apiserver'
import { given } from '#base'
import type { KubeObject } from '#kube'
import { yamlFiles } from '../files/yaml-files.ts'
import { manifestsOf } from '../files/yaml-text.ts'
import { tell } from '../frame/print.ts'
import { stopBySignal } from '../frame/stop-signal.ts'

interface Flags {
  readonly port: number
  readonly host: string
  readonly data?: string
  readonly seed?: string
  readonly emulate: EmulatedVersion
  readonly kubeconfig: string
  readonly crds?: readonly string[]
  readonly controllers: boolean
}

export function addApiserverCommand(program: Command): void {
  program
    .command('apiserver')
    .description('a Kubernetes API server in one process, from memory')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readPort, 0)
    .option('--data <folder>', 'keep the state in this folder; without it everything is gone at the end')
    .option('--seed <text>', 'same seed, same uids, generated names and keys')
    .addOption(
      new Option('--emulate <version>', 'the Kubernetes version to behave like')
        .choices(['1.32', '1.33', '1.34'])
        .default('1.34'),
    )
    .option('--kubeconfig <file>', 'where to write the kubeconfig', 'vouch-apiserver.kubeconfig')
    .option('--crds <paths...>', 'files or folders of definitions (YAML) that are there from the start')
    .option('--no-controllers', 'serve the API alone, without the small controllers')
    .action((flags: Flags) => run(flags))
}

async function run(flags: Flags): Promise<void> {
  // Before anything is told: who reads that it serves may stop it at once.
  const { signal } = stopBySignal()
  const server = await start(flags)
  try {
    const listener = await server.listen({ host: flags.host, port: flags.port })
    const kubeconfig = resolve(flags.kubeconfig)
    await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    tell(
      `Kubernetes ${flags.emulate} at https://${listener.host}:${listener.port}; use it with: kubectl --kubeconfig ${kubeconfig} get ns (Ctrl-C stops it)`,
    )
    const { untilAborted } = await import('#base')
    await untilAborted(signal)
  } finally {
    await server.close()
  }
}

async function start(flags: Flags): Promise<ApiServer> {
  const { createApiServer, openApiServer } = await import('#apiserver')
  const objects = await readObjects(flags.crds ?? [])
  const options: ApiServerOptions = {
    emulate: flags.emulate,
    objects,
    ...given({ seed: flags.seed }),
    ...(flags.controllers ? {} : { controllers: 'none' as const }),
  }
  if (flags.data === undefined) return createApiServer(options)
  const { systemFiles } = await import('#base')
  return openApiServer({ ...options, files: systemFiles, folder: resolve(flags.data) })
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}

async function readObjects(paths: readonly string[]): Promise<KubeObject[]> {
  const objects: KubeObject[] = []
  for (const path of paths) {
    for (const file of await yamlFiles(path)) {
      objects.push(...manifestsOf(file, await readFile(file, 'utf8')))
    }
  }
  return objects
}
