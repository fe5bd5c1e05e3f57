// aws: the AWS vocabulary. ARNs, accounts, partitions, policy documents, error classes, limits, and the representation of services
// from which wire and CRDs are made. Pure values and functions: nothing here opens a connection (aws/client does) and nothing knows
// Kubernetes. Start with model/service-model.ts.
export { type GlobalEndpoint, globalEndpointsOf } from './endpoints/global-endpoints.ts'
export { AwsError, type AwsErrorFields, stableText } from './errors/aws-error.ts'
export { type AwsErrorClass, type AwsErrorFacts, classifyAwsError, isRetryableClass } from './errors/error-class.ts'
export { callRates, type Limit, type LimitName, limits, policyCharacters, type Rate } from './limits.ts'
export { extendedModel, type ModelAdditions, onFirstUse } from './model/extended-model.ts'
export { aroundResource } from './model/operations-around.ts'
export type {
  KindSettings,
  ModelType,
  OperationBinding,
  ResourceField,
  ResourceKind,
  ResourceMaking,
  ResourceOperations,
  ResourcePart,
  ResourceService,
  ResourceSubResource,
} from './model/resource-model.ts'
export { type Normaliser, normalisers } from './model/resource-model.ts'
export type {
  Bounds,
  ListShape,
  MapShape,
  Member,
  NumberShape,
  Operation,
  Protocol,
  ServiceModel,
  Shape,
  ShapeTraits,
  Streaming,
  StringShape,
  StructureShape,
  Tags,
  TimestampFormat,
  Values,
} from './model/service-model.ts'
export { type AccountId, isAccountId, parseAccountId } from './names/account.ts'
export {
  type Arn,
  asProviderArn,
  asRoleArn,
  type EksClusterArn,
  type EksClusterName,
  type IssuerLocation,
  isIssuerLocation,
  isRoleArn,
  type ProviderArn,
  type ProviderName,
  parseArn,
  parseIssuerUrl,
  parseProviderArn,
  parseRoleArn,
  type RoleArn,
  type RoleName,
  renderArn,
  renderProviderArn,
  renderRoleArn,
  tryParseArn,
  tryParseEksClusterArn,
} from './names/arn.ts'
export { type Audience, asAudience, isAudience } from './names/audience.ts'
export { NameError, type NameKind } from './names/name-error.ts'
export { isRegion, type Partition, type PartitionId, partitionById, partitionOf, partitions } from './names/partition.ts'
export { meaningOf, samePolicy, samePolicyText } from './policy/compare-policies.ts'
export { type ParsedPolicy, type PolicyProblem, type PolicyProblemCode, parsePolicy } from './policy/parse-policy.ts'
export { permissionOf } from './policy/permission.ts'
export {
  type Conditions,
  listOf,
  type OneOrMany,
  type PolicyDocument,
  type PolicyPrincipal,
  type PolicyUse,
  type PrincipalKind,
  type Statement,
} from './policy/policy-document.ts'
export { renderPolicy } from './policy/render-policy.ts'
export {
  type PodIdentityTrust,
  podIdentityTrust,
  renderSubject,
  type ServiceAccountName,
  TrustError,
  type WebIdentityTrust,
  webIdentityTrust,
} from './policy/trust-policy.ts'
export { type ShippedService, serviceModel, shippedServices } from './services/service-models.ts'
