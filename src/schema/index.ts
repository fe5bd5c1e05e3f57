// schema: the language in which kinds of objects are described, and the built-in kinds described in it. What a definition may say
// (`definition/`), what its schema makes of an object (`structural/`), the rules it may hold (`cel/`), and how two writers of one
// object agree (`apply/`, `strategic/`). Everything is a function of values: no server, no store, no clock.
//
// Not here: `defineKind` of #kube and the builder that goes with it, with which this project states the kinds of its own. They write
// schemas as documents; this room reads such documents, whoever wrote them.
//
// Start with kind-schema.ts: what can be asked of every kind. `builtinKind` and `compileSchema` are the two that answer.
export { serverSideApply } from './apply/apply.ts'
export { compareOwners, identityOf } from './apply/managers.ts'
export { typeProblems } from './apply/typed.ts'
export type { ApplyResult, UpdateRequest, Versions } from './apply/types.ts'
export { trackUpdate } from './apply/update.ts'
export {
  type LeafType,
  type ListType,
  type MapType,
  openApiSchemas,
  refPrefix,
  type StructType,
  schemaNameOf,
  type TypeNode,
  typeNamed,
} from './builtin/types.ts'
export { type WireMessage, wireMessage } from './builtin/wire-fields.ts'
export { childrenOf, type Expr } from './cel/ast.ts'
export { type AuthorizerAccess, authorizerValue, resourceCheckValue } from './cel/library/authorizer.ts'
export { parse } from './cel/parser.ts'
export { renderProblems } from './cel/problems.ts'
export { type Compiled, compileUnchecked } from './cel/program.ts'
export { BudgetExceeded, CelList, type CelMap, type CelValue, EvalError, LiteralMap } from './cel/values.ts'
export { type FieldError, fieldError, invalidError, renderFieldError } from './field-error.ts'
export { quote } from './go-quote.ts'
export { goText, goType } from './go-text.ts'
export { isList, isObject, type Json, type JsonObject, jsonEqual, renderJson, setKey } from './json.ts'
export { bytesProblem, syntaxProblem } from './json-words.ts'
export type { KindSchema, SchemaResult } from './kind-schema.ts'
export { withStatusOf } from './kinds/conversions/autoscalers.ts'
export { type StoredForm, storedForm } from './kinds/conversions/conversions.ts'
export { builtinKind, convertBuiltin } from './kinds/kind.ts'
export { qualityOf } from './kinds/pod-quality.ts'
export { usualIp } from './kinds/validate/network/address-forms.ts'
export {
  addressErrors,
  familyOf,
  isReachable,
  needsHealthCheck,
  needsNodePorts,
  type ServicePort,
  type ServiceSpec,
} from './kinds/validate/network/service-addresses.ts'
export { compilePattern, type Pattern } from './pattern/pattern.ts'
export { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityAsNumber, renderQuantity } from './quantity.ts'
export { untyped } from './shape.ts'
export { strategicMergePatch } from './strategic/merge.ts'
export { compileSchema } from './structural/compile.ts'
