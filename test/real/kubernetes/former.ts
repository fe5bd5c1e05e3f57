// A kube-apiserver two releases older than the one that the suites run on, from its Go module: for a hub and a cluster of different ages.
// It takes minutes to build and serves one suite, so it is built only where `VOUCH_OPERANDS=all` says so; what was built once is used.
import { obtainKubernetes } from '../../../scripts/kubernetes.ts'
import type { ControlPlaneOptions } from '../control-plane.ts'
import { goTool, keptGoTool } from '../programs/go-tool.ts'

export const formerKubernetes = '1.32.13'

const place = { folder: `kubernetes/v${formerKubernetes}`, what: `kube-apiserver-${formerKubernetes}` }
/** All of Kubernetes' server, on a machine that does other things too. */
const buildMs = 1_800_000

export type FormerPrograms = Required<Pick<ControlPlaneOptions, 'programs'>> | { readonly skipped: string }

/** The programs of the suites, with the older API server in the place of theirs. */
export async function formerPrograms(): Promise<FormerPrograms> {
  const obtained = await obtainKubernetes()
  if ('skipped' in obtained) return obtained
  const kept = keptGoTool(place)
  if (kept === undefined && process.env['VOUCH_OPERANDS'] !== 'all')
    return { skipped: `kube-apiserver ${formerKubernetes} is built, in some minutes, where VOUCH_OPERANDS=all says so` }
  const linkerFlags = versionFlags(formerKubernetes)
  const built =
    kept === undefined
      ? goTool({ ...place, package: 'k8s.io/kubernetes/cmd/kube-apiserver', linkerFlags, buildMs })
      : { path: kept }
  return 'skipped' in built ? built : { programs: { ...obtained.programs, kubeApiserver: built.path, from: built.path } }
}

/** What it says of itself; without them a build from the module says that it is 0.0. */
function versionFlags(version: string): readonly string[] {
  const [gitMajor = '', gitMinor = ''] = version.split('.')
  const said = Object.entries({ gitVersion: `v${version}`, gitMajor, gitMinor })
  const packs = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  return packs.flatMap(pack => said.map(([name, value]) => `-X ${pack}.${name}=${value}`))
}
