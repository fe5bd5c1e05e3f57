// kube: the Kubernetes vocabulary. Objects, names, selectors, quantities, conditions, patches, Status, and the schema builder that
// defines a kind once. Pure values and functions: nothing here talks to a server (kube/client does) and nothing knows AWS.
// Start with objects.ts.
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
export { type Status, type StatusCause, type StatusDetails, StatusError } from './status.ts'
