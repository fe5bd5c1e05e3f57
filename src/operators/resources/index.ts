// resources: AWS resources as Kubernetes objects. One runtime for every kind that inference makes: it reads the representation of a service
// and knows nothing else of it, but for what kinds/ lists. It is no compiler (crdgen is) and installs nothing by itself. Start with
// create-operator.ts (what a process holds), then the folders of a pass: seen, observe, decide, act, report; model/ turns manifests into calls and back.

export type { ManifestChecks } from './admission/admit.ts'
export { resourceValidatingConfiguration, resourceWebhooks } from './admission/webhook.ts'
export { AdoptedResourceError } from './adopted/adopting-object.ts'
export { fromAdoptedResource, isAdoptedResource } from './adopted/from-adopted-resource.ts'
export {
  annotations,
  conditions,
  type Fields,
  ownerTag,
  type Resource,
  type ResourceMetadata,
  type ResourceStatus,
} from './api.ts'
export {
  chooseKinds,
  createResourcesOperator,
  ExcludedError,
  type ResourcesOperator,
  resourceCrds,
  UnknownKindError,
} from './create-operator.ts'
export { isDeviating } from './kinds/deviations.ts'
export { type Gates, type ResourcesOptions } from './options.ts'
export { adoptionKeys, adoptionKeysOf } from './ownership/adoption-keys.ts'
export type { Home } from './place/select-place.ts'
export { ExportError, type ExportOptions, exportExisting } from './preview/export-existing.ts'
export { type LiveReads, type PlannedChange, planManifests } from './preview/plan-manifests.ts'
export { type InferServices, processOptions } from './process-options.ts'
export { type RightsOptions, resourceRights } from './rights.ts'
export { type ServiceWithKinds, type ShippedKinds, shippedKinds, shippedService } from './services/shipped.ts'
