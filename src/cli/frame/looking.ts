// What `vouch plan` and `vouch export` have in common: they read the flags of the operator, ask AWS, and close their connections at the end.
import { netTransport, type Transport } from '#aws/client'
import { FlagError, silentLog, systemSeams } from '#base'
import type { CustomResourceDefinition } from '#kube'
import type { ResourcesOptions } from '#operators/resources'
import manifest from '../../../package.json' with { type: 'json' }
import { tellRefusal } from './refusal.ts'
import { build } from './version.ts'

export interface Looking {
  readonly options: ResourcesOptions
  /** Of the services that were inferred. */
  readonly crds: readonly CustomResourceDefinition[]
  readonly kubeconfig: string | undefined
  readonly signal: AbortSignal
}

/** Calls `work` with the options that the operator would have. An error is told in one line, and the process ends with 1. */
export async function looking(args: readonly string[], work: (looking: Looking) => Promise<void>): Promise<void> {
  let transport: Transport | undefined
  try {
    const { readOperatorFlags, settingsOf } = await import('../operator/flags.ts')
    const { inferServices } = await import('../operator/models.ts')
    const { resources } = await import('../operators.ts')
    const { processOptions } = await import('#operators/resources')
    const settings = readOperatorFlags(['--controllers=resources', ...args], process.env)
    const seams = systemSeams(process.env, { log: silentLog })
    transport = netTransport(seams.net)
    const parts = { seams, transport, infer: inferServices, version: manifest.version, build }
    const { options, crds } = await processOptions(settingsOf(settings, resources), parts)
    // Ctrl-C ends the process itself: there is nothing to leave in order.
    const { signal } = new AbortController()
    await work({ options, crds, kubeconfig: settings.process.kubeconfig, signal })
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? 'vouch operator --help lists the flags of the operator' : undefined)
  } finally {
    await transport?.close()
  }
}
