// Volumes of pods.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../../json.ts'
import { type Errors, eachItem, objectOf, say, text } from '../../checks.ts'
import { podVolumeSources } from './volume-sources.ts'

/** The volumes that containers may use, by their names. */
export type Volumes = ReadonlyMap<string, JsonObject>

/** Returns only volumes without a fault: to containers the others do not exist. `podName` is unknown in a template. */
export function checkVolumes(volumes: Json | undefined, at: string, errors: Errors, podName = ''): Volumes {
  const sound = new Map<string, JsonObject>()
  eachItem(volumes, at, (volume, path) => {
    const found: Errors = []
    checkSources(volume, path, found)
    if (podName !== '' && isObject(volume.ephemeral)) checkClaimName(text(volume.name), podName, path, found)
    checkName(text(volume.name), path, sound, found)
    if (found.length === 0) sound.set(text(volume.name), volume)
    errors.push(...found)
  })
  return sound
}

function checkName(name: string, at: string, others: Volumes, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(`${at}.name`))
  else say(errors, `${at}.name`, name, dnsLabelErrors(name))
  if (others.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
}

/** The claim that is made for the pod is called by both of their names. */
function checkClaimName(name: string, podName: string, at: string, errors: Errors): void {
  if (name === '') return
  const claim = `${podName}-${name}`
  const problems = dnsSubdomainErrors(claim).map(problem => `PVC name ${JSON.stringify(claim)}: ${problem}`)
  say(errors, `${at}.name`, name, problems)
}

/** Only the first source is judged; each further one is one too many. */
function checkSources(volume: JsonObject, at: string, errors: Errors): void {
  const [first, ...more] = podVolumeSources.filter(({ field }) => isObject(volume[field]))
  first?.check(objectOf(volume[first.field]), `${at}.${first.shownAs ?? first.field}`, errors)
  for (const { field, extraAs } of more)
    errors.push(fieldError.forbidden(`${at}.${extraAs ?? field}`, 'may not specify more than 1 volume type'))
}
