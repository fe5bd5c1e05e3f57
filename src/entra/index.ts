// entra: Microsoft Entra and a little of Azure in one process, for development and tests. A token of a ServiceAccount is exchanged for an access
// token only when a federated credential names its issuer, subject and audience and the issuer's keys hold; vaults and blobs are read by whom a
// role assignment lets. Start with entra.ts (what a user sees), then README.md (what is faithful and what is not).
export { createEntra } from './create-entra.ts'
export type { Entra, EntraAdministrator, EntraOptions, EntraProfile } from './entra.ts'
export type { EntraFault } from './faults.ts'
