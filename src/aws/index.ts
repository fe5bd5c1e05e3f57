// aws: the AWS vocabulary. ARNs, accounts, partitions, policy documents, error classes, and the representation of services from
// which wire and CRDs are made. Pure values and functions: nothing here opens a connection (aws/client does) and nothing knows
// Kubernetes. Start with model/service-model.ts.
export { type GlobalEndpoint, globalEndpointsOf } from './endpoints/global-endpoints.ts'
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
  TimestampFormat,
} from './model/service-model.ts'
export { type ShippedService, serviceModel, shippedServices } from './services/service-models.ts'
