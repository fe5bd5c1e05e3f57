// Which cluster and user a context means.
import { type ClusterEntry, type Kubeconfig, KubeconfigError, type Placed, type UserEntry } from './kubeconfig.ts'

export interface KubeconfigSelection {
  readonly context: string
  readonly namespace: string
  readonly cluster: Placed<ClusterEntry>
  readonly user: Placed<UserEntry>
}

export interface KubeconfigChoice {
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
}

export function selectContext(config: Kubeconfig, choice: KubeconfigChoice, files: readonly string[]): KubeconfigSelection {
  const where = files.join(', ')
  const name = choice.context ?? config.currentContext
  const context = config.contexts.get(name)
  if (context === undefined) {
    const known = [...config.contexts.keys()].sort().join(', ') || 'none'
    throw new KubeconfigError(
      where,
      name === ''
        ? `current-context is not set; choose one of the contexts: ${known}`
        : `there is no context ${JSON.stringify(name)}; contexts: ${known}`,
    )
  }
  const find = <T>(entries: ReadonlyMap<string, Placed<T>>, what: string, wanted: string): Placed<T> => {
    const entry = entries.get(wanted)
    if (entry !== undefined) return entry
    throw new KubeconfigError(
      context.file,
      `context ${JSON.stringify(name)} names the ${what} ${JSON.stringify(wanted)}, which is not there`,
    )
  }
  const userName = choice.user ?? context.entry.user
  return {
    context: name,
    namespace: context.entry.namespace ?? 'default',
    cluster: find(config.clusters, 'cluster', choice.cluster ?? context.entry.cluster),
    // A context without a user is anonymous.
    user: userName === '' ? { file: context.file, entry: {} } : find(config.users, 'user', userName),
  }
}
