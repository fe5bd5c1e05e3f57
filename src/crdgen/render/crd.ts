// A kind as CustomResourceDefinition, in the form in which such kinds are published.

import { dump } from 'js-yaml'
import { compareText, given } from '#base'
import type { CustomResourceDefinition, PrinterColumn, StructuralSchema } from '#kube'
import { regionField } from '../infer/check-config.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { namesOf } from '../infer/names.ts'
import { pluralOf } from '../infer/plural.ts'
import { ackResourceMetadata, conditions, observedGeneration } from './common-status.ts'
import type { CrdMode } from './crd-mode.ts'
import { describe } from './describe.ts'
import { withFixed } from './fixed-fields.ts'
import { propertiesOf, type SchemaContext } from './schema.ts'

export interface CrdOptions {
  /** Columns for kinds whose config asks for none, whatever the mode. */
  readonly defaultColumns?: boolean | undefined
}

export function crdOf(
  service: InferredService,
  kind: InferredKind,
  mode: CrdMode = 'current',
  options: CrdOptions = {},
): CustomResourceDefinition {
  const { group } = service
  const schema = schemaOfKind(service, kind, mode)
  const isBare = kind.columns.length === 0 && (mode === 'extended' || options.defaultColumns === true)
  const columns = isBare ? defaultColumns : kind.columns
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { annotations: { 'controller-gen.kubebuilder.io/version': 'v0.19.0' }, name: `${kind.plural}.${group}` },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        ...given({ shortNames: kind.config.shortNames }),
        singular: kind.kind.toLowerCase(),
      },
      scope: 'Namespaced',
      versions: versionsOf(kind).map(version => ({
        ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map(sortKeys) }),
        ...(version.deprecated ? { deprecated: true } : {}),
        name: version.name,
        schema: { openAPIV3Schema: schema },
        served: version.served,
        storage: version.storage,
        subresources: { status: {} },
      })),
    },
  }
}

/** For kinds whose config asks for no columns. */
const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Synced', type: 'string', jsonPath: '.status.conditions[?(@.type=="ACK.ResourceSynced")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'ARN', type: 'string', jsonPath: '.status.ackResourceMetadata.arn', priority: 1 },
]

/** The same bytes for the same kind, whatever machine. */
export function crdYaml(crd: CustomResourceDefinition): string {
  return `---\n${dump(crd, { sortKeys: false, lineWidth: -1, noRefs: true, seqNoIndent: true })}`
}

export function crdFileName(group: string, plural: string): string {
  return `${group}_${plural}.yaml`
}

function versionsOf({ config }: InferredKind): readonly {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated: boolean
}[] {
  const listed = config.api_versions ?? []
  if (listed.length === 0) return [{ name: 'v1alpha1', served: true, storage: true, deprecated: false }]
  return listed.map(({ name = 'v1alpha1', served, storage, deprecated }) => ({
    name,
    served: served ?? true,
    storage: storage ?? listed.length === 1,
    deprecated: deprecated ?? false,
  }))
}

function schemaOfKind(service: InferredService, kind: InferredKind, mode: CrdMode): StructuralSchema {
  const context = contextOf(service, mode === 'extended')
  const required = [...kind.spec.values()]
    .filter(field => field.required)
    .map(field => field.json)
    .sort(compareText)
  const documentation = describe(kind.documentation)
  const common = service.loaded.config.include_ack_metadata !== false
  const status = {
    ...propertiesOf(kind.status.values(), context),
    ...(common ? { ackResourceMetadata: ackResourceMetadata(mode), conditions: conditions(mode) } : {}),
    ...(mode === 'extended' ? { observedGeneration } : {}),
  }
  const specText = `${kind.kind}Spec defines the desired state of ${kind.kind}.`
  return {
    description: `${kind.kind} is the Schema for the ${namesOf(pluralOf(kind.resource)).camel} API`,
    properties: {
      apiVersion: { description: 'The version of the schema that this object follows.', type: 'string' },
      kind: { description: 'The kind of this object.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: documentation === undefined ? specText : `${specText}\n\n${documentation}`,
        properties: specProperties(service, kind, mode),
        ...(required.length === 0 ? {} : { required }),
        type: 'object',
      },
      status: {
        description: `${kind.kind}Status defines the observed state of ${kind.kind}`,
        properties: sortKeys(status),
        ...(mode === 'seed' && common ? { required: ['ackResourceMetadata', 'conditions'] } : {}),
        type: 'object',
      },
    },
    type: 'object',
  }
}

function specProperties(service: InferredService, kind: InferredKind, mode: CrdMode): Record<string, StructuralSchema> {
  const fields = propertiesOf(
    mode === 'extended' ? withFixed(service, kind) : kind.spec.values(),
    contextOf(service, mode === 'extended'),
  )
  return kind.config.region_in_spec === true ? sortKeys({ ...fields, [regionField]: region }) : fields
}

const region: StructuralSchema = {
  description: 'The AWS region of the resource; before the region that the object or its namespace is annotated with.',
  type: 'string',
  'x-kubernetes-validations': [{ message: 'Value is immutable once set', rule: 'self == oldSelf' }],
}

function contextOf({ api, types }: InferredService, external: boolean): SchemaContext {
  return {
    types,
    external,
    patternOf: shape => {
      const found = api.shapes.get(shape)
      return found?.type === 'string' ? found.pattern : undefined
    },
  }
}

function sortKeys<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b))) as T
}
