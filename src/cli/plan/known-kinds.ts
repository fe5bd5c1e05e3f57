// The kinds that `vouch plan` can judge, by their definitions: what a manifest may say, and what would stand on the server for it.
import type { CustomResourceDefinition, KubeObject, ResourceType } from '#kube'
import { compileSchema, type Json, type JsonObject, type KindSchema, renderFieldError } from '#schema'

export interface KnownKind {
  readonly type: ResourceType
  readonly schema: KindSchema
}

export type JudgedManifest =
  | { readonly kind: 'known'; readonly type: ResourceType; readonly object: KubeObject }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** What is read of a definition. */
interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: { readonly kind: string; readonly plural: string }
  readonly versions: readonly {
    readonly name: string
    readonly served: boolean
    readonly schema?: { readonly openAPIV3Schema?: Json }
  }[]
}

/** Judges manifests against these definitions. */
export function checkerOf(crds: readonly CustomResourceDefinition[]): (manifest: KubeObject) => JudgedManifest {
  const kinds = new Map<string, KnownKind>()
  const versions = new Map<string, string[]>()
  for (const crd of crds) {
    const { group, names, scope, versions: all } = crd.spec as unknown as DefinitionSpec
    for (const version of all.filter(({ served }) => served)) {
      const type = { group, version: version.name, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' }
      const schema = compileSchema(version.schema?.openAPIV3Schema)
      kinds.set(`${group}/${version.name} ${names.kind}`, { type, schema })
      versions.set(`${group} ${names.kind}`, [...(versions.get(`${group} ${names.kind}`) ?? []), version.name])
    }
  }
  return manifest => check(manifest, kinds.get(`${manifest.apiVersion} ${manifest.kind}`), versions)
}

function check(
  manifest: KubeObject,
  known: KnownKind | undefined,
  versions: ReadonlyMap<string, readonly string[]>,
): JudgedManifest {
  if (known === undefined) return { kind: 'unknown', why: whyUnknown(manifest, versions) }
  const { schema, type } = known
  const name: unknown = manifest.metadata?.name
  if (typeof name !== 'string' || name === '') return { kind: 'invalid', problems: ['metadata.name is missing'] }
  const { object, unknown, malformed } = schema.decode(manifest as unknown as JsonObject)
  if (malformed !== undefined) return { kind: 'invalid', problems: [malformed] }
  const filled = schema.applyDefaults(object)
  const { errors } = schema.validate(filled)
  const problems = [...unknown.map(path => `unknown field ${path}`), ...errors.map(renderFieldError)]
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'known', type, object: filled as unknown as KubeObject }
}

function whyUnknown({ apiVersion, kind }: KubeObject, versions: ReadonlyMap<string, readonly string[]>): string {
  const [group = ''] = apiVersion.split('/')
  const served = versions.get(`${group} ${kind}`)
  return served === undefined
    ? 'no kind of ours: what would come of it cannot be said'
    : `there is no version ${apiVersion} of it: ${served.map(version => `${group}/${version}`).join(', ')}`
}
