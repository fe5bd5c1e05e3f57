// credentials: the hub as a consumer. Whoever runs on the hub gets AWS credentials of a ServiceAccount in another cluster: as a function
// for clients of the AWS SDK (`remoteCredentials`), as a `credential_process` for everything else that speaks to AWS (process/), and, on
// the cluster itself, as files that are kept fresh beside a program (sidecar/). The operator's objects are read, none is written.
//
// Start with remote-provider.ts, then remote-error.ts for what can go wrong. Outside this repository it is `vouch/credentials`.
export { type Seams, systemSeams } from '#base'
export type { RemoteCredentials } from './assume-role.ts'
export type { HubReader, RemoteAccess, RemoteProviderOptions, TokenGiver } from './options.ts'
export { processFlags, readProcessFlags } from './process/flags.ts'
export { renderCredentials, renderTrouble } from './process/render.ts'
export { openRemoteProvider, type RemoteChoice, type RemoteSeams, remoteCredentials } from './remote-credentials.ts'
export {
  isTemporary,
  isTemporaryReason,
  RemoteCredentialsError,
  type RemoteReason,
  type RemoteWay,
  remoteReasonOf,
} from './remote-error.ts'
export { createRemoteProvider, type RemoteProvider } from './remote-provider.ts'
export { cachedCredentials, type SdkCredentials, type SdkIdentity } from './sdk-credentials.ts'
export { checkSidecarFiles, type SidecarPaths } from './sidecar/files.ts'
export { readCheckFlags, readSidecarFlags, sidecarFlags } from './sidecar/flags.ts'
export { runSidecar, type SidecarOptions } from './sidecar/run.ts'
