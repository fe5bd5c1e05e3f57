// hosted: pod identity webhooks beside the API servers of hosted control planes. Start with operator.ts, then control-plane/decide.ts and
// guest/decide.ts, the two halves; what they write is build/, pure functions from a control plane to objects.
export { type ControlPlane, type ControlPlaneSpec, controlPlaneKind, guestCondition, sidecarCondition } from './api.ts'
export { type HostedChoices, ourChoices, upstreamChoices } from './build/choices.ts'
export { createHostedOperator, type HostedOperatorOptions } from './create-operator.ts'
export { readHostedFlags } from './flags.ts'
export { type HostedManifests, renderHosted, renderTrouble } from './manifests/render.ts'
export type { HostedSettings } from './settings.ts'
