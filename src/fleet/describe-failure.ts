// What is said of a cluster that cannot be engaged: the class of failure and the next step, the same at every try. What a program
// printed, addresses and ids stay in the log: they change from try to try, and they are not ours to repeat (S16).
import { KubeconfigError, KubeError } from '#kube/client'

/** What an exec plugin can be blamed for, in the words of the client. */
const pluginFault =
  /gave no credentials: (its output is no JSON|its output is no ExecCredential|its output holds neither a token nor a certificate|its expirationTimestamp is no time|it ended with \d+)/

export function describeFailure(cluster: string, provider: string, error: unknown): string {
  return `cluster ${cluster} cannot be reached through provider ${provider}: ${describe(error)}`
}

function describe(error: unknown): string {
  if (error instanceof KubeconfigError) return 'its access data make no kubeconfig; see the ClusterProfile and the provider file'
  if (!(error instanceof KubeError)) return 'an unforeseen failure; the log has it'
  switch (error.code) {
    case 'unauthenticated':
      return describeCredentials(error.message)
    case 'refused':
      if (error.reason === 'Forbidden') return 'it may not read the namespace kube-system; grant the permissions of the manifests'
      if (error.reason === 'NotFound')
        return 'it has no namespace kube-system, so it is no cluster; see the address in the ClusterProfile'
      return 'it refused to say which cluster it is'
    case 'untrusted':
      return 'its certificate is not trusted; see certificate-authority-data in the ClusterProfile'
    case 'unreachable':
      return 'nothing answers at its address; see the address in the ClusterProfile and the network'
    case 'malformed':
      return 'what answers is no API server; see the address in the ClusterProfile'
    case 'throttled':
      return 'it asked for patience'
    default:
      return 'no answer in time; see that the provider and the API server answer'
  }
}

function describeCredentials(message: string): string {
  const fault = pluginFault.exec(message)?.[1]
  if (fault !== undefined) return `the plugin gave no credentials: ${fault}; run it by hand as the provider file says`
  if (message.includes('gave no credentials')) return 'the plugin could not be run; see its path in the provider file'
  return 'its API server does not accept the credentials; see the account that the plugin uses'
}
