// Volumes of pods.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type Errors, eachItem, objectOf, say, text } from './checks.ts'

/** The names that containers may mount. */
export function checkVolumes(volumes: Json | undefined, at: string, errors: Errors): ReadonlySet<string> {
  const names = new Set<string>()
  eachItem(volumes, at, (volume, path) => {
    const name = text(volume.name)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else say(errors, `${path}.name`, name, dnsLabelErrors(name))
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    checkSource(volume, path, errors)
    names.add(name)
  })
  return names
}

function checkSource(volume: JsonObject, at: string, errors: Errors): void {
  const sources = Object.keys(volume).filter(key => key !== 'name')
  for (const extra of sources.slice(1))
    errors.push(fieldError.forbidden(`${at}.${extra}`, 'may not specify more than 1 volume type'))
  const { secret, configMap, persistentVolumeClaim, projected, hostPath } = volume
  if (secret !== undefined && text(objectOf(secret).secretName) === '')
    errors.push(fieldError.required(`${at}.secret.secretName`))
  if (configMap !== undefined && text(objectOf(configMap).name) === '') errors.push(fieldError.required(`${at}.configMap.name`))
  if (hostPath !== undefined && text(objectOf(hostPath).path) === '') errors.push(fieldError.required(`${at}.hostPath.path`))
  if (persistentVolumeClaim !== undefined && text(objectOf(persistentVolumeClaim).claimName) === '') {
    errors.push(fieldError.required(`${at}.persistentVolumeClaim.claimName`))
  }
  eachItem(objectOf(projected).sources, `${at}.projected.sources`, (source, path) => checkProjection(source, path, errors))
}

function checkProjection(source: JsonObject, at: string, errors: Errors): void {
  const token = source.serviceAccountToken
  if (token === undefined) return
  const seconds = objectOf(token).expirationSeconds
  if (typeof seconds === 'number' && seconds < 600) {
    errors.push(
      fieldError.invalid(
        `${at}.serviceAccountToken.expirationSeconds`,
        seconds,
        'may not specify a duration less than 10 minutes',
      ),
    )
  }
  if (text(objectOf(token).path) === '') errors.push(fieldError.required(`${at}.serviceAccountToken.path`))
}
