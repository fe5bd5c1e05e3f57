// aws/client: the wire to real AWS endpoints, or to the emulator in this process. One client for every service, made from its
// representation; credentials, retries, pace and pagination. Start with client.ts; services/ lists what single services do
// differently.

export {
  ClientConfigError,
  type Endpoint,
  type EndpointOptions,
  endpointFromEnvironment,
  resolveEndpoint,
} from './calls/endpoint.ts'
export { InputError } from './calls/input.ts'
export { Pace, type PaceOptions } from './calls/pace.ts'
export { type AwsClient, type AwsClientOptions, type CallOptions, type CallResult, createAwsClient } from './client.ts'
export { AwsClients, type AwsClientsOptions, type ClientChoice } from './clients.ts'
export { browserProfile } from './credentials/browser-profile.ts'
export { type ChainOptions, credentialChain } from './credentials/chain.ts'
export {
  anonymous,
  type Credentials,
  CredentialsError,
  type CredentialsProvider,
  staticCredentials,
} from './credentials/credentials.ts'
export { type ProfileOptions, profileCredentials, readProfiles } from './credentials/profiles.ts'
export { renewing } from './credentials/renewing.ts'
export { RoleSessions } from './credentials/role-sessions.ts'
export {
  assumedRole,
  grantedLifeMs,
  type RoleRequest,
  type StsOptions,
  sessionName,
  stsClient,
  type WebIdentityRequest,
  webIdentityRole,
} from './credentials/sts.ts'
export { type AmbientClients, type AwsChoices, ambientClients, awsFlagGroup, readAwsFlags, readEndpoint } from './flags.ts'
export { inProcessTransport, type NetTransportOptions, netTransport, type Transport } from './transport/transport.ts'
