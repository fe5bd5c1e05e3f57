// kube: the Kubernetes vocabulary. Objects, names, selectors, quantities, conditions, patches, Status, how YAML is read, and the schema
// builder that defines a kind once. Pure values and functions: nothing here talks to a server (kube/client does) and nothing knows AWS.
// Start with objects.ts.

/** The same as one value, for the short list of those who write an operator. */
export * as builtinKinds from './builtin-types.ts'
export {
  certificateSigningRequests,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  endpointSlices,
  events,
  leases,
  mutatingWebhookConfigurations,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
  services,
  subjectAccessReviews,
  tokenReviews,
  validatingWebhookConfigurations,
} from './builtin-types.ts'
export {
  boundText,
  type Condition,
  type ConditionStatus,
  conditionMessageLengthMax,
  conditionReasonLengthMax,
  conditionTypeLengthMax,
  findCondition,
  isConditionTrue,
  type MergeConditionsOptions,
  mergeConditions,
  renderMicroTime,
  renderTime,
  type StoredCondition,
} from './conditions.ts'
export {
  type EventObject,
  eventName,
  eventNamespace,
  type ObjectReference,
  type Occurrence,
  referenceTo,
  renderEvent,
} from './events.ts'
export type { Infer, InferFields, Presence, Schema, SchemaFields } from './kind/builder.ts'
export * as schema from './kind/builder.ts'
export {
  type CustomObject,
  type CustomResourceDefinition,
  defineKind,
  type Kind,
  type KindDefinition,
  type ObjectOf,
  type PrinterColumn,
  renderCrd,
  schemaOf,
} from './kind/kind.ts'
export { renderReference } from './kind/reference.ts'
export type { CelRule, StructuralSchema } from './kind/structural.ts'
export { isKindNamed, type NamedKind } from './kind-names.ts'
export { isNamed, type NamedObjects, parseNamedObjects } from './named-objects.ts'
export {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
  wildcardSubdomainErrors,
} from './names.ts'
export {
  apiVersionOf,
  type KubeObject,
  keyOf,
  type ListMeta,
  type ManagedFieldsEntry,
  type ObjectKey,
  type ObjectList,
  type ObjectMeta,
  type OwnerReference,
  parseKey,
  type ResourceType,
  renderKey,
  resourceNameOf,
  resourcePath,
  type StoredObject,
} from './objects.ts'
export { controllerOf, controllerReference, isOwnedBy, ownerReference } from './owners.ts'
export { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax, mergePatch } from './patch.ts'
export {
  mergeRights,
  type PolicyRule,
  type RbacObject,
  type RbacOptions,
  type Right,
  renderRbac,
  rightTo,
  type Verb,
} from './rbac.ts'
export {
  type FieldRequirement,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelector,
  parseFieldSelector,
  parseLabelSelector,
  renderLabelSelector,
  SelectorError,
  selectorFromObject,
} from './selectors.ts'
export { type Status, type StatusCause, type StatusDetails, StatusError } from './status.ts'
export { exactYaml, kubernetesYaml } from './yaml-schema.ts'
