// How a definition converts between its versions.
import { dns1035LabelErrors, dnsSubdomainErrors } from '#kube'
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { checkUrl } from './urls.ts'

export function checkConversion({ conversion, preserveUnknownFields }: JsonObject, errors: FieldError[]): void {
  if (!isObject(conversion)) return
  const at = 'spec.conversion'
  const { strategy } = conversion
  if (preserveUnknownFields === true && strategy !== 'None')
    errors.push(fieldError.invalid(`${at}.strategy`, strategy ?? '', 'must be None if spec.preserveUnknownFields is true'))
  if (strategy === undefined || strategy === '') errors.push(fieldError.required(`${at}.strategy`))
  else if (strategy !== 'None' && strategy !== 'Webhook')
    errors.push(fieldError.notSupported(`${at}.strategy`, strategy, ['None', 'Webhook']))
  const webhook = isObject(conversion.webhook) ? conversion.webhook : undefined
  if (strategy === 'Webhook') checkWebhook(webhook, at, errors)
  else checkNoWebhook(webhook, at, errors)
}

function checkNoWebhook(webhook: JsonObject | undefined, at: string, errors: FieldError[]): void {
  const text = 'should not be set when strategy is not set to Webhook'
  if (webhook?.clientConfig !== undefined) errors.push(fieldError.forbidden(`${at}.webhookClientConfig`, text))
  if (isList(webhook?.conversionReviewVersions) && webhook.conversionReviewVersions.length > 0) {
    errors.push(fieldError.forbidden(`${at}.conversionReviewVersions`, text))
  }
}

function checkWebhook(webhook: JsonObject | undefined, at: string, errors: FieldError[]): void {
  const config = webhook?.clientConfig
  const path = `${at}.webhookClientConfig`
  if (!isObject(config)) errors.push(fieldError.required(path, 'required when strategy is set to Webhook'))
  else if ((config.url !== undefined) === isObject(config.service))
    errors.push(fieldError.required(path, 'exactly one of url or service is required'))
  else if (typeof config.url === 'string') checkUrl(config.url, `${path}.url`, errors)
  else if (isObject(config.service)) checkService(config.service, `${path}.service`, errors)
  checkReviewVersions(webhook?.conversionReviewVersions, `${at}.conversionReviewVersions`, '', errors)
}

/** A real server takes the one name for the other when it says which is missing. */
export function checkService(service: JsonObject, at: string, errors: FieldError[]): void {
  const { name, namespace, path, port } = service
  if (namespace === undefined || namespace === '') errors.push(fieldError.required(`${at}.name`))
  if (name === undefined || name === '') errors.push(fieldError.required(`${at}.namespace`))
  if (typeof port === 'number' && (port < 1 || port > 65535)) {
    errors.push(fieldError.invalid(`${at}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  }
  if (typeof path === 'string') checkPath(path, `${at}.path`, errors)
}

function checkPath(path: string, at: string, errors: FieldError[]): void {
  const say = (text: string): void => void errors.push(fieldError.invalid(at, path, text))
  if (path === '' || path === '/') return
  if (path === '//') {
    say('segment[0] may not be empty')
    return
  }
  if (!path.startsWith('/')) say("must start with a '/'")
  const steps = (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/')
  steps.forEach((step, index) => {
    if (step === '') say(`segment[${index}] may not be empty`)
    for (const why of step === '' ? [] : dnsSubdomainErrors(step)) say(`segment[${index}]: ${why}`)
  })
}

/** Versions of the reviews that a webhook understands; who calls it knows two. */
export function checkReviewVersions(given: Json | undefined, at: string, none: string, errors: FieldError[]): void {
  const versions = isList(given) ? given : []
  if (versions.length === 0) {
    errors.push(fieldError.required(at, none))
    return
  }
  const known = new Set<Json>()
  versions.forEach((version, index) => {
    if (known.has(version)) errors.push(fieldError.invalid(`${at}[${index}]`, version, 'duplicate version'))
    else
      for (const why of dns1035LabelErrors(typeof version === 'string' ? version : ''))
        errors.push(fieldError.invalid(`${at}[${index}]`, version, why))
    known.add(version)
  })
  if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    errors.push(fieldError.invalid(at, versions, 'must include at least one of v1, v1beta1'))
  }
}
