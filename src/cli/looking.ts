// What `vouch plan` and `vouch export` have in common: flags of the operator after `--`, clients of AWS, and an end.
import { netTransport, type Transport } from '#aws/client'
import { FlagError, silentLog, systemSeams } from '#base'
import type { ResourcesOptions } from '#operators/resources'
import manifest from '../../package.json' with { type: 'json' }
import type { OperatorSettings } from './operator/flags.ts'
import { tellRefusal } from './refusal.ts'

export interface Looking {
  readonly options: ResourcesOptions
  readonly settings: OperatorSettings
  readonly signal: AbortSignal
}

/** Runs with the options that the operator would have; trouble is told in one line and ends with 1. */
export async function looking(args: readonly string[], work: (looking: Looking) => Promise<void>): Promise<void> {
  let transport: Transport | undefined
  try {
    const { readOperatorFlags } = await import('./operator/flags.ts')
    const { resourcesOptions } = await import('./operator/resources-options.ts')
    const settings = readOperatorFlags(['--controllers=resources', ...args], process.env)
    const seams = systemSeams(process.env, { log: silentLog })
    transport = netTransport(seams.net)
    const { options } = await resourcesOptions({ settings, seams, version: manifest.version }, transport)
    await work({ options, settings, signal: new AbortController().signal })
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? 'vouch operator --help lists the flags that may follow --' : undefined)
  } finally {
    await transport?.close()
  }
}
