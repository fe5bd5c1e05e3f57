// Finding kubeconfig files as kubectl does.
import type { Seams } from '#base'
import { type Kubeconfig, KubeconfigError, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts'

export interface LoadedKubeconfig {
  readonly config: Kubeconfig
  /** The files that were there. */
  readonly files: readonly string[]
}

/** Explicit paths must be there; those of KUBECONFIG may be missing, as long as one is; `undefined` when there is no file at all. */
export async function loadKubeconfig(
  seams: Pick<Seams, 'files' | 'env'>,
  explicit?: readonly string[],
): Promise<LoadedKubeconfig | undefined> {
  const paths = explicit ?? defaultPaths(seams.env)
  const configs: Kubeconfig[] = []
  const files: string[] = []
  for (const path of new Set(paths)) {
    const bytes = await seams.files.read(path)
    if (bytes === undefined) {
      if (explicit === undefined) continue
      throw new KubeconfigError(path, 'there is no such file; name another by --kubeconfig or KUBECONFIG')
    }
    configs.push(parseKubeconfig(new TextDecoder().decode(bytes), path))
    files.push(path)
  }
  return configs.length === 0 ? undefined : { config: mergeKubeconfigs(configs), files }
}

export function defaultPaths(env: Seams['env']): readonly string[] {
  const listed = (env.KUBECONFIG ?? '').split(':').filter(path => path !== '')
  if (listed.length > 0) return listed
  const home = env.HOME ?? ''
  return home === '' ? [] : [`${home}/.kube/config`]
}

/** Relative paths in a kubeconfig count from its own folder. */
export function besides(file: string, path: string): string {
  if (path.startsWith('/')) return path
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return `${folder}${path}`
}
