// What only pods of one operating system can have, and programs of the host itself, which only Windows runs in a pod.
import { fieldError } from '../../../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, objectOf } from '../checks.ts'

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** In the order in which they are told. */
const ofPodSecurity = ['appArmorProfile', 'seLinuxOptions'] as const
const ofPod = ['hostUsers', 'hostPID', 'hostIPC'] as const
const ofPodFiles = ['seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'] as const
const ofPodUsers = ['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'] as const
const ofContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const

export function checkSystem(spec: JsonObject, at: string, errors: Errors): void {
  const { name } = objectOf(spec.os)
  if (name === 'windows') checkWindowsPod(spec, at, errors)
  if (name === 'linux') checkLinuxPod(spec, at, errors)
}

function checkWindowsPod(spec: JsonObject, at: string, errors: Errors): void {
  const context = objectOf(spec.securityContext)
  const notIn = (owner: JsonObject, path: string, fields: readonly string[]): void => {
    for (const field of fields)
      if (isSet(field, owner[field])) errors.push(fieldError.forbidden(`${path}.${field}`, 'cannot be set for a windows pod'))
  }
  notIn(context, `${at}.securityContext`, ofPodSecurity)
  notIn(spec, at, ofPod)
  notIn(context, `${at}.securityContext`, ofPodFiles)
  notIn(spec, at, ['shareProcessNamespace'])
  notIn(context, `${at}.securityContext`, ofPodUsers)
  for (const list of lists)
    eachItem(spec[list], `${at}.${list}`, ({ securityContext }, path) =>
      notIn(objectOf(securityContext), `${path}.securityContext`, ofContainer),
    )
}

/** What is not shared with the host, and an empty list of settings, is as good as not said. */
function isSet(field: string, value: Json | undefined): boolean {
  if (field === 'hostPID' || field === 'hostIPC') return value === true
  return field === 'sysctls' ? isList(value) && value.length > 0 : value !== undefined
}

function checkLinuxPod(spec: JsonObject, at: string, errors: Errors): void {
  const why = 'windows options cannot be set for a linux pod'
  const check = (owner: JsonObject, path: string): void => {
    if (isObject(objectOf(owner.securityContext).windowsOptions))
      errors.push(fieldError.forbidden(`${path}.securityContext.windowsOptions`, why))
  }
  check(spec, at)
  for (const list of lists) eachItem(spec[list], `${at}.${list}`, check)
}

/** Either all containers of a pod are programs of the host, on its network, or none is. */
export function checkHostPrograms(spec: JsonObject, at: string, errors: Errors): void {
  const ofPod = isHostProgram(spec)
  const kinds = new Set<boolean>()
  for (const list of lists)
    eachItem(spec[list], `${at}.${list}`, (container, path) => {
      const own = isHostProgram(container)
      kinds.add((own ?? ofPod) === true)
      if (own === undefined || ofPod === undefined || own === ofPod) return
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
      errors.push(fieldError.invalid(`${path}.securityContext.windowsOptions.hostProcess`, own, why))
    })
  if (!kinds.has(true)) return
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
  if (kinds.has(false)) errors.push(fieldError.invalid(at, '', all))
  const why = 'hostNetwork must be true if pod contains any hostProcess containers'
  if (spec.hostNetwork !== true) errors.push(fieldError.invalid(`${at}.hostNetwork`, false, why))
}

function isHostProgram({ securityContext }: JsonObject): boolean | undefined {
  const { hostProcess } = objectOf(objectOf(securityContext).windowsOptions)
  return typeof hostProcess === 'boolean' ? hostProcess : undefined
}
