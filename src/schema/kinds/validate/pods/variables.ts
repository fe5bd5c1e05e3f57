// Variables of containers.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, objectOf, say, text } from '../checks.ts'
import { checkKey } from '../config.ts'
import { checkAmount, checkField } from './downward.ts'

export function checkVariables(container: JsonObject, at: string, errors: Errors): void {
  eachItem(container.env, `${at}.env`, (variable, path) => checkVariable(variable, path, errors))
  eachItem(container.envFrom, `${at}.envFrom`, (source, path) => checkSource(source, `${at}.envFrom`, path, errors))
}

function checkVariable({ name, value, valueFrom }: JsonObject, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`))
  else checkNameOf(text(name), `${at}.name`, errors)
  if (isObject(valueFrom)) checkValueFrom(valueFrom, text(value), `${at}.valueFrom`, errors)
}

function checkNameOf(name: string, at: string, errors: Errors): void {
  if (/^[ -<>-~]+$/.test(name)) return
  const why = "a valid environment variable name must consist only of printable ASCII characters other than '='"
  errors.push(fieldError.invalid(at, name, why))
}

function checkValueFrom(valueFrom: JsonObject, value: string, at: string, errors: Errors): void {
  const { fieldRef, resourceFieldRef } = valueFrom
  if (isObject(fieldRef)) checkField(fieldRef, `${at}.fieldRef`, 'variable', errors)
  if (isObject(resourceFieldRef)) checkAmount(resourceFieldRef, `${at}.resourceFieldRef`, errors)
  for (const kind of ['configMapKeyRef', 'secretKeyRef'])
    if (isObject(valueFrom[kind])) checkKeyOf(objectOf(valueFrom[kind]), `${at}.${kind}`, errors)
  const given = Object.values(valueFrom).filter(isObject).length
  const sources = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'
  if (given === 0) errors.push(fieldError.invalid(at, '', `must specify one of: ${sources}`))
  else if (value !== '') errors.push(fieldError.invalid(at, '', 'may not be specified when `value` is not empty'))
  else if (given > 1) errors.push(fieldError.invalid(at, '', 'may not have more than one field specified at a time'))
}

function checkSource({ prefix, configMapRef, secretRef }: JsonObject, list: string, at: string, errors: Errors): void {
  if (text(prefix) !== '') checkNameOf(text(prefix), `${at}.prefix`, errors)
  const given = Object.entries({ configMapRef, secretRef }).filter(([, value]) => isObject(value))
  for (const [kind, value] of given) checkNameOfSource(text(objectOf(value).name), `${at}.${kind}.name`, errors)
  // A real server names the list here, not its item.
  if (given.length === 0) errors.push(fieldError.invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`'))
  else if (given.length > 1) errors.push(fieldError.invalid(list, '', 'may not have more than one field specified at a time'))
}

function checkNameOfSource(name: string, at: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(at))
  else say(errors, at, name, dnsSubdomainErrors(name))
}

function checkKeyOf({ name, key }: JsonObject, at: string, errors: Errors): void {
  say(errors, `${at}.name`, text(name), dnsSubdomainErrors(text(name)))
  if (text(key) === '') errors.push(fieldError.required(`${at}.key`))
  else checkKey(text(key), `${at}.key`, errors)
}
