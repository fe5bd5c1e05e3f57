// The door of this room for tests of the whole house: what commands do, without their command lines.
export { openStoryAzure, secretText } from '../dev/hosted/azure.ts'
export { runPod } from '../dev/kubelet.ts'
export { applyManifests, readManifests } from '../dev/quickstart.ts'
export { manifestsOf } from '../files/yaml-text.ts'
export { operatorFlagGroups, readOperatorFlags } from '../operator/flags.ts'
export { runOperator } from '../operator/run.ts'
export { type HubOptions, hubDefaults, renderHub, rightsOfHub } from '../render/hub.ts'
export { rightsOf } from '../rights.ts'
