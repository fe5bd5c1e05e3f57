// What of a pod is taken, and will not do what its author thinks.
import { dnsLabelErrors, labelValueErrors } from '#kube'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { parseQuantity, quantityAsInteger } from '../../../quantity.ts'
import { eachItem, listOf, objectOf, text } from '../checks.ts'
import { ipWarnings } from '../network/address-forms.ts'
import { nodeLabelWarnings, nodeSelectorWarnings, oldNodeLabel } from './node-selectors.ts'
import { portWarnings } from './port-warnings.ts'
import { volumeWarnings } from './volumes/volume-warnings.ts'

type Warn = (warning: string) => void

export function podWarnings(object: JsonObject): readonly string[] {
  return [...nameWarnings(object, "the Pod's hostname"), ...contentWarnings(object, '')]
}

/** What becomes part of the names of pods. */
export function ownerNameWarnings(object: JsonObject): readonly string[] {
  return nameWarnings(object, 'Pod names and hostnames')
}

/** The name of a pod is the name of its host, which most programs want to be one label. */
function nameWarnings(object: JsonObject, use: string): readonly string[] {
  const problems = dnsLabelErrors(text(objectOf(object.metadata).name))
  if (problems.length === 0) return []
  const why = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`
  return [`metadata.name: ${why}: [${problems.join(' ')}]`]
}

/** Far more than any answer has room for. */
const warningsMax = 1_000

/** Of a pod, or of a template that stands at `at`; each is said once. */
export function contentWarnings(object: JsonObject, at: string): readonly string[] {
  const said = new Set<string>()
  const warn = (warning: string): void => {
    if (said.size < warningsMax) said.add(warning)
  }
  const spec = objectOf(object.spec)
  const path = at === '' ? 'spec' : `${at}.spec`
  const notes = notesOf(object, at)
  placeWarnings(spec, path, warn)
  for (const [key, why] of olderNotes) noteWarning(notes, key, why, warn)
  volumeWarnings(spec.volumes, `${path}.volumes`, warn)
  listWarnings(spec, path, warn)
  byteWarnings(spec.overhead, `${path}.overhead`, bytes, warn)
  if (!hasProfile(spec, 'seccompProfile')) noteWarning(notes, 'seccomp.security.alpha.kubernetes.io/pod', noSeccomp, warn)
  for (const list of ['initContainers', 'containers'])
    eachItem(spec[list], `${path}.${list}`, (container, each) => {
      profileWarnings(container, spec, notes, warn)
      containerWarnings(container, each, warn)
    })
  portWarnings(spec, path, warn)
  if (Number(spec.terminationGracePeriodSeconds) < 0)
    warn(`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`)
  neighbourWarnings(objectOf(spec.affinity), `${path}.affinity`, warn)
  addressWarnings(spec, path, warn)
  return [...said]
}

interface Notes {
  readonly at: string
  readonly keys: readonly string[]
}

function notesOf({ metadata }: JsonObject, at: string): Notes {
  const keys = Object.keys(objectOf(objectOf(metadata).annotations))
  return { at: at === '' ? 'metadata.annotations' : `${at}.metadata.annotations`, keys }
}

function noteWarning({ at, keys }: Notes, key: string, why: string, warn: Warn): void {
  if (keys.includes(key)) warn(`${at}[${key}]: ${why}`)
}

function hasProfile({ securityContext }: JsonObject, profile: string): boolean {
  return isObject(objectOf(securityContext)[profile])
}

const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'
const noAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead'

function profileWarnings(container: JsonObject, spec: JsonObject, notes: Notes, warn: Warn): void {
  const name = text(container.name)
  if (!hasProfile(container, 'seccompProfile'))
    noteWarning(notes, `container.seccomp.security.alpha.kubernetes.io/${name}`, noSeccomp, warn)
  if (!hasProfile(container, 'appArmorProfile') && !hasProfile(spec, 'appArmorProfile'))
    noteWarning(notes, `container.apparmor.security.beta.kubernetes.io/${name}`, noAppArmor, warn)
}

const olderNotes: readonly (readonly [key: string, why: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
]

const nobody = 'a null labelSelector results in matching no pod'

function placeWarnings(spec: JsonObject, at: string, warn: Warn): void {
  for (const label of Object.keys(objectOf(spec.nodeSelector))) {
    const why = oldNodeLabel(label)
    if (why !== undefined) warn(`${at}.nodeSelector[${label}]: ${why}`)
  }
  nodeWarnings(objectOf(objectOf(spec.affinity).nodeAffinity), `${at}.affinity.nodeAffinity`, warn)
  eachItem(spec.topologySpreadConstraints, `${at}.topologySpreadConstraints`, ({ topologyKey, labelSelector }, path) => {
    nodeLabelWarnings(topologyKey, `${path}.topologyKey`).forEach(warn)
    if (labelSelector === undefined) warn(`${path}.labelSelector: ${nobody}`)
  })
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeWarnings(affinity: JsonObject, at: string, warn: Warn): void {
  nodeSelectorWarnings(objectOf(affinity[required]), `${at}.${required}`).forEach(warn)
  eachItem(affinity[preferred], `${at}.${preferred}`, ({ preference }, path) =>
    eachItem(objectOf(preference).matchExpressions, `${path}.preference.matchExpressions`, ({ key, values }, each) => {
      nodeLabelWarnings(key, `${each}.key`).forEach(warn)
      listOf(values).forEach((value, index) => {
        for (const problem of labelValueErrors(text(value)))
          warn(`${each}.values[${index}]: ${text(value)} is invalid, ${problem}`)
      })
    }),
  )
}

/** Lists that merge by a name, in which one hides the other. */
function listWarnings({ hostAliases, imagePullSecrets }: JsonObject, at: string, warn: Warn): void {
  eachRepeated(hostAliases, 'ip', (ip, index) => warn(`${at}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`))
  eachRepeated(imagePullSecrets, 'name', (name, index) =>
    warn(`${at}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(name)}`),
  )
  eachItem(imagePullSecrets, `${at}.imagePullSecrets`, ({ name }, path) => {
    if (text(name) === '') warn(`${path}.name: invalid empty name ""`)
  })
}

function eachRepeated(list: Json | undefined, key: string, visit: (value: string, index: number) => void): void {
  const seen = new Set<string>()
  eachItem(list, '', (item, _path, index) => {
    const value = text(item[key])
    if (seen.has(value)) visit(value, index)
    seen.add(value)
  })
}

const bytes = ['memory', 'ephemeral-storage']

function byteWarnings(amounts: Json | undefined, at: string, names: readonly string[], warn: Warn): void {
  for (const name of names) {
    const value = text(objectOf(amounts)[name])
    const quantity = parseQuantity(value)
    if (quantity === undefined || quantityAsInteger(quantity) !== undefined) continue
    warn(`${at}[${name}]: fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`)
  }
}

function containerWarnings({ resources, env }: JsonObject, at: string, warn: Warn): void {
  for (const name of bytes)
    for (const kind of ['limits', 'requests']) byteWarnings(objectOf(resources)[kind], `${at}.resources.${kind}`, [name], warn)
  const seen = new Set<string>()
  eachItem(env, `${at}.env`, ({ name, value }, path) => {
    const called = text(name)
    // One that adds to what was there before needs it.
    const isBuiltOn = text(value).includes(`$(${called})`)
    if (seen.has(called) && !isBuiltOn)
      warn(`${path}: hides previous definition of ${JSON.stringify(called)}, which may be dropped when using apply`)
    seen.add(called)
  })
}

function neighbourWarnings(affinity: JsonObject, at: string, warn: Warn): void {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = objectOf(affinity[kind])
    eachItem(terms[required], `${at}.${kind}.${required}`, (term, path) => selectorWarning(term, path, warn))
    eachItem(terms[preferred], `${at}.${kind}.${preferred}`, ({ podAffinityTerm }, path) =>
      selectorWarning(objectOf(podAffinityTerm), `${path}.podAffinityTerm`, warn),
    )
  }
}

function selectorWarning({ labelSelector }: JsonObject, at: string, warn: Warn): void {
  if (!isObject(labelSelector)) warn(`${at}.labelSelector: ${nobody}`)
}

function addressWarnings({ dnsConfig, hostAliases }: JsonObject, at: string, warn: Warn): void {
  const { nameservers } = objectOf(dnsConfig)
  listOf(nameservers).forEach((server, index) => {
    ipWarnings(text(server), `${at}.dnsConfig.nameservers[${index}]`).forEach(warn)
  })
  eachItem(hostAliases, `${at}.hostAliases`, ({ ip }, path) => ipWarnings(text(ip), `${path}.ip`).forEach(warn))
}
