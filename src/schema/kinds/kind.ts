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
import { nodeWarnings } from './validate/cluster.ts'
import { endpointSliceWarnings, endpointsWarnings } from './validate/network/endpoints.ts'
import { ingressWarnings } from './validate/network/ingresses.ts'
import { networkPolicyWarnings } from './validate/network/network-policies.ts'
import { serviceWarnings } from './validate/network/services.ts'
import { secretWarnings } from './validate/network/tls.ts'
import { runtimeClassWarnings } from './validate/platform.ts'
import { podWarnings } from './validate/pods/pod-warnings.ts'
import { templateWarnings } from './validate/pods/template-warnings.ts'
import { claimWarnings } from './validate/storage/claims.ts'
import { storageClassWarnings } from './validate/storage/classes.ts'
import { volumeWarnings } from './validate/storage/persistent-volumes.ts'
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

type Warn = (object: JsonObject, old: JsonObject | undefined) => readonly string[]

function onlyNew(warn: (object: JsonObject) => readonly string[]): Warn {
  return (object, old) => (old === undefined ? warn(object) : [])
}

/** By `group/Kind`, beside what owners of pods are told of their templates. */
const ownWarnings: ReadonlyMap<string, Warn> = new Map<string, Warn>([
  ['/Endpoints', endpointsWarnings],
  ['/Node', nodeWarnings],
  ['/PersistentVolume', volumeWarnings],
  ['/PersistentVolumeClaim', claimWarnings],
  ['/Pod', onlyNew(podWarnings)],
  ['/Secret', secretWarnings],
  ['/Service', serviceWarnings],
  ['apiextensions.k8s.io/CustomResourceDefinition', definitionWarnings],
  ['apps/StatefulSet', statefulSetWarnings],
  ['discovery.k8s.io/EndpointSlice', endpointSliceWarnings],
  ['networking.k8s.io/Ingress', onlyNew(ingressWarnings)],
  ['networking.k8s.io/NetworkPolicy', networkPolicyWarnings],
  ['node.k8s.io/RuntimeClass', runtimeClassWarnings],
  ['storage.k8s.io/StorageClass', storageClassWarnings],
])

function warningsOf(group: string, kind: string, object: JsonObject, old: JsonObject | undefined): readonly string[] {
  const ofTemplate = old === undefined ? templateWarnings(group, kind, object) : []
  return [...ofTemplate, ...(ownWarnings.get(`${group}/${kind}`)?.(object, old) ?? [])]
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
