// The limit ranges of a namespace: what containers that say nothing ask for, and how much a container, a pod or a claim may ask for.
import { isRecord } from '#base'
import { forbidden } from '../../refusals.ts'
import type { StorePort } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { type LimitItem, readLimits } from './limit-items.ts'
import { violationsOf } from './violations.ts'
import { withDefaultResources } from './with-default-resources.ts'

export function limitRanges(ports: StorePort): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    mutate: attributes => {
      const { object } = attributes
      if (object === undefined || !isNewPod(attributes) || !isRecord(object.spec)) return object
      return limitsOf(ports, attributes).reduce(withDefaultResources, object)
    },
    validate: attributes => {
      if (isNewPod(attributes) || isClaim(attributes)) check(limitsOf(ports, attributes), attributes)
    },
  }
}

/** A pod that is there keeps what it asked for. */
function isNewPod({ kind, operation, subresource }: AdmissionAttributes): boolean {
  return kind.resource.group === '' && kind.resource.plural === 'pods' && operation === 'CREATE' && subresource === ''
}

function isClaim({ kind, operation, subresource }: AdmissionAttributes): boolean {
  const isWritten = operation === 'CREATE' || operation === 'UPDATE'
  return kind.resource.group === '' && kind.resource.plural === 'persistentvolumeclaims' && isWritten && subresource === ''
}

function limitsOf({ store }: StorePort, { namespace }: AdmissionAttributes): readonly (readonly LimitItem[])[] {
  const prefix = `${namespace}/`
  const found: (readonly LimitItem[])[] = []
  store.table('limitranges').rows.visit(prefix, ({ object }, key) => {
    if (!key.startsWith(prefix)) return false
    found.push(readLimits(object))
    return true
  })
  return found
}

function check(ranges: readonly (readonly LimitItem[])[], { kind, name, object }: AdmissionAttributes): void {
  if (object === undefined) return
  for (const items of ranges) {
    const violations = violationsOf(items, kind.resource.plural, object)
    if (violations.length === 0) continue
    const [only = ''] = violations
    throw forbidden(kind.resource, name, violations.length === 1 ? only : `[${violations.join(', ')}]`)
  }
}
