// apiserver: a Kubernetes API server in one process, for development and tests. Start with api-server.ts (what a user sees), then
// README.md (what is simplified and what is out).
export type { ApiServer, ApiServerOptions, Faults } from './api-server.ts'
export { createApiServer, openApiServer } from './create-api-server.ts'
export type { EmulatedVersion } from './emulated-version.ts'
export type { FaultAction, FaultMatch, FaultRule } from './fault.ts'
export type { TokenIssuer } from './tokens/token-issuer.ts'
export { adminUser, type UserInfo } from './users.ts'
