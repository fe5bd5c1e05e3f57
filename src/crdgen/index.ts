// crdgen: a compiler. AWS API models in, one representation of a service out (read/), and from it CRDs, types and permissions.
// Used at build time and by `vouch infer`; nothing here calls AWS or Kubernetes. Start with read/read-model.ts.
export { ModelError, type ModelErrorCode } from './read/model-error.ts'
export { pruneModel } from './read/prune.ts'
export { type ReadModelOptions, readModel } from './read/read-model.ts'
export { membersOf } from './read/references.ts'
