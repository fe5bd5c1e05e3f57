// The flags of the sidecar and of its check: each of them is needed, and there are no others (§11.4).
import { resolve } from 'node:path'
import { type Flag, FlagError, type FlagValues, flagOf, parseFlags } from '#base'
import type { SidecarPaths } from './files.ts'

const { text } = flagOf

const kubeconfig = text('kubeconfig', '', 'kubeconfig of the cluster, which acts as the ServiceAccount (required)')
const files: readonly Flag[] = [
  text('token-file', '', 'where the token is written (required)'),
  text('aws-config-file', '', 'where the configuration for the SDKs of AWS is written (required)'),
]

export const sidecarFlags: readonly Flag[] = [kubeconfig, ...files]
export const checkFlags: readonly Flag[] = files

/** Throws `FlagError`. */
export function readSidecarFlags(args: readonly string[]): SidecarPaths & { readonly kubeconfig: string } {
  const values = parseFlags(sidecarFlags, args, new Map())
  return { kubeconfig: required(values, 'kubeconfig'), ...pathsOf(values) }
}

/** Of `check`. Throws `FlagError`. */
export function readCheckFlags(args: readonly string[]): SidecarPaths {
  return pathsOf(parseFlags(checkFlags, args, new Map()))
}

function pathsOf(values: FlagValues): SidecarPaths {
  const paths = { tokenFile: required(values, 'token-file'), configFile: required(values, 'aws-config-file') }
  if (resolve(paths.tokenFile) === resolve(paths.configFile)) {
    throw new FlagError('--token-file and --aws-config-file name one file; give each its own')
  }
  return paths
}

/** A line end in a path would begin another line of the configuration. */
function required(values: FlagValues, name: string): string {
  const value = values.text(name)
  if (value === '') throw new FlagError(`--${name} is required`)
  if (/[\r\n]/.test(value)) throw new FlagError(`--${name} holds a line end`)
  return value
}
