// What containers may do: users, privileges, profiles.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { containerSecurity, profile as profileForm } from '../forms/containers.ts'
import { shownForm } from '../forms/form.ts'
import { staysWithin } from './volumes/volume-files.ts'

const idMax = 2_147_483_647

export function checkId(id: Json | undefined, at: string, errors: Errors): void {
  if (typeof id === 'number' && (id < 0 || id > idMax))
    errors.push(fieldError.invalid(at, id, `must be between 0 and ${idMax}, inclusive`))
}

export function checkSecurity(context: Json | undefined, at: string, hasOwnUsers: boolean, errors: Errors): void {
  if (!isObject(context)) return
  for (const field of ['runAsUser', 'runAsGroup']) checkId(context[field], `${at}.${field}`, errors)
  oneOf(context.procMount, `${at}.procMount`, ['Default', 'Unmasked'], errors)
  if (context.procMount === 'Unmasked' && !hasOwnUsers)
    errors.push(fieldError.invalid(`${at}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`'))
  checkSeccomp(context.seccompProfile, `${at}.seccompProfile`, errors)
  if (context.allowPrivilegeEscalation === false) checkPrivileges(context, at, errors)
  checkWindows(context.windowsOptions, `${at}.windowsOptions`, errors)
  checkAppArmor(context.appArmorProfile, `${at}.appArmorProfile`, errors)
}

function checkPrivileges(context: JsonObject, at: string, errors: Errors): void {
  const contrary = [
    ...(context.privileged === true ? ['`privileged` to true'] : []),
    ...(listOf(objectOf(context.capabilities).add).includes('CAP_SYS_ADMIN') ? ['`capabilities.Add` CAP_SYS_ADMIN'] : []),
  ]
  for (const what of contrary) {
    const why = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`
    errors.push({ ...fieldError.invalid(at, shownForm(context, containerSecurity), why), ordered: true })
  }
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']

export function checkSeccomp(profile: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(profile)) return
  const { type, localhostProfile } = profile
  if (text(type) === '') errors.push(fieldError.required(`${at}.type`, 'type is required when seccompProfile is set'))
  else oneOf(type, `${at}.type`, profileTypes, errors)
  const path = `${at}.localhostProfile`
  if (type !== 'Localhost') {
    const shown = shownForm(profile, profileForm)
    const why = 'can only be set when seccomp type is Localhost'
    if (localhostProfile !== undefined) errors.push({ ...fieldError.invalid(path, shown, why), ordered: true })
  } else if (localhostProfile === undefined) errors.push(fieldError.required(path, 'must be set when seccomp type is Localhost'))
  else staysWithin(text(localhostProfile), path, errors)
}

const profileNameMax = 4095

export function checkAppArmor(profile: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(profile)) return
  const { type, localhostProfile } = profile
  const [name, path] = [text(localhostProfile), `${at}.localhostProfile`]
  if (text(type) === '') errors.push(fieldError.required(`${at}.type`, 'type is required when appArmorProfile is set'))
  else oneOf(type, `${at}.type`, profileTypes, errors)
  if (type === 'Localhost') checkProfileName(name, path, errors)
  else if (localhostProfile !== undefined && profileTypes.includes(text(type)))
    errors.push(fieldError.invalid(path, name, 'can only be set when AppArmor type is Localhost'))
}

function checkProfileName(name: string, at: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(at, 'must be set when AppArmor type is Localhost'))
  if (name.trim() !== name) errors.push(fieldError.invalid(at, name, 'must not be padded with whitespace'))
  if (name.length > profileNameMax) errors.push(fieldError.tooLong(at, profileNameMax))
}

export function checkWindows(options: Json | undefined, at: string, errors: Errors): void {
  const { gmsaCredentialSpecName, ...more } = objectOf(options)
  const name = text(gmsaCredentialSpecName)
  if (gmsaCredentialSpecName !== undefined) say(errors, `${at}.gmsaCredentialSpecName`, name, dnsSubdomainErrors(name))
  for (const field of ['gmsaCredentialSpec', 'runAsUserName'])
    if (more[field] === '') errors.push(fieldError.invalid(`${at}.${field}`, '', `${field} cannot be an empty string`))
}
