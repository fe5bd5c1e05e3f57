// The kubectl scenarios as sequences to record: what kubectl asks on the wire becomes vectors.
import type { Script } from '../../conformance/apiserver/record.ts'
import type { ControlPlane } from '../control-plane.ts'
import { scenarios } from './kubectl-commands.ts'
import { runScenario } from './kubectl-run.ts'
import { recordingProxy } from './recording-proxy.ts'

/** Explaining asks for OpenAPI only; watching is timing. */
const unrecorded = /^explain|^watching/

export function kubectlScripts(plane: ControlPlane): Script[] {
  return scenarios
    .map((scenario, index) => ({ scenario, id: `kw${index + 1}` }))
    .filter(({ scenario }) => !unrecorded.test(scenario.title))
    .map(({ scenario, id }) => ({
      id,
      title: `kubectl: ${scenario.title}`,
      run: async session => {
        const proxy = await recordingProxy(session)
        const cluster = { name: 'proxy', cluster: { server: proxy.url } }
        const context = { name: 'proxy', context: { cluster: 'proxy', user: '' } }
        const kubeconfig = JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [cluster],
          contexts: [context],
          'current-context': 'proxy',
        })
        try {
          // The session has made the namespace and its account already: kubectl's own attempts are refused, and so recorded.
          await runScenario({ kubectl: plane.programs.kubectl, kubeconfig }, scenario, id)
        } finally {
          await proxy.close()
        }
      },
    }))
}
