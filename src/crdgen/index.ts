// crdgen: a compiler. AWS API models in, one representation of a service out (read/), and from it CRDs, types and permissions:
// config/ reads what a service's owner says, infer/ decides, render/ writes, compare/ holds two CRDs side by side.
// Used at build time and by `vouch infer`; nothing here calls AWS or Kubernetes. Start with infer/infer-service.ts.
export { type Comparison, type Difference, type DifferenceClass, diffCrds } from './compare/diff.ts'
export { flattenCrd } from './compare/flatten.ts'
export { type LoadedConfig, noConfig, readDocumentationConfig, readGeneratorConfig } from './config/read-config.ts'
export { chooseKinds, kindNamed, whyNone } from './infer/choose-kinds.ts'
export type { Classification } from './infer/classify.ts'
export type { SkewPolicy } from './infer/findings.ts'
export { type InferOptions, type InferredKind, type InferredService, inferService, type Refused } from './infer/infer-service.ts'
export { InferError, type InferErrorCode } from './infer-error.ts'
export { ModelError, type ModelErrorCode } from './read/model-error.ts'
export { pruneModel } from './read/prune.ts'
export { type ReadModelOptions, readModel } from './read/read-model.ts'
export { membersOf } from './read/references.ts'
export { type CrdMode, crdOf, crdYaml } from './render/crd.ts'
export { type OutputOptions, renderService } from './render/output.ts'
