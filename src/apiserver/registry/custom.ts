// A definition (CRD) read into a served resource.

import { isRecord } from '#base'
import { compileSchema, type Json, type KindSchema } from '#schema'
import type { Draft } from '../draft.ts'
import { allVerbs, apiVersion, type RegisteredResource, type ScalePaths, type ServedKind, type Subresource } from './resource.ts'

export interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: {
    readonly plural: string
    readonly singular?: string
    readonly kind: string
    readonly listKind?: string
    readonly shortNames?: readonly string[]
    readonly categories?: readonly string[]
  }
  readonly versions: readonly DefinitionVersion[]
  readonly conversion?: Readonly<Record<string, unknown>>
  readonly preserveUnknownFields?: boolean
}

export interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: Readonly<Record<string, unknown>> }
  readonly subresources?: {
    readonly status?: unknown
    readonly scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }
  }
  readonly additionalPrinterColumns?: readonly Readonly<Record<string, unknown>>[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

/** The resource that a definition describes; the definition has been validated before it was stored. */
export function customResource(definition: Readonly<Draft>, terminating: boolean): RegisteredResource {
  const spec = definition.spec as DefinitionSpec
  const { names, group } = spec
  const hasStatus = spec.versions.some(version => isRecord(version.subresources?.status))
  const storageIndex = spec.versions.findIndex(version => version.storage)
  const versions: ServedKind[] = []
  const all: ServedKind[] = []
  const resource: RegisteredResource = {
    group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: allVerbs,
    behaviour: {
      generation: 'outside-metadata',
      statusSubresource: hasStatus,
      unconditionalUpdate: false,
      createOnUpdate: false,
      nameRule: 'subdomain',
      returnsDeleted: false,
      gracefulDelete: false,
      virtual: false,
    },
    table: `${names.plural}.${group}`,
    storageVersion: spec.versions[storageIndex]?.name ?? '',
    versions,
    cohabitants: [],
    custom: {
      uid: definition.metadata.uid ?? '',
      terminating,
      conversion: spec.conversion ?? { strategy: 'None' },
      all,
      get storage() {
        return all[storageIndex] as ServedKind
      },
    },
  }
  for (const version of spec.versions) {
    const kind = servedVersion(resource, spec, version)
    all.push(kind)
    if (version.served) versions.push(kind)
  }
  return resource
}

function servedVersion(resource: RegisteredResource, spec: DefinitionSpec, version: DefinitionVersion): ServedKind {
  const openApi = version.schema?.openAPIV3Schema ?? {}
  const scale = version.subresources?.scale
  let schema: KindSchema | undefined
  return {
    resource,
    version: version.name,
    apiVersion: apiVersion(spec.group, version.name),
    get schema() {
      schema ??= compileSchema(openApi as Json, { preserveUnknownFields: spec.preserveUnknownFields === true })
      return schema
    },
    storedForm: undefined,
    subresources: subresourcesOf(resource.kind, version),
    scale: scale === undefined ? undefined : scalePaths(scale),
    deprecation: version.deprecated
      ? (version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`)
      : undefined,
    selectableFields: (version.selectableFields ?? []).map(field => field.jsonPath.replace(/^\./, '')),
    printerColumns: version.additionalPrinterColumns ?? [],
    openApi,
  }
}

function subresourcesOf(kind: string, version: DefinitionVersion): Subresource[] {
  const verbs = ['get', 'patch', 'update']
  const list: Subresource[] = []
  if (isRecord(version.subresources?.status)) list.push({ name: 'status', verbs, kind })
  if (version.subresources?.scale !== undefined)
    list.push({ name: 'scale', verbs, kind: 'Scale', group: 'autoscaling', version: 'v1' })
  return list
}

function scalePaths(scale: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }): ScalePaths {
  return {
    specReplicas: scale.specReplicasPath,
    statusReplicas: scale.statusReplicasPath,
    labelSelector: scale.labelSelectorPath,
  }
}
