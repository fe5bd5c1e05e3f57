// emulator: AWS endpoints in one process, for development and tests. A credential is handed out only when the whole chain of trust
// holds. Start with aws.ts (what a user sees), then README.md (what is faithful and what is not).
export type {
  About,
  Aws,
  AwsCall,
  AwsCallFilter,
  AwsFaultEffect,
  AwsFaultRule,
  AwsOptions,
  ClusterBinding,
  DnsView,
  EmulatorCredentials,
  EnforceMode,
  Explanation,
  PodSubject,
  Profile,
  SignatureMode,
  ZonesDns,
} from './aws.ts'
export { type ClientEnvironmentOptions, clientEnvironment } from './client-environment.ts'
export { createAws } from './create-aws.ts'
export type { DnsRecord, DnsReply } from './dns/reply.ts'
export { podIdentityAgent } from './eks-auth/agent.ts'
export { type SdkRequest, type SdkRequestHandler, type SdkResponse, sdkRequestHandler } from './sdk-handler.ts'
