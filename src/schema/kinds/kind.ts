// A built-in kind as the server uses every kind: decode, default, validate, and the view that apply and patches need.

import { atRest } from '../builtin/at-rest.ts'
import { decodeAs } from '../builtin/decode.ts'
import { renderInGoOrder } from '../builtin/go-order.ts'
import { shapeOfType } from '../builtin/shape.ts'
import { type StructType, schemaNameOf, typeNamed } from '../builtin/types.ts'
import { wrapIntegers } from '../builtin/wrap.ts'
import { definitionWarnings } from '../definition/definition.ts'
import type { JsonObject } from '../json.ts'
import type { KindSchema } from '../kind-schema.ts'
import { rewritten } from './conversions/conversions.ts'
import { defaultings, jobWithLabels } from './defaults.ts'
import { text } from './validate/checks.ts'
import { claimWarnings } from './validate/claims.ts'
import { nodeWarnings } from './validate/cluster.ts'
import { endpointSliceWarnings, endpointsWarnings } from './validate/network/endpoints.ts'
import { ingressWarnings } from './validate/network/ingresses.ts'
import { networkPolicyWarnings } from './validate/network/network-policies.ts'
import { serviceWarnings } from './validate/network/services.ts'
import { secretWarnings } from './validate/network/tls.ts'
import { volumeWarnings } from './validate/persistent-volumes.ts'
import { runtimeClassWarnings } from './validate/platform.ts'
import { podWarnings } from './validate/pods/pod-warnings.ts'
import { templateWarnings } from './validate/pods/template-warnings.ts'
import { storageClassWarnings } from './validate/storage/classes.ts'
import { statefulSetWarnings } from './validate/workloads.ts'
import { validations } from './validation.ts'

const kinds = new Map<string, KindSchema>()

/** The schema of a built-in kind, or undefined when there is none of that name. Made once per process; it holds no state. */
export function builtinKind(group: string, version: string, kind: string): KindSchema | undefined {
  const key = `${group}/${version}/${kind}`
  let schema = kinds.get(key)
  if (schema === undefined) {
    const name = schemaNameOf(group, version, kind)
    if (name === undefined) return undefined
    schema = makeKind(group, kind, typeNamed(name) as StructType)
    kinds.set(key, schema)
  }
  return schema
}

/** A built-in object in another of the forms in which its kind is served. */
export function convertBuiltin(object: JsonObject, apiVersion: string): JsonObject {
  const slash = apiVersion.indexOf('/')
  const kind = builtinKind(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), text(object.kind))
  const converted = rewritten(object, apiVersion)
  return kind === undefined ? converted : kind.prune(converted)
}

function warningsOf(group: string, kind: string, object: JsonObject, old: JsonObject | undefined): readonly string[] {
  return [...(old === undefined ? templateWarnings(group, kind, object) : []), ...ownWarnings(group, kind, object, old)]
}

function ownWarnings(group: string, kind: string, object: JsonObject, old: JsonObject | undefined): readonly string[] {
  if (kind === 'CustomResourceDefinition') return definitionWarnings(object)
  if (kind === 'Ingress' && old === undefined) return ingressWarnings(object)
  if (kind === 'NetworkPolicy') return networkPolicyWarnings(object)
  if (kind === 'StatefulSet') return statefulSetWarnings(object)
  if (kind === 'RuntimeClass') return runtimeClassWarnings(object)
  if (kind === 'StorageClass') return storageClassWarnings(object)
  if (kind === 'EndpointSlice') return endpointSliceWarnings(object)
  if (group !== '') return []
  if (kind === 'Pod' && old === undefined) return podWarnings(object)
  if (kind === 'PersistentVolume') return volumeWarnings(object)
  if (kind === 'PersistentVolumeClaim') return claimWarnings(object)
  if (kind === 'Node') return nodeWarnings(object)
  if (kind === 'Service') return serviceWarnings(object)
  if (kind === 'Endpoints') return endpointsWarnings(object)
  return kind === 'Secret' ? secretWarnings(object) : []
}

function makeKind(group: string, kind: string, type: StructType): KindSchema {
  const applyDefaults = defaultings.get(`${group}/${kind}`) ?? ((object: JsonObject) => object)
  const resting = group === 'batch' && kind === 'Job' ? jobWithLabels : (object: JsonObject) => object
  const validate = validations.get(`${group}/${kind}`)
  return {
    get shape() {
      return shapeOfType(type)
    },
    decode: (object, options) => decodeAs(type, object, options),
    prune: object => decodeAs(type, object).object,
    render: (object, touched, textOf) => renderInGoOrder(type, object, touched, textOf),
    wrapIntegers: object => wrapIntegers(type, object),
    atRest: object => atRest(type, resting(object)),
    applyDefaults,
    validate: (object, context) => ({
      errors: validate?.(object, context ?? {}) ?? [],
      warnings: warningsOf(group, kind, object, context?.old),
    }),
  }
}
