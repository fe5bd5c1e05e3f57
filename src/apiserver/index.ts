// apiserver: a Kubernetes API server in one process, for development and tests. Start with api-server.ts (what a user sees), then
// README.md (what is simplified and what is out).
export type {
  ApiServer,
  ApiServerOptions,
  EmulatedVersion,
  FaultAction,
  FaultMatch,
  FaultRule,
  Faults,
  TokenIssuer,
  UserInfo,
} from './api-server.ts'
export { adminUser } from './auth/users.ts'
export { createApiServer, openApiServer } from './create-api-server.ts'
