// What the operator may do on the API server: the one list from which manifests are rendered, and that tests hold against what it really
// does, in both directions. Each choice that takes work away takes rights away.
import type { ResourceField, ResourceService } from '#aws'
import {
  configMaps,
  customResourceDefinitions,
  events,
  mergeRights,
  type NamedObjects,
  namespaces,
  parseNamedObjects,
  type ResourceType,
  type Right,
  resourceNameOf,
  rightTo,
  secrets,
  type Verb,
} from '#kube'
import { adoptedResourceKind } from './adopted/api.ts'
import { chooseKinds } from './create-operator.ts'
import { fieldExportKind } from './exports/api.ts'
import { deviationOf } from './kinds/deviations.ts'
import type { KindModel } from './model/kind-model.ts'
import { gatesDefault, type ResourcesOptions } from './options.ts'
import { roleSelectorKind } from './place/role-selector.ts'
import { referenceType } from './references/references.ts'
import { namesSecrets } from './secrets/secret-watch.ts'

export interface RightsOptions
  extends Pick<
    ResourcesOptions,
    | 'services'
    | 'kinds'
    | 'events'
    | 'fieldExport'
    | 'extendedFieldExports'
    | 'adoptedResources'
    | 'carm'
    | 'gates'
    | 'systemNamespace'
    | 'watchNamespaces'
    | 'watchSecrets'
    | 'secrets'
  > {
  /** Whether the process applies the CRDs itself. */
  readonly installsCrds?: boolean
  /** Whether the process moves objects to the version that is stored now. */
  readonly migrates?: boolean
}

const follow: readonly Verb[] = ['list', 'watch']

const claimed = 'what is asked for; patched for finalizer, notes and defaults of AWS, read afresh before anything is destroyed'

/**
 * Beside what every process of ours needs. Who moves objects to another stored version has rights to those of all namespaces, which leaves nothing
 * of the same right to those of a few.
 */
export function resourceRights(options: RightsOptions): readonly Right[] {
  const rights = rightsOf(options)
  return options.migrates === true ? mergeRights([...rights, ...migrationRights(options)]) : rights
}

function rightsOf(options: RightsOptions): readonly Right[] {
  const { services, kinds } = chooseKinds(options)
  const exports = options.fieldExport !== false
  const gates = { ...gatesDefault, ...options.gates }
  const seen = options.watchNamespaces?.length === 0 ? undefined : options.watchNamespaces
  const scope = seen === undefined ? {} : { within: seen }
  return [
    ...kinds.flatMap(({ type }) => [
      { ...rightTo(type, ['get', ...follow, 'patch'], claimed), ...scope },
      { ...rightTo(type, ['patch'], 'what is said of it', 'status'), ...scope },
    ]),
    ...referenced(kinds, services).map(type => ({ ...rightTo(type, follow, 'what others refer to'), ...scope })),
    ...(options.events === false
      ? []
      : [{ ...rightTo(events, ['get', 'create', 'patch'], 'events, and their counts'), ...scope }]),
    ...companionRights(kinds),
    rightTo(namespaces, follow, 'annotations with region and account of a namespace'),
    ...(exports ? exportRights(options.extendedFieldExports === true) : []),
    ...(options.adoptedResources === true ? adoptionRights(kinds, scope) : []),
    ...secretRights(options, kinds, scope),
    ...mappingRights(options, seen, exports),
    ...(gates.IAMRoleSelector ? [rightTo(roleSelectorKind.type, follow, 'who works as whom')] : []),
    ...(options.installsCrds === true
      ? [rightTo(customResourceDefinitions, ['create', 'patch'], 'CRDs that are installed at the start')]
      : []),
  ]
}

function exportRights(extended: boolean): readonly Right[] {
  return [
    rightTo(fieldExportKind.type, ['get', ...follow, 'patch'], 'which fields go where; patched for the finalizer'),
    rightTo(fieldExportKind.type, ['patch'], 'what is said of an export', 'status'),
    rightTo(configMaps, ['get', 'patch'], 'fields that are exported'),
    ...(extended ? [rightTo(configMaps, ['create'], 'targets of exports that are made when they are missing')] : []),
  ]
}

/** What an AdoptedResource asks for is made in its name. */
function adoptionRights(kinds: readonly KindModel[], scope: Pick<Right, 'within'>): readonly Right[] {
  const { type } = adoptedResourceKind
  return [
    { ...rightTo(type, ['get', ...follow, 'patch'], 'what is to be adopted; patched to take off a finalizer of ACK'), ...scope },
    { ...rightTo(type, ['patch'], 'what became of an adoption', 'status'), ...scope },
    ...kinds.map(each => ({ ...rightTo(each.type, ['create'], 'objects that AdoptedResources ask for'), ...scope })),
  ]
}

