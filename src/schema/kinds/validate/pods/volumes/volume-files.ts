// Volumes of pods that are files: keys of secrets and config maps, fields of the pod, tokens, and several of those in one place.
import { fieldError } from '../../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../../json.ts'
import { type Errors, eachItem, text } from '../../checks.ts'
import { goesNotUp } from '../../storage/common-sources.ts'
import { checkField, checkFileAmount } from '../downward.ts'

export function checkMode(mode: Json | undefined, at: string, errors: Errors): void {
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(fieldError.invalid(at, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}

/** Looks at the files of a volume in the place of its own. */
type VisitFile = (item: JsonObject) => void

/** Files of a volume, by the keys that they show. */
export function checkFiles(items: Json | undefined, at: string, errors: Errors, visit: VisitFile = () => {}): void {
  eachItem(items, at, (item, path) => {
    if (text(item.key) === '') errors.push(fieldError.required(`${path}.key`))
    checkFilePath(text(item.path), `${path}.path`, errors)
    checkMode(item.mode, `${path}.mode`, errors)
    visit(item)
  })
}

function checkFilePath(path: string, at: string, errors: Errors): void {
  if (path === '') errors.push(fieldError.required(at))
  else staysWithin(path, at, errors)
  // The names by which a volume is exchanged for its next version begin like this.
  if (/^\.\.(?!\/)/.test(path)) errors.push(fieldError.invalid(at, path, "must not start with '..'"))
}

/** A path that is taken from a volume's root leads to what is below it. */
export function staysWithin(path: string, at: string, errors: Errors): void {
  if (path.startsWith('/')) errors.push(fieldError.invalid(at, path, 'must be a relative path'))
  goesNotUp(path, at, errors)
}

export function checkDownward(source: JsonObject, at: string, errors: Errors, visit: VisitFile = () => {}): void {
  checkMode(source.defaultMode, `${at}.defaultMode`, errors)
  eachItem(source.items, at, item => {
    checkDownwardFile(item, at, errors)
    visit(item)
  })
}

/** A real server names the volume's source here, not the file. */
function checkDownwardFile({ path, fieldRef, resourceFieldRef, mode }: JsonObject, at: string, errors: Errors): void {
  checkFilePath(text(path), `${at}.path`, errors)
  if (isObject(fieldRef)) {
    checkField(fieldRef, `${at}.fieldRef`, 'file', errors)
    const why = 'fieldRef and resourceFieldRef can not be specified simultaneously'
    if (isObject(resourceFieldRef)) errors.push(fieldError.invalid(at, 'resource', why))
  } else if (isObject(resourceFieldRef)) checkFileAmount(resourceFieldRef, `${at}.resourceFieldRef`, errors)
  else errors.push(fieldError.required(at, 'one of fieldRef and resourceFieldRef is required'))
  checkMode(mode, `${at}.mode`, errors)
}

export function checkProjected(source: JsonObject, at: string, errors: Errors): void {
  const taken = new Set<string>()
  /** Two files of one path are told by the name of the second one's owner, or by the path where it has none. */
  const once = (owner?: Json): VisitFile => {
    return item => {
      const path = text(item.path)
      if (taken.has(path)) errors.push(fieldError.invalid(at, owner ?? path, 'conflicting duplicate paths'))
      if (path !== '') taken.add(path)
    }
  }
  checkMode(source.defaultMode, `${at}.defaultMode`, errors)
  eachItem(source.sources, `${at}.sources`, (each, path) => {
    const { secret, configMap, downwardAPI, serviceAccountToken } = each
    if (isObject(secret)) checkKeys(secret, `${path}.secret`, errors, once(text(secret.name)))
    if (isObject(configMap)) checkKeys(configMap, `${path}.configMap`, errors, once(text(configMap.name)))
    if (isObject(downwardAPI)) checkDownward(downwardAPI, `${path}.downwardAPI`, errors, once())
    if (isObject(serviceAccountToken)) checkToken(serviceAccountToken, { volume: at, source: path }, errors)
    if (Object.values(each).filter(isObject).length > 1)
      errors.push(fieldError.forbidden(path, 'may not specify more than 1 volume type per source'))
  })
}

function checkKeys({ name, items }: JsonObject, at: string, errors: Errors, visit: VisitFile): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`))
  checkFiles(items, `${at}.items`, errors, visit)
}

function checkToken(token: JsonObject, at: { readonly volume: string; readonly source: string }, errors: Errors): void {
  const { expirationSeconds } = token
  const path = `${at.source}.serviceAccountToken.expirationSeconds`
  if (typeof expirationSeconds === 'number' && expirationSeconds < 600)
    errors.push(fieldError.invalid(path, expirationSeconds, 'may not specify a duration less than 10 minutes'))
  if (typeof expirationSeconds === 'number' && expirationSeconds > 2 ** 32)
    errors.push(fieldError.invalid(path, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'))
  // A real server names the volume's source here, not the token.
  checkFilePath(text(token.path), `${at.volume}.path`, errors)
}
