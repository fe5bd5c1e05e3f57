// Settings of a resource that contradict what the model can do: refused when the kind is made, since at run time they would only fail.
import type { StateGateSetting } from '../config/generator-config.ts'
import type { LoadedConfig } from '../config/read-config.ts'
import { InferError } from '../infer-error.ts'
import { fieldNamed } from './field-config.ts'
import type { InferredKind } from './inferred-kind.ts'

/** Where a manifest says in which region the resource is, for kinds whose config asks for it. */
export const regionField = 'region'

export function checkConfig(kind: InferredKind, loaded: LoadedConfig): void {
  const { resource, config, operations } = kind
  const refuse = (path: readonly string[], problem: string): never => {
    throw new InferError('contradiction', `${loaded.placeOf('resources', resource, ...path)}: ${problem}`)
  }
  for (const [name, field] of config.fields ?? []) {
    if (field.custom_sync === undefined) continue
    const path = ['fields', name, 'custom_sync']
    if (operations.Update === undefined) refuse(path, `custom_sync of "${name}": ${resource} has no Update operation`)
    if (name.includes('.')) refuse(path, `custom_sync of "${name}": only fields at the top can have one`)
    if (field.is_read_only === true) refuse(path, `custom_sync of "${name}": the field is read-only`)
    if (field.compare?.is_ignored === true)
      refuse(path, `custom_sync of "${name}": compare.is_ignored would keep it from ever running`)
  }
  for (const key of ['updateable', 'deletable'] as const)
    checkGate(kind, config[key], problem => refuse([key], `${key}: ${problem}`))
  if (config.region_in_spec === true && [...kind.spec.values()].some(({ json }) => json === regionField))
    refuse(['region_in_spec'], `${resource} has a field "${regionField}" of its own`)
  const versions = config.api_versions ?? []
  const names = versions.map(({ name = 'v1alpha1' }) => name)
  const odd = names.find(name => !/^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(name))
  if (odd !== undefined) refuse(['api_versions'], `"${odd}" is no version such as v1alpha1, v1beta2 or v1`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refuse(['api_versions'], `version ${twice} is there twice`)
  if (versions.some(({ storage, served }) => served === false && (storage === true || versions.length === 1)))
    refuse(['api_versions'], 'the version that is stored must be served: it is the one that the runtime follows')
  const storage = versions.filter(version => version.storage === true).length
  if (versions.length > 1 && storage !== 1) refuse(['api_versions'], 'exactly one version must have storage: true')
}

function checkGate(
  { resource, spec, status }: InferredKind,
  gate: StateGateSetting | undefined,
  refuse: (problem: string) => never,
): void {
  for (const { path = '', in: values = [] } of gate?.when ?? []) {
    if (path === '') refuse('"path" is missing')
    if (values.length === 0) refuse(`"in" of ${path} is empty`)
    const [part = '', name = ''] = path.split('.')
    const fields = part === 'Spec' ? spec : part === 'Status' ? status : undefined
    if (fields === undefined) refuse(`"${path}" begins neither with Spec nor with Status`)
    if (fields !== undefined && fieldNamed(fields, name) === undefined) refuse(`${resource} has no field "${path}"`)
  }
}