/** What is moved are objects of any namespace, since their definition is one. */
function migrationRights(options: RightsOptions): readonly Right[] {
  const moved = 'what is stored in another version'
  return [
    // One for each definition, since a chart gives them by service.
    ...definitionsOf(options).flatMap(name => [
      { ...rightTo(customResourceDefinitions, ['get'], 'in which versions objects are stored'), names: [name] },
      { ...rightTo(customResourceDefinitions, ['patch'], 'that none is stored otherwise', 'status'), names: [name] },
    ]),
    ...typesOf(options).flatMap(type => [rightTo(type, ['list'], moved), rightTo(type, ['patch'], moved, 'status')]),
  ]
}

/** Names of the definitions of all kinds that this process has to do with. */
export function definitionsOf(options: RightsOptions): readonly string[] {
  return typesOf(options).map(resourceNameOf)
}

function typesOf(options: RightsOptions): readonly ResourceType[] {
  const { kinds } = chooseKinds(options)
  const common = [
    ...(options.fieldExport === false ? [] : [fieldExportKind.type]),
    ...(options.adoptedResources === true ? [adoptedResourceKind.type] : []),
    roleSelectorKind.type,
  ]
  return [...kinds.map(({ type }) => type), ...common]
}

/** Who looks after one namespace has one tenant, and no mapping. */
function mappingRights(options: RightsOptions, seen: readonly string[] | undefined, exports: boolean): readonly Right[] {
  if (exports || options.carm === false || seen?.length === 1) return []
  const names = ['ack-role-account-map', ...(options.gates?.TeamLevelCARM === true ? ['ack-role-team-map'] : [])]
  const why = 'as which role other accounts are worked in'
  return [{ ...rightTo(configMaps, ['get'], why), names, within: [options.systemNamespace ?? 'ack-system'] }]
}

/** Kinds that are watched because ours refer to them, and that are not ours. */
function referenced(kinds: readonly KindModel[], services: readonly ResourceService[]): readonly ResourceType[] {
  const found = new Map<string, ResourceType>()
  for (const { kind, service } of kinds) {
    const fields: readonly ResourceField[] = [...kind.spec, ...Object.values(service.structures).flat()]
    for (const { reference } of fields) {
      const { resource, service: other = service.alias } = reference ?? { resource: '' }
      const type = reference === undefined ? undefined : referenceType(services, { service: other, resource })
      if (type !== undefined && !kinds.some(one => one.type.group === type.group && one.type.plural === type.plural))
        found.set(`${type.plural}.${type.group}`, type)
    }
  }
  return [...found.values()]
}

/** Validation records of certificates are objects of another kind. */
function companionRights(kinds: readonly KindModel[]): readonly Right[] {
  if (!kinds.some(({ id }) => deviationOf(id).companions !== undefined)) return []
  const recordSets = { group: 'route53.services.k8s.aws', plural: 'recordsets' }
  return [rightTo(recordSets, ['get', 'create', 'patch'], 'validation records of certificates')]
}

/** To the Secrets that the settings name; to all of them only where they say so. */
function secretRights(options: RightsOptions, kinds: readonly KindModel[], scope: Pick<Right, 'within'>): readonly Right[] {
  const access = parseNamedObjects(options.secrets ?? [])
  const exports = options.fieldExport !== false
  const makes = exports && options.extendedFieldExports === true
  const reads = exports || kinds.some(mayNameSecrets)
  const writes = exports || kinds.some(({ id }) => deviationOf(id).output !== undefined)
  const follows = options.watchSecrets !== false && (kinds.some(mayNameSecrets) || makes)
  return placesOf(access).flatMap(place => [
    ...(reads
      ? [{ ...rightTo(secrets, ['get'], 'values that fields take from Secrets, and what is exported to them'), ...place }]
      : []),
    ...(writes
      ? [{ ...rightTo(secrets, ['patch'], 'fields that are exported, and what AWS makes that belongs into a Secret'), ...place }]
      : []),
    ...(follows
      ? [
          {
            ...rightTo(secrets, follow, 'when a Secret that is named appears or changes: its metadata'),
            ...(access.all ? scope : place),
          },
        ]
      : []),
    // A right to create cannot be limited to names: RBAC does not know the name of an object that is yet to be made.
    ...(makes
      ? [{ ...rightTo(secrets, ['create'], 'targets of exports that are made when they are missing'), ...within(place) }]
      : []),
  ])
}

type Place = Pick<Right, 'names' | 'within'>

function placesOf({ all, within: namespaces }: NamedObjects): readonly Place[] {
  if (all) return [{}]
  return [...namespaces].map(([namespace, names]) => ({ within: [namespace], ...(names === 'all' ? {} : { names }) }))
}

function within({ within: namespaces }: Place): Pick<Right, 'within'> {
  return namespaces === undefined ? {} : { within: namespaces }
}

function mayNameSecrets(model: KindModel): boolean {
  return namesSecrets({ model, deviation: deviationOf(model.id) })
}
