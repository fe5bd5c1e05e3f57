// manifests: everything that is applied to a cluster so that a process of operators runs there, as pure functions from what each operator
// says of itself and from the values of a person. `vouch render` prints it, the Helm charts of deploy/charts are held against it. It knows
// no operator, reads nothing and calls nobody. Start with values.ts (what may be decided), install.ts (the input), render.ts (the objects).

export { valuesTrouble } from './chart/check-values.ts'
export { deriveChart, deriveObjects, place } from './chart/derive.ts'
export { crdFile, printOperator } from './chart/print.ts'
export { printFlagChecks, printFlagTables, printOwnFlags } from './chart/print-flags.ts'
export { chartSchema } from './chart/schema.ts'
export { decidedFlags, decidedWith, flagName, type Reasons } from './decided-flags.ts'
export { processArgs } from './deployment.ts'
export {
  type FlagWords,
  reasonsOfLastArguments,
  refuseGivenFlags,
  refuseLastArguments,
} from './given-flags.ts'
export {
  accountOf,
  accountOfOperator,
  type ChartName,
  fullnameOf,
  type Install,
  type InstalledOperator,
  labelsOf,
  metadataOf,
  namespaceOf,
  type Release,
  type Volume,
} from './install.ts'
export { keptByHelm, renderInstall } from './render.ts'
export { type AccountRights, accountsOf } from './rights.ts'
export { type Labels, type Passed, type ProcessValues, processValues } from './values.ts'
