// How a definition converts between its versions.
import { dns1035LabelErrors } from '#kube'
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'

export function checkConversion(conversion: Json | undefined, errors: FieldError[]): void {
  if (!isObject(conversion)) return
  const at = 'spec.conversion'
  const { strategy } = conversion
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
  checkReviewVersions(
    isList(webhook?.conversionReviewVersions) ? webhook.conversionReviewVersions : [],
    `${at}.conversionReviewVersions`,
    errors,
  )
}

/** The address of a webhook: https, and nothing that a caller could smuggle. */
export function checkUrl(text: string, at: string, errors: FieldError[]): void {
  const form = '; desired format: https://host[/path]'
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text)
  if (match === null) {
    errors.push(fieldError.required(at, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid${form}`))
    return
  }
  const [, scheme = '', authority = '', , query, fragment] = match
  if (scheme !== 'https') errors.push(fieldError.invalid(at, scheme, `'https' is the only allowed URL scheme${form}`))
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host === '') errors.push(fieldError.invalid(at, host, `host must be specified${form}`))
  if (authority.includes('@'))
    errors.push(
      fieldError.invalid(at, authority.slice(0, authority.lastIndexOf('@')), 'user information is not permitted in the URL'),
    )
  if (fragment !== undefined && fragment !== '#')
    errors.push(fieldError.invalid(at, fragment.slice(1), 'fragments are not permitted in the URL'))
  if (query !== undefined && query !== '?')
    errors.push(fieldError.invalid(at, query.slice(1), 'query parameters are not permitted in the URL'))
}

export function checkService(service: JsonObject, at: string, errors: FieldError[]): void {
  const { name, namespace, path, port } = service
  if (name === undefined || name === '') errors.push(fieldError.required(`${at}.name`))
  if (namespace === undefined || namespace === '') errors.push(fieldError.required(`${at}.namespace`))
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
    else if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(step)) {
      say(
        `segment[${index}]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      )
    }
  })
}

function checkReviewVersions(versions: readonly Json[], at: string, errors: FieldError[]): void {
  if (versions.length === 0) {
    errors.push(fieldError.required(at))
    return
  }
  versions.forEach((version, index) => {
    if (versions.indexOf(version) < index) errors.push(fieldError.invalid(`${at}[${index}]`, version, 'duplicate version'))
    const problems = typeof version === 'string' ? dns1035LabelErrors(version) : []
    if (problems.length > 0) errors.push(fieldError.invalid(`${at}[${index}]`, version, problems.join(',')))
  })
  if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    errors.push(fieldError.invalid(at, versions, 'must include at least one of v1, v1beta1'))
  }
}
