// kube/client: the wire to a Kubernetes API server. Reads kubeconfigs, authenticates, keeps connections alive, and turns each
// outcome into a value or one `KubeError`. It does not cache or retry writes: that is the engine's business. Start with client.ts.
export {
  type DeleteOptions,
  type KubeCallOptions,
  type KubeClient,
  KubeError,
  type KubeErrorCode,
  type ListOptions,
  type PatchKind,
  type PatchOptions,
  type ServedResource,
  type TokenRequestSpec,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from './client.ts'
export { type Connected, type ConnectOptions, type ConnectSeams, connect, podFolder } from './connect.ts'
export { createKubeClient, type KubeClientOptions } from './create-client.ts'
export { fixedCredentials, type KubeCredentials } from './credentials.ts'
export { type ExecEntry, type Kubeconfig, KubeconfigError, mergeKubeconfigs, parseKubeconfig } from './kubeconfig/kubeconfig.ts'
export { type LoadedKubeconfig, loadKubeconfig } from './kubeconfig/load.ts'
export { type KubeconfigChoice, type KubeconfigSelection, selectContext } from './kubeconfig/select.ts'
export { type RequestedTokenOptions, requestedToken, tokenLifeMs } from './requested-token.ts'
