// Every refusal in the words of the real server. One function per situation; all of them are thrown and become the response.
import { given } from '#base'
import { type Status, type StatusCause, type StatusDetails, StatusError } from '#kube'

/** A refusal from before anything of Kubernetes answers: text, and no Status. */
export class PlainRefusal extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

/** A resource as messages name it. */
export interface NamedResource {
  readonly group: string
  readonly plural: string
}

export function refusal(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...given({ details }),
    code,
  }
  return new StatusError(status)
}

/** `pods` or `deployments.apps`. */
export function qualified(resource: NamedResource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

export function notFound(resource: NamedResource, name: string): StatusError {
  return refusal(404, 'NotFound', `${qualified(resource)} ${JSON.stringify(name)} not found`, detailsOf(resource, name))
}

export function alreadyExists(resource: NamedResource, name: string, prefix = ''): StatusError {
  const message = `${prefix}${qualified(resource)} ${JSON.stringify(name)} already exists`
  return refusal(409, 'AlreadyExists', message, detailsOf(resource, name))
}

export function conflict(resource: NamedResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} ${JSON.stringify(name)}: ${why}`
  return refusal(409, 'Conflict', message, detailsOf(resource, name))
}

export const staleMessage = 'the object has been modified; please apply your changes to the latest version and try again'

export function badRequest(message: string): StatusError {
  return refusal(400, 'BadRequest', message)
}

export function forbidden(resource: NamedResource, name: string, why: string, causes?: readonly StatusCause[]): StatusError {
  const target = name === '' ? qualified(resource) : `${qualified(resource)} ${JSON.stringify(name)}`
  const details = { ...detailsOf(resource, name), ...given({ causes }) }
  return refusal(403, 'Forbidden', `${target} is forbidden: ${why}`, details)
}

export function methodNotAllowed(verb: string, resource: NamedResource): StatusError {
  return refusal(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(resource)}"`, {
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  })
}

export function unauthorized(): StatusError {
  return refusal(401, 'Unauthorized', 'Unauthorized')
}

export function internalError(why: string): StatusError {
  return refusal(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] })
}

export { invalidError as invalid } from '#schema'

/** The words for a JSON patch that does not fit. */
export function unprocessable(): StatusError {
  return refusal(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

export function expired(message: string): StatusError {
  return refusal(410, 'Expired', message)
}

export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  const message = `Too large resource version: ${wanted}, current: ${current}`
  return refusal(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const list = accepted.join(', ')
  return refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${list}`,
  )
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  const list = accepted.join(', ')
  return refusal(406, 'NotAcceptable', `only the following media types are accepted: ${list}`)
}

export function tooLarge(message: string): StatusError {
  return refusal(413, 'RequestEntityTooLarge', message)
}

export function tooManyRequests(message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]): StatusError {
  return refusal(429, 'TooManyRequests', message, {
    ...given({ causes }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  })
}

function detailsOf(resource: NamedResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  }
}
