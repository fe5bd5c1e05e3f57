// Annotations of pods by which older clients said what has fields now, and some that only servers and nodes write.
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { syntaxProblem } from '../../../json-words.ts'
import { type Errors, eachItem, listOf, objectOf, text } from '../checks.ts'
import { checkToleration } from './pod-placement.ts'
import { staysWithin } from './volumes/volume-files.ts'

/** What a node writes on a pod that it runs by itself. */
export const mirror = 'kubernetes.io/config.mirror'
const tolerations = 'scheduler.alpha.kubernetes.io/tolerations'
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmor = 'container.apparmor.security.beta.kubernetes.io/'

/** In the order in which a real server looks at them. */
export function checkPodAnnotations(annotations: Json | undefined, spec: JsonObject, at: string, errors: Errors): void {
  const given = objectOf(annotations)
  // A node tells the server of a pod that it runs by itself; so the node is known.
  if (given[mirror] !== undefined && text(spec.nodeName) === '') {
    const why = 'must set spec.nodeName if mirror pod annotation is set'
    errors.push(fieldError.invalid(`${at}[${mirror}]`, given[mirror], why))
  }
  checkTolerations(text(given[tolerations]), at, errors)
  const cost = given[deletionCost]
  if (cost !== undefined && !isCost(text(cost)))
    errors.push(fieldError.invalid(`${at}[${deletionCost}]`, cost, 'must be a 32bit integer'))
  for (const [key, value] of Object.entries(given))
    if (key === seccomp || key.startsWith(containerSeccomp)) checkProfile(text(value), `${at}.${key}`, errors)
  const profiled = Object.entries(given).filter(([key]) => key.startsWith(appArmor))
  const names = profiled.length === 0 ? new Set<string>() : namesOf(spec)
  for (const [key, value] of profiled) {
    const container = key.slice(appArmor.length)
    if (!names.has(container)) errors.push(fieldError.invalid(`${at}[${key}]`, container, 'container not found'))
    checkAppArmorName(text(value), `${at}[${key}]`, errors)
  }
}

function namesOf({ initContainers, containers, ephemeralContainers }: JsonObject): ReadonlySet<string> {
  const all = [initContainers, containers, ephemeralContainers].flatMap(listOf)
  return new Set(all.map(container => text(objectOf(container).name)))
}

function checkTolerations(annotation: string, at: string, errors: Errors): void {
  if (annotation === '') return
  try {
    const given = JSON.parse(annotation) as Json
    eachItem(given, `${at}.${tolerations}`, (toleration, path) => checkToleration(toleration, path, errors))
  } catch {
    errors.push(fieldError.invalid(at, tolerations, syntaxProblem(annotation)))
  }
}

function isCost(value: string): boolean {
  return /^(?:0|-?[1-9]\d*|-0)$/.test(value) && Number(value) >= -2147483648 && Number(value) <= 2147483647
}

function checkProfile(profile: string, at: string, errors: Errors): void {
  if (['unconfined', 'runtime/default', 'docker/default'].includes(profile)) return
  if (profile.startsWith('localhost/')) staysWithin(profile.slice('localhost/'.length), at, errors)
  else errors.push(fieldError.invalid(at, profile, 'must be a valid seccomp profile'))
}

function checkAppArmorName(profile: string, at: string, errors: Errors): void {
  if (!['', 'unconfined', 'runtime/default'].includes(profile) && !profile.startsWith('localhost/'))
    errors.push(fieldError.invalid(at, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`))
}

/** Whose node runs it, and under which profile, is said when a pod is made. */
export function checkAnnotationChange(now: Json | undefined, before: Json | undefined, errors: Errors): void {
  const [given, old] = [objectOf(now), objectOf(before)]
  for (const key of Object.keys({ ...old, ...given })) {
    const what = key === mirror ? 'mirror pod annotation' : key.startsWith(appArmor) ? 'AppArmor annotations' : undefined
    if (what === undefined || given[key] === old[key]) continue
    const how = old[key] === undefined ? 'add' : 'remove or update'
    errors.push(fieldError.forbidden(`metadata.annotations[${key}]`, `may not ${how} ${what}`))
  }
}
