// A kind, stated once: its names, its schema, its columns. The CRD, the reference page and the ResourceType come from it.
import { given } from '#base'
import { apiVersionOf, type KubeObject, type ObjectMeta, type ResourceType } from '../objects.ts'
import { object, type Presence, type Schema, type SchemaFields } from './builder.ts'
import type { CelRule, StructuralSchema } from './structural.ts'

export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly jsonPath: string
  readonly description?: string
  readonly format?: string
  /** 0 is shown always, higher ones with `-o wide`. */
  readonly priority?: number
}

export interface KindDefinition<Spec, Status> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly description: string
  readonly spec: Schema<Spec, Presence>
  readonly status?: Schema<Status, Presence>
  readonly columns?: readonly PrinterColumn[]
  /** Rules over the whole object, e.g. on its name. */
  readonly rules?: readonly CelRule[]
}

/** A kind with its type: `ObjectOf<typeof Widget>` is what a Widget is. */
export interface Kind<Spec, Status> {
  readonly type: ResourceType
  readonly apiVersion: string
  readonly definition: KindDefinition<Spec, Status>
  /** Builds an object of the kind. */
  make(metadata: ObjectMeta, spec: Spec, status?: Status): CustomObject<Spec, Status>
}

export interface CustomObject<Spec, Status> extends KubeObject {
  readonly spec: Spec
  readonly status?: Status
}

export type ObjectOf<K> = K extends Kind<infer Spec, infer Status> ? CustomObject<Spec, Status> : never

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: Readonly<Record<string, unknown>>
    readonly versions: readonly Readonly<Record<string, unknown>>[]
    /** Absent: versions differ by their name alone. */
    readonly conversion?: {
      readonly strategy: 'None' | 'Webhook'
      readonly webhook?: {
        readonly clientConfig: Readonly<Record<string, unknown>>
        readonly conversionReviewVersions: readonly string[]
      }
    }
  }
}

export function defineKind<Spec, Status = never>(definition: KindDefinition<Spec, Status>): Kind<Spec, Status> {
  const { group, version, kind, plural, namespaced } = definition
  const type = { group, version, kind, plural, namespaced }
  const apiVersion = apiVersionOf(type)
  return {
    type,
    apiVersion,
    definition,
    make: (metadata, spec, status) => ({ apiVersion, kind, metadata, spec, ...given({ status }) }),
  }
}

/** The whole structural schema of the kind, as it stands in the CRD. */
export function schemaOf<Spec, Status>({ definition }: Kind<Spec, Status>): StructuralSchema {
  const fields: SchemaFields = {
    spec: definition.spec,
    ...(definition.status === undefined ? {} : { status: definition.status.optional() }),
  }
  const { properties, required, ...rest } = object(fields).openApi
  return {
    description: definition.description,
    ...rest,
    ...given({ required }),
    properties: {
      apiVersion: { type: 'string', description: 'Version of this representation of the object.' },
      kind: { type: 'string', description: 'What the object is.' },
      metadata: { type: 'object' },
      ...properties,
    },
    ...given({ 'x-kubernetes-validations': definition.rules }),
  }
}

/** The CustomResourceDefinition, ready to be applied. */
export function renderCrd<Spec, Status>(kind: Kind<Spec, Status>): CustomResourceDefinition {
  const { definition } = kind
  const singular = definition.singular ?? definition.kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${definition.plural}.${definition.group}` },
    spec: {
      group: definition.group,
      scope: definition.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: definition.kind,
        listKind: `${definition.kind}List`,
        plural: definition.plural,
        singular,
        ...given({ shortNames: definition.shortNames, categories: definition.categories }),
      },
      versions: [
        {
          name: definition.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOf(kind) },
          ...(definition.status === undefined ? {} : { subresources: { status: {} } }),
          ...given({ additionalPrinterColumns: definition.columns }),
        },
      ],
    },
  }
}
