// From a ClusterProfile and the provider file to a way into the cluster, as a kubeconfig: the one form of access that our client takes,
// with exec plugins, renewal and proxies, the same for a fleet as for a person's own file.

import { createHash } from 'node:crypto'
import { given, isRecord } from '#base'
import type { ExecEntry } from '#kube/client'
import type { AccessProvider, ClusterProfile } from './cluster-profile.ts'
import { type ClusterProvider, isTexts } from './provider-file.ts'

export type Access =
  | {
      readonly kind: 'access'
      readonly provider: string
      readonly kubeconfig: string
      /** What the program sees of our environment. */
      readonly passedEnv: readonly string[]
      /** Equal for equal ways in: order of environment variables does not count, order of arguments does. */
      readonly fingerprint: string
    }
  | { readonly kind: 'none'; readonly message: string }

const argsExtension = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args'
const envExtension = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs'
const execExtension = 'client.authentication.k8s.io/exec'

/** The first provider of the file that the profile offers wins. */
export function accessOf(profile: ClusterProfile, providers: readonly ClusterProvider[]): Access {
  const offered = offersOf(profile)
  const name = `${profile.metadata.namespace ?? ''}/${profile.metadata.name}`
  const provider = providers.find(one => offered.has(one.name))
  const offer = provider === undefined ? undefined : offered.get(provider.name)
  if (provider === undefined || offer === undefined) {
    const known = providers.length === 0 ? 'none' : providers.map(one => one.name).join(', ')
    const listed = offered.size === 0 ? 'none' : [...offered.keys()].join(', ')
    return none(
      `ClusterProfile ${name} offers the access providers ${listed}, the provider file has ${known}; add one to the file`,
    )
  }
  if (provider.exec === undefined) return none(`provider ${provider.name} has no execConfig in the provider file; add one`)
  const { cluster } = offer
  if (cluster === undefined || cluster.server === '') {
    return none(`access provider ${provider.name} of ClusterProfile ${name} names no server`)
  }
  const exec = withExtensions(provider, provider.exec, offer)
  if (typeof exec === 'string') return none(`access provider ${provider.name} of ClusterProfile ${name}: ${exec}`)
  const kubeconfig = JSON.stringify(renderKubeconfig(offer, exec))
  return {
    kind: 'access',
    provider: provider.name,
    kubeconfig,
    passedEnv: provider.passedEnv,
    fingerprint: createHash('sha256').update(kubeconfig).digest('hex'),
  }
}

/** By name; the deprecated list counts where the new one does not say otherwise. */
function offersOf({ status }: ClusterProfile): ReadonlyMap<string, AccessProvider> {
  const all = [...(status?.credentialProviders ?? []), ...(status?.accessProviders ?? [])]
  return new Map(all.map(offer => [offer.name, offer]))
}

/** The program with what the profile adds, as far as the file lets it; a text says what is wrong. */
function withExtensions(provider: ClusterProvider, exec: ExecEntry, offer: AccessProvider): ExecEntry | string {
  const extension = (name: string): unknown => offer.cluster?.extensions?.find(one => one.name === name)?.extension
  const args = provider.argsPolicy === 'Ignore' ? undefined : extension(argsExtension)
  if (args !== undefined && !isTexts(args)) return `extension ${argsExtension} is no list of texts`
  const env = provider.envPolicy === 'Ignore' ? undefined : extension(envExtension)
  if (env !== undefined && !(isRecord(env) && isTexts(Object.values(env)))) return `extension ${envExtension} is no map of texts`
  const added = (env ?? {}) as Readonly<Record<string, string>>
  return {
    ...exec,
    args: [...exec.args, ...(args ?? [])],
    env: provider.envPolicy === 'Replace' ? { ...exec.env, ...added } : { ...added, ...exec.env },
  }
}

/** Skipping verification, other server names and paths of files are not taken from a profile: each would weaken or read something here. */
function renderKubeconfig({ cluster, name }: AccessProvider, exec: ExecEntry): unknown {
  const config = cluster?.extensions?.find(one => one.name === execExtension)
  const ca = cluster?.['certificate-authority-data']
  const proxyUrl = cluster?.['proxy-url']
  const env = Object.entries(exec.env)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ name: key, value }))
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [
      {
        name,
        cluster: {
          server: cluster?.server,
          ...given({ 'certificate-authority-data': ca }),
          ...(proxyUrl === undefined || proxyUrl === '' ? {} : { 'proxy-url': proxyUrl }),
          ...(config === undefined ? {} : { extensions: [config] }),
        },
      },
    ],
    users: [{ name, user: { exec: { ...exec, env, interactiveMode: 'Never' } } }],
  }
}

function none(message: string): Access {
  return { kind: 'none', message }
}
