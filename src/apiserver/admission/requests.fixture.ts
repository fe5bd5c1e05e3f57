// Requests as plugins of admission see them, to a store that the test fills.
import { ManualClock } from '#base'
import { plant } from '../controllers/bootstrap.ts'
import type { Draft } from '../draft.ts'
import { makeParts } from '../make-parts.ts'
import type { ServedKind } from '../registry/resource.ts'
import { adminUser } from '../users.ts'
import type { AdmissionAttributes } from './admission.ts'
import type { AdmissionPlugin, MakePlugin, PluginPorts } from './plugin.ts'

export interface Objects {
  readonly apiVersion?: string
  readonly kind: string
  readonly metadata: Draft['metadata'] & { readonly name: string }
  readonly [field: string]: unknown
}

export interface PluginWorld {
  readonly plugin: AdmissionPlugin
  readonly ports: PluginPorts
  /** A request about a resource such as `apps/v1/deployments`, or `/v1/pods` of the core group. */
  request(resource: string, object: object | undefined, more?: Partial<AdmissionAttributes>): AdmissionAttributes
}

export function pluginWorld(make: MakePlugin, objects: readonly Objects[] = []): PluginWorld {
  const { ports: parts, authorizer } = makeParts({ seed: 1, clock: new ManualClock(), emulate: '1.34' })
  for (const object of objects) plant(parts, structuredClone({ apiVersion: 'v1', ...object }) as Draft)
  const ports: PluginPorts = { store: parts.store, random: parts.random, authorizer, registry: parts.registry }
  return {
    plugin: make(ports),
    ports,
    request: (resource, object, more = {}) => {
      const [group = '', version = '', plural = ''] = resource.split('/')
      const kind = parts.registry.find(group, version, plural)
      if (kind === undefined) throw new RangeError(`nobody serves ${resource}`)
      return attributes(kind, object as Draft | undefined, more)
    },
  }
}

function attributes(kind: ServedKind, object: Draft | undefined, more: Partial<AdmissionAttributes>): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind,
    subresource: '',
    namespace: kind.resource.namespaced ? 'x' : '',
    name: object?.metadata.name ?? '',
    user: adminUser,
    dryRun: false,
    options: {},
    object,
    oldObject: undefined,
    warnings: [],
    ...more,
  }
}
